import type { Request } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import { askerOf, inWords, type ParsedRequest } from '../../core/requests/in-words.ts'
import { type Draft, draft, type Part, smallPart, textPart } from './draft.ts'

/** Shown on every message about a request whose approval an admin has bypassed. */
export function breakGlassNotice({ decision }: Request): readonly Part[] {
  if (decision?.glass !== true) return []
  const { by, because = '' } = decision
  return [textPart('🚨 ', say('glass.passed', { by: { person: by }, reason: because }))]
}

/** The message to the operations channel; null without break-glass. */
export function alarmOf(request: ParsedRequest): Draft | null {
  const { decision } = request
  if (decision?.glass !== true) return null
  const { by, because: reason = '' } = decision
  const deed = inWords(request, 'ask')
  return draft(say('glass.broken', { deed, reason }), [
    textPart('🚨 ', say('glass.alarm', { by: { person: by }, deed, reason })),
    smallPart(askerOf(request)),
  ])
}
