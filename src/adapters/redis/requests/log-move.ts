import { type Event, isEnded, type Request } from '../../../core/model/request.ts'
import { idOf } from '../../../core/model/words.ts'
import type { Log } from '../../../core/ports/services.ts'

/** What the log calls an event. Never the event's own words, because people typed some of them. */
const told: Readonly<Record<string, string>> = {
  awaiting: 'asked',
  approved: 'decided',
  agreed: 'decided',
  'broke the glass': 'decided',
  'fell due': 'decided',
  sent: 'called',
  answered: 'the platform answered',
  refused: 'the platform refused',
  failed: 'the platform failed',
  unknown: 'the platform gave no clear answer',
  unreached: 'the platform could not be reached',
  'not seen yet': 'the platform accepted the call but does not show its effect yet',
}

/** Events of a call. Before any call, `refused` and `failed` are final statuses of the request. */
const calls = new Set(['sent', 'answered', 'refused', 'failed', 'unknown', 'unreached', 'not seen yet'])

/** Logs the events of a move. `request`: as the move left it. */
export function logMove(log: Log, request: Request, events: readonly Event[]): void {
  const { id, status, endpoint } = request
  for (const { what, by } of events) {
    const isEnd = isEnded(status) && what === status
    const fields = isEnd ? { why: whyOf(request) } : { step: stepOf(request, what) }
    log.info(
      { request: id, endpoint: endpoint?.id, status, by: by?.user, ...fields },
      isEnd ? 'ended' : (told[what] ?? what),
    )
  }
}

/** The step that a call's event belongs to: "stop", "scale to 3". */
function stepOf({ plan = [], progress = [] }: Request, what: string): string | undefined {
  if (what === 'reached') return plan[progress.findLastIndex(({ done }) => done === true)]?.says
  return calls.has(what) ? plan[progress.findLastIndex(({ sends }) => sends.length > 0)]?.says : undefined
}

/** Why a request failed or was refused, without people's words: the outcome of its call, or the id of our sentence. */
function whyOf({ status, ending, progress = [] }: Request): string | undefined {
  if (status === 'succeeded') return undefined
  const outcome = progress.flatMap(({ sends }) => sends).at(-1)?.outcome?.kind
  return outcome === undefined || outcome === 'answered' ? idOf(ending?.says ?? '') : `the call: ${outcome}`
}
