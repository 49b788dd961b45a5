import type { KnownBlock, ModalView } from '@slack/types'
import * as z from 'zod'
import type { Row } from '../../../core/commands/define.ts'
import type { Field } from '../../../core/commands/fields.ts'
import type { Given } from '../../../core/model/request.ts'
import { small } from '../kit/blocks.ts'
import { clearingInput, inputFor, placeInput, plain } from './inputs.ts'

/** What a form's submission is known by. */
export const formId = 'form'

/** Where a form was opened; it travels with the form and comes back with what was filled in. */
export const origin = z.object({
  /** '' on the Home and in the global shortcut: they stand in no channel. */
  channel: z.string(),
  project: z.string().optional(),
  /** Slack's address for an answer to whoever opened it, while it lasts. */
  replyUrl: z.string().optional(),
})
const kept = origin.extend({ verb: z.string() })
export type Origin = z.infer<typeof origin>

/** A row to be filled in, with what is known of it by now. */
export interface Form {
  readonly row: Row
  readonly values: Given
  /** What the request is called that it is about, where the line names it by its id. */
  readonly called?: string
  readonly from: Origin
  /** The card of an operation needs a channel, and there is none to put it in. */
  readonly placeless?: boolean
  /** Why its values make no sense together. */
  readonly wrong?: string
  /** What to write instead, for where the form cannot be opened. */
  readonly says?: string
}

/** The modal of a row, made from its fields and nothing else. */
export function formView({ row, values, called, wrong, from, placeless = false }: Form): ModalView {
  const fields = Object.entries(row.fields)
  const at = wrong === undefined ? undefined : lastSaid(fields, values)
  const blocks: KnownBlock[] = [
    small(row.summary),
    ...fields.map(([name, field]) =>
      inputFor(name, field, values[name], {
        called: name === 'request' ? called : undefined,
        wrong: name === at ? wrong : undefined,
      }),
    ),
    ...clearingInput(fields, values),
    ...(placeless ? [placeInput()] : []),
  ]
  return {
    type: 'modal',
    callback_id: formId,
    title: plain(titleOf(row), 24),
    submit: plain(row.kind === 'operation' ? (row.words.submit ?? row.words.ask) : 'Show', 24),
    close: plain('Close', 24),
    private_metadata: JSON.stringify({ ...from, verb: row.name }),
    blocks,
  }
}

/** Of what makes no sense together, what was said last is the first to be looked at again. */
function lastSaid(fields: readonly (readonly [string, Field])[], values: Given): string | undefined {
  const free = fields.filter(([name, { optional }]) => optional && name !== 'because')
  return (free.findLast(([name]) => values[name] !== undefined) ?? free[0])?.[0]
}

/** "Stop an endpoint", or the word that is typed where that would be too long. */
function titleOf(row: Row): string {
  const word = `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`
  if (row.kind === 'query') return word
  const long = 'endpoint' in row.fields ? `${row.words.ask} an endpoint` : row.words.ask
  return long.length <= 24 ? long : word
}

/** What `formView` put away, or null when the form was made by something else. */
export function keptIn(metadata: string): (Origin & { readonly verb: string }) | null {
  try {
    return kept.parse(JSON.parse(metadata))
  } catch {
    return null
  }
}
