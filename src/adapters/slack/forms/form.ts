import type { KnownBlock, ModalView } from '@slack/types'
import * as z from 'zod'
import type { Row } from '../../../core/commands/define.ts'
import type { Field } from '../../../core/commands/fields.ts'
import type { FieldValues } from '../../../core/model/request.ts'
import type { Form, Origin } from '../../../core/requests/accept.ts'
import { contextLine } from '../kit/blocks.ts'
import { clearingInput, inputFor, placeInput, plain } from './inputs.ts'

/** The callback id of a form. */
export const formId = 'form'

/** Where a form was opened. It is stored in the form's metadata. */
export const origin = z.object({
  /** '' on the Home and in the global shortcut, which have no channel. */
  channel: z.string(),
  project: z.string().optional(),
  /** Slack's address for a private answer, until it expires. */
  replyUrl: z.string().optional(),
})
const metadata = origin.extend({ verb: z.string() })

/** The modal of a row, made from its fields. */
export function formView({ row, values, called, wrong, from, placeless = false }: Form): ModalView {
  const fields = Object.entries(row.fields)
  const at = wrong === undefined ? undefined : lastFilled(fields, values)
  const blocks: KnownBlock[] = [
    contextLine(row.summary),
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

/** The field for a mistake of the whole line: the last one that was filled in. */
function lastFilled(fields: readonly (readonly [string, Field])[], values: FieldValues): string | undefined {
  const free = fields.filter(([name, { optional }]) => optional && name !== 'because')
  return (free.findLast(([name]) => values[name] !== undefined) ?? free[0])?.[0]
}

/** "Stop an endpoint", or just the command's name if that is too long. */
function titleOf(row: Row): string {
  const word = `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`
  if (row.kind === 'query') return word
  const long = 'endpoint' in row.fields ? `${row.words.ask} an endpoint` : row.words.ask
  return long.length <= 24 ? long : word
}

/** The metadata that `formView` has written; null for another view. */
export function formMetadataIn(text: string): (Origin & { readonly verb: string }) | null {
  return metadataIn(metadata, text)
}

export function metadataIn<Metadata>(schema: z.ZodType<Metadata>, text: string): Metadata | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
