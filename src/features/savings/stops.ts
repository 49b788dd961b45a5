import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Stopped } from '../../core/model/query-answer.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import type { Hold } from '../../core/model/rules.ts'
import { stale, type WatchedEndpoint } from '../../core/ports/endpoint-use.ts'

/** A fact about an endpoint from a request or a hold. `at` in ms. */
type Mark =
  | { readonly kind: 'stop'; readonly at: number; readonly stop: Omit<Stopped, 'start' | 'gpu'> }
  | { readonly kind: 'start'; readonly at: number; readonly by: 'person' | 'rule' }
  | { readonly kind: 'seen'; readonly at: number; readonly active: boolean | null }

/** Evidence other than requests. */
export interface StopEvidence {
  /** The last list, read at `at` (ms); null if there is none. */
  readonly listed: { readonly at: number; readonly endpoints: readonly Endpoint[] } | null
  /** Each was created by a change at the console that went against a rule. */
  readonly holds: readonly Hold[]
  /** When each endpoint was seen running. */
  readonly watched: ReadonlyMap<string, Pick<WatchedEndpoint, 'newest' | 'segments'>>
}

/** Returns the stops among these requests, each with the next start, or the earliest possible time of an unseen one. */
export function stopsIn(requests: readonly Request[], known: StopEvidence): readonly Stopped[] {
  const marks = new Map<string, Mark[]>()
  function add(endpoint: string, more: readonly Mark[]): void {
    marks.set(endpoint, [...(marks.get(endpoint) ?? []), ...more])
  }
  for (const request of requests) if (request.endpoint !== undefined) add(request.endpoint.id, marksOf(request))
  for (const { endpoint, by, at } of known.holds)
    if (by === 'console' && marks.has(endpoint)) add(endpoint, [{ kind: 'start', at, by: 'person' }])
  for (const [id, watched] of known.watched) add(id, marksSeen(watched, marks.get(id) ?? []))
  const now = new Map(known.listed?.endpoints.map((one) => [one.id, one]))
  return [...marks].flatMap(([id, own]) => stopsFrom(own, now.get(id), known.listed?.at))
}

function marksOf(request: Request): readonly Mark[] {
  const { plan = [], progress = [], endpoint, status, ending } = request
  const by = isAutomatic(request) ? 'rule' : 'person'
  const marks = progress.flatMap(({ sends, looks }, at): readonly Mark[] => [
    ...sends.map(
      ({ at: sentAt, before }) => ({ kind: 'seen', at: Math.min(before.at, sentAt), active: before.active }) as const,
    ),
    // A start with an unclear outcome ends the saving too; a failed one was seen to change nothing.
    ...(plan[at]?.goal === 'serving'
      ? sends
          .filter(({ outcome }) => !['refused', 'unreached', status].includes(outcome?.kind ?? ''))
          .map((send) => ({ kind: 'start', at: send.at, by }) as const)
      : []),
    ...looks.map((seen) => ({ kind: 'seen', at: seen.at, active: seen.active }) as const),
  ])
  const [before] = progress[0]?.sends.map((send) => send.before) ?? []
  const isStop = plan.length === 1 && plan[0]?.goal === 'stopped' && status === 'succeeded'
  if (!isStop || endpoint === undefined || before === undefined || before.active === false) return marks
  const at = progress[0]?.looks.at(-1)?.at ?? ending?.at ?? before.at
  const { id, name } = endpoint
  const stop = { endpoint: id, name, replicas: before.replicas ?? 1, at, by: causeOf(request) }
  return [...marks, { kind: 'stop', at, stop }]
}

/** An endpoint ran whenever it was watched. The last look may come late, after a stop, so the time before it counts. */
function marksSeen(
  { newest, segments }: Pick<WatchedEndpoint, 'newest' | 'segments'>,
  known: readonly Mark[],
): readonly Mark[] {
  const starts = [...(newest === undefined ? [] : [newest]), ...segments.map(({ from }) => from)]
  const seen = segments.map(({ from, to }) => {
    const at = Math.max(from + 1, to - stale)
    // A stop and a start between two looks interrupt no segment, so only its end is surely after that start.
    return known.some((mark) => mark.kind === 'start' && at < mark.at && mark.at < to) ? to : at
  })
  return [
    ...starts.map((at) => ({ kind: 'start', at, by: 'person' }) as const),
    ...seen.map((at) => ({ kind: 'seen', at, active: true }) as const),
  ]
}

/** Returns the cause of a stop. A one-time stop, and an idle stop that a person approved, count as the person's. */
export function causeOf({ via, decision, asked }: Pick<Request, 'via' | 'decision' | 'asked'>): Stopped['by'] {
  if (asked !== undefined || (via === 'idle' && decision?.yes === true)) return 'person'
  return via === 'schedule' || via === 'idle' ? via : 'person'
}

/** Returns the stops of one endpoint; the first later mark that shows it active closes each. */
function stopsFrom(marks: readonly Mark[], now: Endpoint | undefined, listedAt = 0): readonly Stopped[] {
  const stops: Stopped[] = []
  let open: Omit<Stopped, 'start'> | null = null
  let stoppedAt = 0
  function close(start: Stopped['start']): void {
    if (open !== null) stops.push({ ...open, start })
    open = null
  }
  const order = { seen: 0, stop: 1, start: 2 } as const
  for (const mark of marks.toSorted((a, b) => a.at - b.at || order[a.kind] - order[b.kind])) {
    if (mark.kind === 'start') close({ at: mark.at, by: mark.by })
    else if (mark.kind === 'stop') {
      close({ at: stoppedAt, by: 'unseen' })
      open = { ...mark.stop, ...(now?.gpu !== undefined && { gpu: now.gpu }) }
    } else if (mark.active === true) close({ at: stoppedAt, by: 'unseen', foundAt: mark.at })
    if (mark.kind === 'stop' || (mark.kind === 'seen' && mark.active === false)) stoppedAt = mark.at
  }
  const isStale = open !== null && listedAt < stoppedAt
  // A newer list without the endpoint means that it was deleted, so it costs nothing.
  if (now === undefined ? !isStale : now.active === false || (now.active === true && isStale)) close(null)
  else close({ at: stoppedAt, by: 'unseen', ...(now?.active === true && { foundAt: listedAt }) })
  return stops
}
