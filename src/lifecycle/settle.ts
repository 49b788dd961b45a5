import { sentences } from '../domain/errors.ts'
import { progressOf, type Step } from '../domain/plan.ts'
import type { Progress, Seen } from '../domain/progress.ts'
import { type Request, terms } from '../domain/request.ts'
import type { Offer } from '../domain/shown.ts'
import { rows } from '../operations/index.ts'
import { rowOf } from '../operations/line.ts'
import { operationIn } from '../operations/stored.ts'
import { writeWord } from '../operations/words.ts'
import { couldNot, end } from './end.ts'
import { quoted, withProgress } from './journal.ts'
import type { Held, House } from './ports.ts'
import { readEndpoint } from './read.ts'
import { lastSeen, seenIn } from './seen.ts'

/** Looks once whether an answered step has come to where it was to bring the endpoint. Holds no worker between looks. */
export async function settle(house: House, held: Held, at: number, step: Step, progress: Progress): Promise<void> {
  const { request } = held
  const name = request.endpoint?.name ?? 'It'
  const last = progress.sends.at(-1)
  const since = last?.outcome?.at ?? house.clock.now()
  const read = await readEndpoint(house, request.endpoint?.id ?? '')
  const now = house.clock.now()
  if (read.kind === 'gone')
    return end(house, held, 'attention', { says: `${name} is no longer there. ${read.says}`, ...quoted(last) })
  if (read.kind !== 'read') {
    return now - since > terms.settle
      ? overdue(house, held, progress)
      : look(held, at, progress, null, now + pause(now - since))
  }

  const seen = seenIn(read.endpoint, now)
  switch (progressOf(step.goal, read.endpoint)) {
    case 'reached':
      return reached(house, held, at, progress, seen)
    case 'failed':
      return end(house, held, 'failed', {
        says: `${couldNot(request)} ${lastSeen(seen)}`,
        ...quoted(last),
        ...offer('restart', request),
      })
    case 'away':
      return end(house, held, 'failed', {
        says: `${name} was stopped by somebody else meanwhile. ${lastSeen(seen)}`,
        ...quoted(last),
      })
    default:
      if (now - since > terms.settle) return overdue(house, held, { ...progress, looks: [...progress.looks, seen] })
      return look(held, at, progress, seen, now + pause(now - since))
  }
}

/** The step is where it was to be. The last one ends the request; the words say only what this read shows. */
async function reached(house: House, held: Held, at: number, progress: Progress, seen: Seen): Promise<void> {
  const { request } = held
  const done = withProgress(request, at, { ...progress, looks: [seen], done: true }, house.clock.now())
  if (at + 1 < (request.plan?.length ?? 0)) {
    await held.move(done, [{ at: seen.at, what: 'reached', detail: lastSeen(seen) }])
    return
  }
  const { words } = operationIn(request.line).row
  const serves = seen.active === true && seen.status !== undefined ? '; it is serving' : ''
  const says = `${words.done} ${request.endpoint?.name ?? 'it'}${serves}.`
  const last = progress.sends.at(-1)
  const lost = last?.outcome?.says === undefined ? ` ${sentences.replyLost}` : ''
  return end(
    house,
    held,
    'succeeded',
    { says: `${says}${lost}`, ...quoted(last) },
    { change: done, event: { detail: `${says} ${lastSeen(seen)}` } },
  )
}

async function overdue(house: House, held: Held, progress: Progress): Promise<void> {
  const name = held.request.endpoint?.name ?? 'It'
  const says = `${name} has not come as far as it should within 15 minutes. ${lastSeen(progress.looks.at(-1))} Look at its logs on the platform.`
  return end(house, held, 'attention', { says, ...quoted(progress.sends.at(-1)) })
}

/** Nothing to say yet: keeps what was seen (the last two reads) and looks again at `nextAt`, ms. */
export async function look(
  held: Held,
  at: number,
  progress: Progress,
  seen: Seen | null,
  nextAt: number,
): Promise<void> {
  const looks = seen === null ? progress.looks : [...progress.looks, seen].slice(-2)
  await held.move(withProgress(held.request, at, { ...progress, looks }, nextAt), [])
}

/** Soon at first, then ever more seldom. ms. */
function pause(waited: number): number {
  return Math.min(10_000, Math.max(500, waited / 4))
}

/** A line as a button, where the table has its row. */
function offer(verb: string, request: Request): { readonly offers?: readonly Offer[] } {
  const { endpoint } = request
  if (endpoint === undefined || rowOf(verb, rows) === undefined) return {}
  const label = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${endpoint.name}`
  return { offers: [{ label, line: `${verb} ${writeWord(endpoint.id)}` }] }
}
