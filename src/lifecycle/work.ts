import type { Plan, Step } from '../domain/plan.ts'
import type { Progress, Seen, Send } from '../domain/progress.ts'
import type { Event, Request } from '../domain/request.ts'
import type { Held, House } from './ports.ts'

/** The step a running request is at. */
export interface Work {
  readonly house: House
  readonly held: Held
  readonly request: Request
  readonly at: number
  readonly step: Step
  readonly progress: Progress
  readonly last: Send | undefined
  /** The endpoint's id and name. */
  readonly id: string
  readonly name: string
}

/** What a request is from the moment that its work may begin (`at`, ms); `waitsUntil`: its first step has to wait. */
export function underWay(
  plan: Plan,
  at: number,
  waitsUntil?: number,
): Pick<Request, 'status' | 'startedAt' | 'progress' | 'nextAt'> {
  const steps: Progress[] = plan.map(() => ({ sends: [], looks: [] }))
  const [first] = steps
  const progress = waitsUntil === undefined || first === undefined ? steps : steps.with(0, { ...first, waitsUntil })
  return { status: 'running', startedAt: at, progress, nextAt: waitsUntil ?? at }
}

export function workOf(house: House, held: Held, request = held.request): Work {
  const at = request.progress?.findIndex(({ done }) => done !== true) ?? -1
  const step = request.plan?.[at]
  const progress = request.progress?.[at]
  if (step === undefined || progress === undefined || request.endpoint === undefined) {
    throw new Error('A running request has nothing left to do.')
  }
  return { house, held, request, at, step, progress, last: progress.sends.at(-1), ...request.endpoint }
}

/** The request with the progress of this step replaced; `nextAt` null goes on at once. */
export function withProgress(request: Request, at: number, progress: Progress, nextAt: number | null = null): Request {
  return { ...request, progress: (request.progress ?? []).with(at, progress), nextAt }
}

/** Writes down how far this step has come. */
export async function note(work: Work, progress: Progress, events: readonly Event[]): Promise<void> {
  await work.held.move(withProgress(work.held.request, work.at, progress), events)
}

/** Nothing to say yet: keeps what was seen (the last two reads) and looks again after `wait` ms. */
export async function look(work: Work, seen: Seen | null, wait: number, kept = work.progress.looks): Promise<void> {
  const { house, held, at, progress } = work
  const looks = seen === null ? kept : [...kept, seen].slice(-2)
  await held.move(withProgress(held.request, at, { ...progress, looks }, house.clock.now() + wait), [])
}

/** What the platform said to a call, as the ending of a request quotes it. */
export function quoted(send: Send | undefined): { readonly quote?: string } {
  const says = send?.outcome?.says
  return says === undefined || says === '' ? {} : { quote: says }
}
