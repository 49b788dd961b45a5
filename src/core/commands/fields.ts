import type { SentenceId } from '../../words/english.ts'
import type { FieldValues, Value } from '../model/request.ts'
import { type Sentence, say, type Words } from '../model/words.ts'

/** Writes the canonical line of a command, by its name. */
export type WriteLine = (name: string, values: FieldValues) => string

/** A value of a row. Positional without a `key`, `key=value` with one. */
export interface Field<T extends Value | undefined = Value | undefined> {
  readonly kind: 'endpoint' | 'text' | 'choice' | 'number' | 'secrets' | 'line' | 'person' | 'when' | 'window' | 'zone'
  readonly label: Sentence
  /** In usage lines: `<endpoint>`, `[active|stopped]`. */
  readonly hint: string
  /** How to write it, as a sentence, if its kind does not say. */
  readonly example?: Sentence
  /** A moment, which a form asks for with a date and a time. */
  readonly moment?: true
  readonly key?: string
  /** How people write the key, where lines are stored with an older one. */
  readonly typed?: string
  /** A word before a positional value: `to`. */
  readonly lead?: string
  /** Its lead is required. */
  readonly led?: true
  /** How many of the next words belong to this value: "fri 18:00" is two. */
  readonly span?: (words: readonly string[]) => number
  readonly optional?: true
  /** Its value can be removed, by `clear=key` for secrets and by an empty `key=` for the rest. Stored as null. */
  readonly clearable?: true
  /** It proves something once, and stands in no line that is shown. */
  readonly unshown?: true
  /** The choices; a single one is a box to check. */
  readonly of?: readonly string[]
  /** A form begins with the first of them, though a line may leave it out. */
  readonly begins?: true
  /** A choice that leaves nothing else to say: of a form that has it, the other optional fields but the reason are not read. */
  readonly alone?: string
  /** It takes an id, which a form offers where it knows some, and does not ask for elsewhere. */
  readonly listed?: true
  /** Other words for choices. */
  readonly also?: Readonly<Record<string, string>>
  readonly range?: readonly [number, number]
  /** The longest text, in UTF-16 units. */
  readonly most?: number
  readonly read: (word: string) => FieldReading<T>
}

/** The value of a word, or a sentence about its mistake. */
/** `example`: a line that does what was wanted. */
export type FieldReading<T, Mistake = Words> =
  | { readonly value: T }
  | { readonly wrong: Mistake; readonly example?: string }

export type Fields = Readonly<Record<string, Field>>
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }

type Label = SentenceId extends infer Id ? (Id extends `label.${infer One}` ? One : never) : never

/** What a field is called in its form and in its mistakes. */
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

/** Why somebody asks or decides. Stored as `because`, which people may type as well: "because the run is over". */
export function reasonText(): Field<string> {
  const span = (words: readonly string[]) => words.length
  return { ...text('reason', 'because'), typed: 'reason', lead: 'because', span, hint: 'reason="…"' }
}

/** `also`: older or other words for a choice. */
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

/** The platform takes 1 to 100 replicas. */
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

/** Names of secret values. The line holds only the names; the values are sealed and never typed in a line. */
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

/** Takes the words that a pattern fits. */
export function matching(pattern: RegExp, wrong: (word: string) => Words): Field<string>['read'] {
  return (word) => (pattern.test(word) ? { value: word } : { wrong: wrong(word) })
}

/** A field whose value can also be removed. */
export function clearable<T extends Value>(field: Field<T>): Field<T | null | undefined> {
  return { ...field, optional: true, clearable: true, hint: `[${field.hint}]` }
}

export function optional<T extends Value>(field: Field<T>): Field<T | undefined> {
  return { ...field, optional: true, hint: `[${field.hint}]` }
}

/** An endpoint by id or name. The platform makes the names, so any that can be shown is accepted. */
export function endpointName(): Field<string> {
  return nameOf('endpoint')
}

/** An open request, by its endpoint or by its id. */
export function requestName(): Field<string> {
  return nameOf('request')
}

/** The same, perhaps by all that it is called: "stop my-llm". */
export function requestCalled(): Field<string> {
  return { ...nameOf('request'), span: (words) => words.length }
}

function nameOf(what: 'endpoint' | 'request'): Field<string> {
  const read = (word: string) => {
    if (word.trim() === '') return { wrong: say(`field.${what}Empty`) }
    return word.length <= 200 ? { value: word } : { wrong: say(`field.${what}TooLong`) }
  }
  return { kind: 'endpoint', label: labelled(what), hint: `<${what}>`, read }
}

/** As Slack writes an `@name` that was chosen from its list. */
export const aPerson = /^@[UW][A-Z0-9]{2,20}$/

/** A person who was chosen from Slack's list. */
export function person(label: Label, lead: string): Field<string> {
  const wrong = (word: string) => say('field.person', { field: labelled(label), word })
  return { kind: 'person', label: labelled(label), lead, hint: `${lead} @…`, read: matching(aPerson, wrong) }
}

/** The rest of the line, as it was written. */
export function wholeLine(): Field<string> {
  return { kind: 'line', label: labelled('command'), hint: '<line>', read: (line) => ({ value: line }) }
}

/** A word of the product, such as a verb. */
export function word(label: Label, hint: string): Field<string> {
  return { kind: 'text', label: labelled(label), hint, read: atMost(60, label) }
}
