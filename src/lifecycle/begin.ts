import { sentences } from '../domain/errors.ts'
import { idleRuleOf } from '../domain/idle-rules.ts'
import { instant } from '../domain/instant.ts'
import { type Change, freezeAt, type Records } from '../domain/records.ts'
import { replacedBy } from '../domain/replaced.ts'
import { isAutomatic, type Request } from '../domain/request.ts'
import { weeklyText } from '../domain/rules.ts'
import type { Command } from '../operations/commands.ts'
import type { Operation } from '../operations/define.ts'
import { phrase } from '../operations/phrase.ts'
import { absenceTold, holdNotes, standInNotes } from './absence.ts'
import { againNotes, againText } from './again.ts'
import { lookAt, nextAsk } from './ask.ts'
import { askedAlready } from './asked-already.ts'
import { end, endWith } from './end.ts'
import { guardOf } from './facts.ts'
import { anew } from './later.ts'
import { holding } from './let-go.ts'
import { overIn } from './moot.ts'
import type { Held, House } from './ports.ts'
import type { Proposal } from './propose.ts'
import { lastSeen, seenIn } from './seen.ts'
import { send } from './send.ts'
import { absenceChanged, standInsFor } from './stand-ins.ts'
import { unableTo } from './unable.ts'
import { claimOther } from './unproven.ts'
import { underWay, workOf } from './work.ts'

/** Asks people, or goes to work: either way the endpoint is held from here to the end. */
export async function begin(house: House, held: Held, request: Request, proposal: Proposal): Promise<void> {
  const { endpoint, demand, change, records } = proposal
  if (demand.requirement === 'refusal')
    return end(house, held, 'refused', {
      says: `The policy refuses this: ${demand.rule}. Who runs Lamplighter can change that in lamplighter.yaml. Nothing was done.`,
    })
  if (demand.requirement === 'approval' && house.seals === null)
    return end(house, held, 'refused', { says: sentences.needsKey })
  const next = await withPlan(house, request, proposal)
  const about =
    change !== undefined && next.status === 'awaiting' ? await askedAlready(house, next, held.command) : null
  if (about !== null) return end(house, held, 'refused', { says: sentences.askedAlready, about })
  if (change !== undefined && next.status === 'running') return enacted(house, held, next, proposal)
  const event = {
    at: house.clock.now(),
    what: next.status,
    by: request.actor,
    detail: [`${request.line} — ${proposal.why}`, next.ask?.again].filter(Boolean).join(' '),
    ...(endpoint && { seen: seenIn(endpoint, house.clock.now()) }),
  }
  // Our own records are changed in one write: nothing has to be held for it.
  if (endpoint === undefined || change !== undefined) {
    const asked = await held.move(next, [event], { records })
    return asked.kind === 'outdated' ? anew(house, held, request) : undefined
  }
  // What nobody has to agree to was read a moment ago, by this very worker: there is nothing to look up again.
  const moved =
    next.status === 'running' && proposal.waitsUntil === undefined
      ? await send(workOf(house, held, next), seenIn(endpoint, house.clock.now()), { event, lock: 'take', records })
      : await held.move(next, [event], { lock: 'take', records })
  if (moved.kind === 'outdated') return anew(house, held, request)
  if (moved.kind !== 'taken') return
  const way = await makeWay(house, held, request, moved.by)
  // What gave way may have left a call behind that can still arrive.
  if (way === 'made') return anew(house, held, request)
  // Another worker is looking at it this moment: it will be put down again at once.
  if (way === 'busy') return void (await held.move({ ...held.request, nextAt: house.clock.now() + 300 }, []))
  return refuseTaken(house, held, endpoint.name, (await house.store.load(moved.by)) ?? moved.by)
}

/** `by`: the request that holds the endpoint; its id alone where it is gone by now. */
export async function refuseTaken(house: House, held: Held, name: string, by: Request | string): Promise<void> {
  const [about, what] =
    typeof by === 'string' ? [by, 'it is ending just now'] : [by.id, house.commands.called(by.line, by.endpoint)]
  return end(house, held, 'refused', { says: sentences.taken(name, what), about })
}

