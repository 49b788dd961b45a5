import type { SentenceId } from '../../words/english.ts'
import type { FieldValues, Value } from '../model/request.ts'
import { type Sentence, say, type Words } from '../model/words.ts'

/** Writes a command's canonical line, given its name. */
export type WriteLine = (name: string, values: FieldValues) => string

/** A value of a row: positional without a `key`, otherwise `key=value`. */
export interface Field<T extends Value | undefined = Value | undefined> {
  readonly kind: 'endpoint' | 'text' | 'choice' | 'number' | 'secrets' | 'line' | 'person' | 'when' | 'window' | 'zone'
  readonly label: Sentence
  /** Its part of the usage: `<endpoint>`, `[active|stopped]`. */
  readonly hint: string
  /** A sentence about its format, if its kind does not suffice. */
  readonly example?: Sentence
  /** An instant, for which a form shows a date and a time picker. */
  readonly moment?: true
  readonly key?: string
  /** The key that people type, if stored lines use an older one. */
  readonly typed?: string
  /** The word before a positional value: `to`. */
  readonly lead?: string
  /** The lead is required. */
  readonly led?: true
  /** How many of the next words belong to this value: two for "fri 18:00". */
  readonly span?: (words: readonly string[]) => number
  readonly optional?: true
  /** The value can be removed: secrets by `clear=key`, others by an empty `key=`. Stored as null. */
  readonly clearable?: true
  /** A one-time proof, which is left out of every line that is shown. */
  readonly unshown?: true
  /** The choices. A single one is a checkbox. */
  readonly of?: readonly string[]
  /** A form starts with the first choice, although a line may omit it. */
  readonly begins?: true
  /** A choice that needs nothing else: a form with it ignores its other optional fields, except the reason. */
  readonly alone?: string
  /** An id, which a form offers if it knows some, and otherwise does not ask for. */
  readonly listed?: true
  /** Synonyms of choices. */
  readonly also?: Readonly<Record<string, string>>
  readonly range?: readonly [number, number]
  /** The longest text, in UTF-16 units. */
  readonly most?: number
  readonly read: (word: string) => FieldReading<T>
}

/** The value of a word, or a sentence about what is wrong. `example`: a line that does what was meant. */
export type FieldReading<T, Mistake = Words> =
  | { readonly value: T }
  | { readonly wrong: Mistake; readonly example?: string }

export type Fields = Readonly<Record<string, Field>>
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }

type Label = SentenceId extends infer Id ? (Id extends `label.${infer One}` ? One : never) : never

/** The label of a field in its form and its error messages. */
export function labelled(label: Label): Sentence {
  return say(`label.${label}`)
}

export function text(label: Label, key: string, most = 300): Field<string> {
  return { kind: 'text', label: labelled(label), key, hint: `${key}="…"`, most, read: atMost(most, label) }
}

function atMost(most: number, label: Label): Field<string>['read'] {
  const wrong = say('field.textTooLong', { field: labelled(label), most })
  return (typed) => (typed.length <= most ? { value: typed } : { wrong })
}

/** The reason for a request or decision. Stored as `because`, which people may also type: "because the run is over". */
export function reasonText(): Field<string> {
  const span = (words: readonly string[]) => words.length
  return { ...text('reason', 'because'), typed: 'reason', lead: 'because', span, hint: 'reason="…"' }
}

/** `also`: older names or synonyms of a choice. */
export function choice<const C extends readonly string[]>(
  label: Label,
  of: C,
  also: Readonly<Record<string, C[number]>> = {},
): Field<C[number]> {
  return {
    kind: 'choice',
    label: labelled(label),
    hint: of.join('|'),
    of,
    also,
    read: (word) => {
      const typed = word.toLowerCase()
      const value = of.find((one) => one === typed) ?? new Map(Object.entries(also)).get(typed)
      return value === undefined
        ? { wrong: say('field.choice', { field: labelled(label), of: { any: of }, word }) }
        : { value }
    },
  }
}

export function synonyms<const Choice extends string>(meant: Choice, ...words: readonly string[]) {
  return Object.fromEntries(words.map((word) => [word, meant])) as Readonly<Record<string, Choice>>
}

