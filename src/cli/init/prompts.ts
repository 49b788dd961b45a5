import type { Readable, Writable } from 'node:stream'
import { autocomplete, autocompleteMultiselect, confirm, isCancel, password, text } from '@clack/prompts'

export interface Choice<Value> {
  readonly value: Value
  readonly label: string
  /** Found by as well. */
  readonly hint?: string
}

/** Questions to a person at a terminal. */
export type Questions = ReturnType<typeof questionsOn>

/** Somebody pressed Ctrl-C. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

export function questionsOn(input: Readable, output: Writable) {
  const common = { input, output }
  /** Rows of a list; more are found by typing. */
  const maxItems = 8
  return {
    /** `usual` is taken if nothing is typed. */
    text: async (message: string, usual = '') =>
      answered(await text({ ...common, message, placeholder: usual, defaultValue: usual })),
    secret: async (message: string) => answered(await password({ ...common, message })),
    confirm: async (message: string) => answered(await confirm({ ...common, message })),
    pick: async <Value extends string>(message: string, options: readonly Choice<Value>[]) =>
      answered(await autocomplete<Value>({ ...common, message, maxItems, options: [...options] as never })),
    pickMany: async <Value extends string>(message: string, options: readonly Choice<Value>[], required = false) =>
      answered(
        await autocompleteMultiselect<Value>({
          ...common,
          message,
          maxItems,
          required,
          options: [...options] as never,
        }),
      ),
  }
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Cancelled('Nothing was written.')
  return answer as Exclude<Answer, symbol>
}
