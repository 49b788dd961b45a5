import type { SentenceId } from '../../words/english.ts'

/** Why what was typed cannot be read: sentences of the catalogue, as `say` of `core/model/words.ts` makes them. */
export interface Misread {
  readonly wrong: readonly { readonly say: SentenceId; readonly with: Values }[]
  /** Another word would do, so its form is offered. */
  readonly mistyped: true
}

type Values = Readonly<Record<string, string | { readonly any: readonly string[] }>>

/** `forms` says what may be written instead. */
export function misread(id: SentenceId, values: Values, forms?: SentenceId): Misread {
  return {
    wrong: [{ say: id, with: values }, ...(forms === undefined ? [] : [{ say: forms, with: {} }])],
    mistyped: true,
  }
}