/** The platform accepts 1 to 100 replicas. */
export function replicaCount(): Field<number> {
  const field = numberIn('replicas', [1, 100], { hint: 'to <n>', lead: 'to' })
  const none = { wrong: say('field.noReplicas'), example: 'stop my-llm' }
  return { ...field, read: (word) => (/^0{1,9}$/.test(word) ? none : field.read(word)) }
}

export function count(label: Label, key: string, range: readonly [number, number]): Field<number> {
  return numberIn(label, range, { hint: `${key}=<n>`, key })
}

function numberIn(
  label: Label,
  range: readonly [number, number],
  written: Pick<Field, 'hint' | 'key' | 'lead'>,
): Field<number> {
  const [low, high] = range
  return {
    kind: 'number',
    label: labelled(label),
    ...written,
    range,
    read: (word) => {
      const value = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN
      return value >= low && value <= high
        ? { value }
        : { wrong: say('field.number', { field: labelled(label), low, high, word }) }
    },
  }
}

/** A path on the endpoint's own server. */
export function path(label: Label, key: string): Field<string> {
  const wrong = (word: string) => say('field.path', { field: labelled(label), word })
  return { kind: 'text', label: labelled(label), key, hint: `${key}=/…`, read: matching(/^\/[^\s?#]{0,199}$/, wrong) }
}

/** Names of secret values. The line contains only the names. The values are sealed and never typed in a line. */
export function secrets(label: Label, key: string): Field<string> {
  return {
    kind: 'secrets',
    label: labelled(label),
    key,
    hint: `clear=${key}`,
    read: matching(/^[A-Za-z_]\w{0,63}(,[A-Za-z_]\w{0,63}){0,49}$/, (word) =>
      word === ''
        ? say('field.secretsEmpty', { field: labelled(label), clear: `clear=${key}` })
        : say('field.secretsTyped', { field: labelled(label), key }),
    ),
  }
}

export function matching(pattern: RegExp, wrong: (word: string) => Words): Field<string>['read'] {
  return (word) => (pattern.test(word) ? { value: word } : { wrong: wrong(word) })
}

export function clearable<T extends Value>(field: Field<T>): Field<T | null | undefined> {
  return { ...field, optional: true, clearable: true, hint: `[${field.hint}]` }
}

export function optional<T extends Value>(field: Field<T>): Field<T | undefined> {
  return { ...field, optional: true, hint: `[${field.hint}]` }
}

/** An endpoint by id or name. The platform allows any name, so every printable one is accepted. */
export function endpointName(): Field<string> {
  return nameOf('endpoint')
}

/** An open request, by its endpoint or its id. */
export function requestName(): Field<string> {
  return nameOf('request')
}

/** An open request, also by its whole phrase: "stop my-llm". */
export function requestCalled(): Field<string> {
  return { ...nameOf('request'), span: (words) => words.length }
}

function nameOf(what: 'endpoint' | 'request'): Field<string> {
  const short = atMost(200, what)
  const read = (word: string) => (word.trim() === '' ? { wrong: say(`field.${what}Empty`) } : short(word))
  return { kind: 'endpoint', label: labelled(what), hint: `<${what}>`, read }
}

/** How Slack writes an `@name` chosen from its list. */
export const aPerson = /^@[UW][A-Z0-9]{2,20}$/

/** A person chosen from Slack's list. */
export function person(label: Label, lead: string): Field<string> {
  const wrong = (word: string) => say('field.person', { field: labelled(label), word })
  return { kind: 'person', label: labelled(label), lead, hint: `${lead} @…`, read: matching(aPerson, wrong) }
}

/** The rest of the line, unchanged. */
export function wholeLine(): Field<string> {
  return { kind: 'line', label: labelled('command'), hint: '<line>', read: (line) => ({ value: line }) }
}

/** A word of the product, such as a verb. */
export function word(label: Label, hint: string): Field<string> {
  return { kind: 'text', label: labelled(label), hint, read: atMost(60, label) }
}
