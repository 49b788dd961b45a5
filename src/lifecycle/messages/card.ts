import { idNote } from '../../core/model/endpoint.ts'
import type { Progress } from '../../core/model/plan.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { idOf, say, untilIn, type Words } from '../../core/model/words.ts'
import { countOf, expiresOf, neededBy } from '../../core/requests/awaited.ts'
import { askerOf, dotted, inWords, type ParsedRequest, questionOf, reasonOf } from '../../core/requests/in-words.ts'
import { progressSeen } from '../execution/work.ts'
import { type Draft, draft, smallPart, textPart } from './draft.ts'
import { endOf } from './end.ts'
import { aboutOf, agreedBy } from './facts.ts'
import { choicesOf, type Notice, noticed } from './notice.ts'

/** The card of a request in its current state. `askedAt`: the address of its question once that is posted. */
export function cardOf(request: ParsedRequest, now: number, askedAt: string | null = null): Draft {
  if (isEnded(request.status)) return endOf(request)
  const notice = noticeIn(request)
  const [mark, head, detail] = notice === null ? headOf(request, now) : noticed(request, notice)
  const { choices, ends } = notice === null ? { choices: null, ends: '' } : choicesOf(request, notice)
  const isAsked = request.status === 'awaiting' && notice === null
  const here = say('card.inThread')
  return draft(
    [head, detail],
    [
      textPart(mark, { bold: head }, ' ', detail),
      ...aboutOf(request),
      ...(choices === null ? [] : [choices]),
      // A notice already has its buttons above.
      isAsked
        ? smallPart(
            dotted(askerOf(request), expiresOf(request), countOf(request)),
            askedAt === null ? here : { link: askedAt, label: here },
          )
        : smallPart(dotted(ends, askerOf(request), request.votes === undefined ? agreedBy(request) : '')),
    ],
  )
}

/** "waiting for 2 approvals · expires today at 10:42"; empty if the request waits for nobody. */
export function standingOf(request: Request): Words {
  if (request.status !== 'awaiting') return ''
  const waits = (request.votes ?? []).length > 0 ? '' : say('home.waits', { count: neededBy(request) })
  return dotted(waits, expiresOf(request))
}

function headOf(request: ParsedRequest, now: number): readonly [string, Words, Words] {
  // A `start … for` says at once until when the endpoint runs.
  const end = idOf(request.reason ?? '') === 'once.runsUntil' ? untilIn(request.reason) : undefined
  const until = end === undefined ? '' : say('card.until', { until: { at: end } })
  // These say that the stop happens at another time than the question names.
  const otherTimes = (request.means ?? []).filter((one) => ['once.paused', 'once.sooner'].includes(idOf(one) ?? ''))
  return request.status === 'awaiting'
    ? ['', questionOf(request), [reasonOf(request), ...otherTimes]]
    : [
        '⏳ ',
        say('card.doing', { deed: inWords(request, 'doing') }),
        [dotted(until, underWay(request, now)), idNote(request.endpoint)],
      ]
}

/** "1 of 3 replicas running · 1 min", or the part that is known. */
function underWay({ progress, startedAt, nextAt }: Request, now: number): Words {
  const step = progress?.find(({ done }) => done !== true)
  const seen = step?.looks.at(-1)
  const isLong = startedAt !== undefined && now - startedAt >= 10_000
  return dotted(
    waitingOf(step, nextAt, now) ?? (seen === undefined ? '' : progressSeen(seen)),
    isLong ? say('card.took', { length: { lasting: now - startedAt } }) : '',
  )
}

/** What the step waits for, if not for the endpoint itself. */
function waitingOf(step: Progress | undefined, nextAt: number | null, now: number): Words | null {
  const { sends = [], waitsUntil } = step ?? {}
  if (sends.length === 0 && waitsUntil !== undefined) return say('card.waitsUntil', { until: { at: waitsUntil } })
  const { outcome } = sends.at(-1) ?? {}
  if (outcome === undefined || outcome.kind === 'answered') return null
  if (outcome.kind === 'unreached')
    return say('card.unreached', { why: outcome.says ?? '', wait: { lasting: (nextAt ?? now) - now } })
  return say('card.unclear', { count: sends.length })
}

/** Returns a waiting request's notice, which happens at its time unless someone objects; null for other requests. */
export function noticeIn({ status, requirement, ask }: Request): Notice | null {
  if (status !== 'awaiting' || requirement !== 'notice' || ask?.due === undefined) return null
  return { ...ask, due: ask.due }
}