async function withPlan(house: House, request: Request, proposal: Proposal): Promise<Request> {
  const {
    endpoint,
    plan,
    change,
    atOnce = '',
    means = '',
    preview = [],
    exposure,
    demand,
    digest,
    why,
    waitsUntil,
  } = proposal
  const at = house.clock.now()
  const { decision: _, votes: __, ...undecided } = request
  const planned = {
    ...undecided,
    ...(endpoint && { endpoint: { id: endpoint.id, name: endpoint.name } }),
    plan,
    ...(change && { change }),
    ...(change && { means: [atOnce, means].filter((part) => part !== '') }),
    ...(preview.length > 0 && { preview }),
    exposure,
    requirement: demand.requirement,
    digest,
    policy: house.policy().version,
  }
  if (demand.requirement === 'nothing')
    return { ...planned, ...(request.decision && { decision: request.decision }), ...underWay(plan, at, waitsUntil) }
  const guard = endpoint === undefined ? undefined : guardOf(endpoint, house.policy(), proposal.records)
  const asked = demand.requirement === 'approval' ? demand.asking : null
  const [found, unable] =
    asked === null
      ? [null, []]
      : await Promise.all([
          standInsFor(house, request, asked, proposal.records),
          unableTo(house, request.actor.team, asked),
        ])
  const standIns = found ?? []
  const again = againText(request, proposal)
  const more = {
    why: endpoint === undefined ? why : [why, frozenText(proposal.records, at)].join(' ').trim(),
    ...(again && { again }),
    ...overIn(change, proposal.records, at),
    ...(guard && { guard }),
    ...(standIns.length > 0 && { standIns }),
    ...(unable.length > 0 && { unable }),
  }
  const ask = nextAsk(request, demand, more, at)
  const notes = [...request.notes, ...againNotes(request, again)]
  return { ...planned, status: 'awaiting', ask, notes, nextAt: lookAt(ask) }
}

/** Who is asked about an endpoint while automation is frozen should know: nothing will put it right by itself. */
function frozenText(records: Records, now: number): string {
  const freeze = freezeAt(records, now)
  if (freeze === null) return ''
  return freeze.until === null ? 'Automation is frozen.' : `Automation is frozen until ${instant(freeze.until)}.`
}

/** The change and the end of its request are one write. */
export async function enacted(house: House, held: Held, request: Request, proposal: Proposal): Promise<void> {
  const { endpoint, change, means = '', records } = proposal
  const name = endpoint?.name ?? ''
  const done = phrase(held.command, name, 'done', change)
  const told = absenceTold(change ?? {}, request.actor)
  const says = told === undefined ? withMeaning(done, means, change) : `${done}.`
  const others = [...standInNotes(change ?? {}, request), ...holdNotes(change ?? {}, records, request)]
  const notes = [...request.notes, ...others]
  const team = endpoint === undefined ? null : idleRuleOf(new Map(), house.policy(), endpoint)
  const replaced = replacedBy(change ?? {}, records, team)
  const moved = await endWith(
    house,
    held,
    'succeeded',
    { says, ...(told && { told }) },
    {
      change: { ...request, notes, ...(replaced.length > 0 && { replaced }) },
      event: { by: request.actor },
      ...(change && { record: change }),
      records,
    },
  )
  if (moved.kind === 'outdated') return anew(house, held, held.request)
  house.soon()
  await absenceChanged(house, change ?? {})
}

/** "Scheduled my-llm up daily 09:00-20:00 UTC; down at all other times.": a rule that was just named is not named again. */
function withMeaning(done: string, means: string, { put = [] }: Change = {}): string {
  const rule = put.find((one) => one.kind === 'weekly')
  const text = rule === undefined ? '' : weeklyText(rule)
  const named = `The rule: ${text}`
  if (text !== '' && done.endsWith(text) && means.startsWith(named)) return `${done}${means.slice(named.length)}`
  return [`${done}.`, means].filter((part) => part !== '').join(' ')
}

/** Ends what holds the endpoint, where that gives way. Everything else keeps it. */
async function makeWay(
  house: House,
  { command }: Held,
  request: Request,
  holder: string,
): Promise<'made' | 'busy' | 'no'> {
  const found = await house.store.load(holder)
  if (found === null || !givesWay(found, request, command)) return 'no'
  const other = await claimOther(house.store, holder)
  if (other === null) return 'busy'
  return holding(house, other, async () => {
    if (!givesWay(other.request, request, command)) return 'no'
    const line = house.commands.called(request.line, other.request.endpoint)
    const seen = other.request.progress?.at(-1)?.looks.at(-1)
    const isNotice = other.request.status === 'awaiting'
    const says = isNotice
      ? `It gives way to “${line}”. If ${other.request.endpoint?.name ?? 'it'} is still up after that, people are told anew.`
      : `Given up for another request: ${line}. ${lastSeen(seen)}`
    const ending = isNotice ? { says, takenBy: request.actor } : { says }
    await end(house, other, 'cancelled', ending, { event: { by: request.actor } })
    return 'made'
  })
}

/** To people what would happen by itself; to a stop what only waits for the endpoint to serve. */
function givesWay(other: Request, request: Request, { row }: Command<Operation>): boolean {
  if (isAutomatic(request)) return false
  const isNotice = other.status === 'awaiting' && other.requirement === 'notice'
  return isNotice || (row.wants === 'down' && onlyWaits(other))
}

function onlyWaits({ status, progress }: Request): boolean {
  return status === 'running' && progress?.at(-1)?.sends.at(-1)?.outcome?.kind === 'answered'
}
