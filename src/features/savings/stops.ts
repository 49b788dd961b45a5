import type { Stopped } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Send } from '../../core/model/plan.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import type { Hold } from '../../core/model/rules.ts'

/** Something a request shows of its endpoint, or that was noticed of it. `at` in ms. */
type Mark =
  | { readonly kind: 'stop'; readonly at: number; readonly stop: Omit<Stopped, 'start' | 'gpu'> }
  | { readonly kind: 'start'; readonly at: number; readonly by: 'person' | 'rule' }
  | { readonly kind: 'seen'; readonly at: number; readonly active: boolean | null }

/** What is known besides requests. */
export interface Known {
  /** As last listed, `at` ms; null: not lately. */
  readonly listed: { readonly at: number; readonly endpoints: readonly Endpoint[] } | null
  /** Of starts at the console only those are known that went against a rule. */
  readonly holds: readonly Hold[]
}

/**
 * The stops among these requests, each with the next start by anyone. Starts made elsewhere are not told to us: they
 * show in a later read, or in a hold that the rules have noted. Where nobody can say when one was, its stop counts to
 * the last time the endpoint was certainly stopped, which may be far less than the truth and is never more.
 */
export function stopsIn(requests: readonly Request[], known: Known): readonly Stopped[] {
  const marks = new Map<string, Mark[]>()
  function add(endpoint: string, more: readonly Mark[]): void {
    marks.set(endpoint, [...(marks.get(endpoint) ?? []), ...more])
  }
  for (const request of requests) if (request.endpoint !== undefined) add(request.endpoint.id, marksOf(request))
  for (const { endpoint, by, at } of known.holds)
    if (by === 'console' && marks.has(endpoint)) add(endpoint, [{ kind: 'start', at, by: 'person' }])
  const now = new Map(known.listed?.endpoints.map((one) => [one.id, one]))
  return [...marks].flatMap(([id, own]) => walked(own, now.get(id), known.listed?.at))
}

function marksOf(request: Request): readonly Mark[] {
  const { plan = [], progress = [], endpoint, status, ending } = request
  const by = isAutomatic(request) ? 'rule' : 'person'
  const marks = progress.flatMap(({ sends, looks }, at): readonly Mark[] => [
    ...sends.map(
      ({ at: sentAt, before }) => ({ kind: 'seen', at: Math.min(before.at, sentAt), active: before.active }) as const,
    ),
    ...(plan[at]?.goal === 'serving'
      ? sends.filter(mayHaveWorked).map((send) => ({ kind: 'start', at: send.at, by }) as const)
      : []),
    ...looks.map((seen) => ({ kind: 'seen', at: seen.at, active: seen.active }) as const),
  ])
  const [before] = progress[0]?.sends.map((send) => send.before) ?? []
  const isStop = plan.length === 1 && plan[0]?.goal === 'stopped' && status === 'succeeded'
  if (!isStop || endpoint === undefined || before === undefined || before.active === false) return marks
  const at = progress[0]?.looks.at(-1)?.at ?? ending?.at ?? before.at
  // Where nobody said how many there were, one is the least.
  const stop = {
    endpoint: endpoint.id,
    name: endpoint.name,
    replicas: before.replicas ?? 1,
    at,
    by: causeOf(request),
  } as const
  return [...marks, { kind: 'stop', at, stop }]
}

/** Whose stop it was: what somebody pressed is theirs, though the idle watch had proposed it. */
export function causeOf({ via, decision }: Pick<Request, 'via' | 'decision'>): Stopped['by'] {
  if (via === 'idle' && decision?.yes === true) return 'person'
  return via === 'schedule' || via === 'idle' ? via : 'person'
}

/** A start that only may have worked ends what is counted, too. */
function mayHaveWorked({ outcome }: Send): boolean {
  return outcome?.kind !== 'refused' && outcome?.kind !== 'unreached'
}

/** One endpoint's marks in the order of time, each stop closed by the first that shows it up again. */
function walked(marks: readonly Mark[], now: Endpoint | undefined, listedAt = 0): readonly Stopped[] {
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
  if (now?.active === false || (now?.active === true && isStale)) close(null)
  else close({ at: stoppedAt, by: 'unseen', ...(now?.active === true && { foundAt: listedAt }) })
  return stops
}
