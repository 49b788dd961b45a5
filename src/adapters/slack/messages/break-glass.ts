import type { RichTextBlock } from '@slack/types'
import type { Request } from '../../../core/model/request.ts'
import { type Message, message, paragraph, small } from '../kit/blocks.ts'
import { inWords, lineOf, type ParsedRequest } from './facts.ts'

/** Said on everything that shows a request whose approval an admin has passed. */
export function glassOf({ decision }: Request): readonly RichTextBlock[] {
  if (decision?.glass !== true) return []
  return [
    paragraph(
      { bold: 'Without the approval it takes: ' },
      { person: decision.by },
      ' broke the glass.',
      quoted(decision),
    ),
  ]
}

/** The message to the operations channel; null while all glass is whole. */
export function alarmOf(request: ParsedRequest): Message | null {
  const { decision, actor } = request
  if (decision?.glass !== true) return null
  const deed = inWords(request, 'ask')
  return message(`The glass was broken: ${deed} without the approval it takes.${quoted(decision)}`, [
    paragraph(
      { person: decision.by },
      ' broke the glass: ',
      { bold: `${deed} without the approval it takes.` },
      quoted(decision),
    ),
    small('Asked for by', { person: actor }, ...lineOf(request)),
  ])
}

/** ' “reason”', or nothing. */
export function quoted({ because }: { readonly because?: string }): string {
  return because === undefined ? '' : ` “${because}”`
}
