import type { Field } from './field.ts'

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
