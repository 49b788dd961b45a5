import type { Request } from '../../core/model/request.ts'
import { type Draft, draft, type Part, smallPart, textPart } from './draft.ts'
import { inWords, linePieces, type ParsedRequest } from './facts.ts'

/** Said on everything that shows a request whose approval an admin has passed. */
export function breakGlassNotice({ decision }: Request): readonly Part[] {
  if (decision?.glass !== true) return []
  return [
    textPart(
      { bold: 'Without the approval it takes: ' },
      { person: decision.by },
      ' broke the glass.',
      quotedReason(decision),
    ),
  ]
}

/** The message to the operations channel; null while all glass is whole. */
export function alarmOf(request: ParsedRequest): Draft | null {
  const { decision, actor } = request
  if (decision?.glass !== true) return null
  const deed = inWords(request, 'ask')
  return draft(`The glass was broken: ${deed} without the approval it takes.${quotedReason(decision)}`, [
    textPart(
      { person: decision.by },
      ' broke the glass: ',
      { bold: `${deed} without the approval it takes.` },
      quotedReason(decision),
    ),
    smallPart('Asked for by', { person: actor }, ...linePieces(request)),
  ])
}

/** ' “reason”', or nothing. */
export function quotedReason({ because }: { readonly because?: string }): string {
  return because === undefined ? '' : ` “${because}”`
}
