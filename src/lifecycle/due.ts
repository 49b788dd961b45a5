import type { Ask } from '../domain/ask.ts'
import { lasting } from '../domain/duration.ts'
import { withLateness } from '../domain/late.ts'
import type { Request } from '../domain/request.ts'
import { mostAsks, terms } from '../domain/terms.ts'
import { lookAt } from './ask.ts'
import { end } from './end.ts'
import type { Held, House } from './ports.ts'
import { offerTo } from './setback.ts'
import { underWay } from './work.ts'

/** How long what is busy is left up at a time, and at most in all. ms. */
const busyWait = 15 * 60_000
const busyMost = 2 * 3_600_000
/** How often an idle stop waits for people to be told. */
const untoldMost = 2

/** The time of a notice has come, and nobody has objected: it happens, or it waits for what is busy, or it is too late. */
export async function fallDue(house: House, held: Held): Promise<void> {
  const { request } = held
  const { ask, endpoint } = request
  if (ask?.due === undefined || endpoint === undefined) throw new Error('Only a notice falls due.')
  const now = house.clock.now()
  if (now > ask.due + terms.late) return tellAgain(house, held, ask, ask.due)
  if (request.via === 'idle' && (ask.untold ?? 0) < untoldMost && !house.notifier.wasTold(held))
    return waitUntold(held, ask, ask.due, now)
  const reading = request.via === 'schedule' ? await house.reading(endpoint.id) : null
  if (reading?.state === 'busy') return waitFor(house, held, ask, reading.why)
  await held.move({ ...request, ...underWay(request.plan ?? [], now) }, [
    { at: now, what: 'fell due', detail: 'Nobody objected.' },
  ])
}

/** Nobody was there to do it in time: people are told anew, since they may count on it no more. */
async function tellAgain(house: House, held: Held, ask: Ask, missed: number): Promise<void> {
  const now = house.clock.now()
  const late = lasting(now - missed)
  if (ask.n >= mostAsks)
    return end(house, held, 'expired', { says: `It could not be done in time, and is ${late} late. Nothing was done.` })
  const due = now + Math.max(terms.shortest, house.policy().automation.notice)
  const next: Ask = {
    ...ask,
    n: ask.n + 1,
    at: now,
    due,
    expiresAt: due + terms.late,
    why: withLateness(ask.why, now - missed),
  }
  await moved(held, held.request, next, { at: now, what: 'late', detail: `${late} late.` })
}

/** What nobody could read is no warning: people are given the same time again. A schedule is known without one. */
async function waitUntold(held: Held, ask: Ask, due: number, now: number): Promise<void> {
  const next = due + Math.max(terms.shortest, (ask.dueFirst ?? due) - ask.at)
  await moved(
    held,
    held.request,
    { ...ask, due: next, expiresAt: next + terms.late, untold: (ask.untold ?? 0) + 1 },
    { at: now, what: 'untold', detail: 'Nobody could be told.' },
  )
}

/** What is in use is not stopped at the minute; after two hours people decide. */
async function waitFor(house: House, held: Held, ask: Ask, why: string): Promise<void> {
  const { request } = held
  const now = house.clock.now()
  const due = now + busyWait
  if (due - (ask.dueFirst ?? now) > busyMost) {
    const name = request.endpoint?.name ?? ''
    const says = `${name} has been busy for ${lasting(now - (ask.dueFirst ?? now))} after its time (${why}), so it was left up.`
    return end(house, held, 'cancelled', { says, ...offerTo('stop', { house, id: request.endpoint?.id ?? '', name }) })
  }
  await moved(
    held,
    request,
    { ...ask, due, expiresAt: due + terms.late, busy: why },
    { at: now, what: 'busy', detail: why },
  )
}

async function moved(
  held: Held,
  request: Request,
  ask: Ask,
  event: Parameters<Held['move']>[1][number],
): Promise<void> {
  await held.move({ ...request, ask, nextAt: lookAt(ask) }, [event])
}
