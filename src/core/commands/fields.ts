import type { Given, Value } from '../model/request.ts'

/** Writes the canonical line of a command, by its name. */
export type WriteLine = (name: string, values: Given) => string

/** What a row must be told. Positional where `key` is absent, `key=value` otherwise. */
export interface Field<T extends Value | undefined = Value | undefined> {
  readonly kind: 'endpoint' | 'text' | 'choice' | 'number' | 'secrets' | 'line' | 'person' | 'when' | 'window' | 'zone'
  readonly label: string
  /** How usage lines show it: `<endpoint>`, `[active|stopped]`. */
  readonly hint: string
  /** How it is written, where its kind alone does not say: a whole sentence. */
  readonly example?: string
  readonly key?: string
  /** A word that stands before a positional value and means nothing by itself: `to`. */
  readonly lead?: string
  /** Without its lead it is not read. */
  readonly led?: true
  /** How many of the next words of a line belong to this value together: "fri 18:00" is two. */
  readonly span?: (words: readonly string[]) => number
  readonly optional: boolean
  /** Its value can be removed: by `clear=key` for secrets, by `key=` with nothing behind it for the rest. Stored as null. */
  readonly clearable?: true
  /** What may be chosen. */
  readonly of?: readonly string[]
  /** Bounds of a number. */
  readonly range?: readonly [number, number]
  /** The longest a text may be, in UTF-16 units. */
  readonly most?: number
  readonly read: (word: string) => Reading<T>
}

/** A word read, or the sentence that says what is wrong with it. */
export type Reading<T> = { readonly value: T } | { readonly wrong: string }

export type Fields = Readonly<Record<string, Field>>
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }

export function text(label: string, key: string, most = 300): Field<string> {
  return {
    kind: 'text',
    label,
    key,
    hint: `${key}="…"`,
    most,
    optional: false,
    read: (word) => (word.length <= most ? { value: word } : { wrong: `${label} has at most ${most} characters.` }),
  }
}

export function choice<const C extends readonly string[]>(label: string, of: C): Field<C[number]> {
  return {
    kind: 'choice',
    label,
    hint: of.join('|'),
    of,
    optional: false,
    read: (word) => {
      const value = of.find((one) => one === word.toLowerCase())
      return value === undefined ? { wrong: `${label} is one of ${of.join(', ')}, not “${word}”.` } : { value }
    },
  }
}

/** How many replicas: the platform takes 1 to 100, and none at all is a stop (platform-api.md 3.7). */
export function replicaCount(): Field<number> {
  const [least, most] = [1, 100]
  return {
    kind: 'number',
    label: 'Replicas',
    hint: 'to <n>',
    lead: 'to',
    range: [least, most],
    optional: false,
    read: (word) => {
      const value = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN
      if (value === 0) return { wrong: 'No replicas at all is a stop: use stop for that.' }
      if (value >= least && value <= most) return { value }
      return { wrong: `Replicas is a whole number from ${least} to ${most}, not “${word}”.` }
    },
  }
}

export function count(label: string, key: string, [least, most]: readonly [number, number]): Field<number> {
  return {
    kind: 'number',
    label,
    key,
    hint: `${key}=<n>`,
    range: [least, most],
    optional: false,
    read: (word) => {
      const value = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN
      return value >= least && value <= most
        ? { value }
        : { wrong: `${label} is a whole number from ${least} to ${most}, not “${word}”.` }
    },
  }
}

/** A path on the endpoint's own server. */
export function path(label: string, key: string): Field<string> {
  return {
    kind: 'text',
    label,
    key,
    hint: `${key}=/…`,
    optional: false,
    read: (word) =>
      /^\/[^\s?#]{0,199}$/.test(word)
        ? { value: word }
        : { wrong: `${label} is a path that begins with /, not “${word}”.` },
  }
}

/** Names whose values are secret: the line quotes the names, the values travel sealed and are never typed. */
export function secrets(label: string, key: string): Field<string> {
  return {
    kind: 'secrets',
    label,
    key,
    hint: `clear=${key}`,
    optional: false,
    read: (word) =>
      /^[A-Za-z_]\w{0,63}(,[A-Za-z_]\w{0,63}){0,49}$/.test(word)
        ? { value: word }
        : {
            wrong:
              word === ''
                ? `To remove all ${label.toLowerCase()}, write clear=${key}. To set some, open the form: /endpoint patch.`
                : `${label} are set in the form, where values stay hidden: leave ${key} out and open /endpoint patch.`,
          },
  }
}

/** A field whose value can also be removed. */
export function clearable<T extends Value>(field: Field<T>): Field<T | null | undefined> {
  return { ...field, optional: true, clearable: true, hint: `[${field.hint}]` }
}

export function optional<T extends Value>(field: Field<T>): Field<T | undefined> {
  return { ...field, optional: true, hint: `[${field.hint}]` }
}

/** An endpoint by id or name. Names are the platform's; all that is asked of one here is that it can be shown. */
export function endpointName(): Field<string> {
  return {
    kind: 'endpoint',
    label: 'Endpoint',
    hint: '<endpoint>',
    optional: false,
    read: (word) => {
      if (word.trim() === '') return { wrong: 'Say which endpoint: between the quotation marks is no name.' }
      return word.length <= 200 ? { value: word } : { wrong: 'An endpoint’s name has at most 200 characters.' }
    },
  }
}

/** A request that is open: by the endpoint it is about, or by its id. */
export function requestName(): Field<string> {
  return {
    kind: 'endpoint',
    label: 'Request on',
    hint: '<request>',
    optional: false,
    read: (word) => {
      if (word.trim() === '') return { wrong: 'Say which request: the endpoint it is on, or its id.' }
      return word.length <= 200 ? { value: word } : { wrong: 'A request is named by its endpoint or its id.' }
    },
  }
}

/** Somebody, as Slack writes an `@name` once it is chosen from its list. */
export function person(label: string, lead: string): Field<string> {
  return {
    kind: 'person',
    label,
    lead,
    hint: `${lead} @…`,
    optional: false,
    read: (word) =>
      /^@[UW][A-Z0-9]{2,20}$/.test(word)
        ? { value: word }
        : { wrong: `${label} is a person, chosen from the list that Slack shows after @; not “${word}”.` },
  }
}

/** Another line, to its end, taken as it was written. */
export function wholeLine(label: string): Field<string> {
  return { kind: 'line', label, hint: '<line>', optional: false, read: (line) => ({ value: line }) }
}

/** One word of the product's own, such as a verb. */
export function word(label: string, hint: string): Field<string> {
  return {
    kind: 'text',
    label,
    hint,
    optional: false,
    read: (typed) => (typed.length <= 60 ? { value: typed } : { wrong: `${label} has at most 60 characters.` }),
  }
}
