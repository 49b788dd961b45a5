import { idNote } from '../../core/model/endpoint.ts'
import type { Progress, Seen } from '../../core/model/plan.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { instant, lasting } from '../../core/time/format.ts'
import { votesOf } from './approvers.ts'
import { breakGlassNotice } from './break-glass.ts'
import { type Draft, draft, type Mention, smallPart, textPart } from './draft.ts'
import { becauseOf, beforeOf, inWords, linePieces, type ParsedRequest, reasonOf } from './facts.ts'
import { choicesOf, noticed, noticeIn, whoAsked } from './notice.ts'
import { endOf } from './result.ts'

/** The one message of a request, as it stands now. */
export function cardOf(request: ParsedRequest, now: number): Draft {
  if (isEnded(request.status)) return endOf(request)
  const notice = noticeIn(request)
  const [head, detail] = notice === null ? headOf(request, now) : noticed(request, notice)
  return draft([head, detail].join(' ').trim(), [
    textPart({ bold: head }, detail === '' ? '' : ` ${detail}`),
    ...breakGlassNotice(request),
    ...votesOf(request),
    ...becauseOf(request),
    ...beforeOf(request),
    ...(notice === null ? [] : [choicesOf(request, notice)]),
    smallPart(...whoAsked(request), ...(request.asked === undefined ? linePieces(request) : []), ...agreed(request)),
  ])
}

function headOf(request: ParsedRequest, now: number): readonly [string, string] {
  return request.status === 'awaiting'
    ? [`${inWords(request, 'ask')}?`, reasonOf(request)]
    : [`${inWords(request, 'doing')}…`, [underWay(request, now), idNote(request.endpoint)].filter(Boolean).join('. ')]
}

/** Votes, and whoever broke the glass, are shown by themselves. */
function agreed({ decision, votes = [] }: Request): readonly (string | Mention)[] {
  if (decision === undefined || !decision.yes || decision.glass === true || votes.length > 0) return []
  return ['agreed by', { person: decision.by }]
}

/** "DEPLOYING, 1 of 3 replicas running · 1 min", as far as anything was seen. */
function underWay({ progress, startedAt, nextAt }: Request, now: number): string {
  const step = progress?.find(({ done }) => done !== true)
  const waited = startedAt !== undefined && now - startedAt >= 10_000 ? lasting(now - startedAt) : ''
  const parts = [waitingOf(step, nextAt, now) ?? seenOf(step?.looks.at(-1)), waited]
  return parts.filter((part) => part !== '').join(' · ')
}

/** What the step waits for, where that is not the endpoint itself. */
function waitingOf(step: Progress | undefined, nextAt: number | null, now: number): string | null {
  const { sends = [], waitsUntil } = step ?? {}
  if (sends.length === 0 && waitsUntil !== undefined)
    return `An earlier call without a clear answer could still undo this, so it waits until ${instant(waitsUntil)}`
  const { outcome } = sends.at(-1) ?? {}
  if (outcome === undefined || outcome.kind === 'answered') return null
  if (outcome.kind === 'unreached')
    return `Not taken by the platform: “${outcome.says ?? ''}” It is sent again in ${lasting((nextAt ?? now) - now)}`
  const asked = sends.length > 1 ? `, asked ${sends.length} times` : ''
  return `The platform gave no clear answer${asked}; looking what became of it`
}

function seenOf(seen: Seen | undefined): string {
  if (seen === undefined) return ''
  const replicas =
    seen.running !== undefined && seen.replicas !== undefined
      ? `${seen.running} of ${seen.replicas} replicas running`
      : ''
  return [seen.status ?? '', replicas].filter((part) => part !== '').join(', ')
}
