import type { Command } from '../core/commands/commands.ts'
import type { Operation } from '../core/commands/define.ts'
import { phrase } from '../core/commands/phrases.ts'
import type { Demand } from '../core/model/policy.ts'
import { type Change, endsLockdown, freezeAt, type Records, replacedBy } from '../core/model/records.ts'
import { isAutomatic, type Note, type Request, underWay } from '../core/model/request.ts'
import { weeklyText } from '../core/model/rules.ts'
import { sentences } from '../core/model/sentences.ts'
import { guardOf } from '../core/policy/exposure.ts'
import { isStricter } from '../core/policy/requirement.ts'
import type { Held, House } from '../core/ports/services.ts'
import { claimOther, holding } from '../core/requests/claim-other.ts'
import { anew, end, endWith } from '../core/requests/end.ts'
import { instant } from '../core/time/format.ts'
import { lookAt, nextAsk, overIn } from '../features/approvals/question.ts'
import { absenceChanged, absenceTold, holdNotes, standInNotes, standInsFor } from '../features/approvals/stand-ins.ts'
import { unableTo } from '../features/approvals/unable.ts'
import { idleRuleOf } from '../features/idle/idle-rules.ts'
import { send } from './execution/send.ts'
import { lastSeen, seenIn, workOf } from './execution/work.ts'
import type { Proposal } from './planning/proposal.ts'

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

/**
 * The request that waits for the same change of our own records, which no endpoint's lock keeps from being asked for
 * twice; null where none does.
 */
async function askedAlready(house: House, request: Request, command: Command<Operation>): Promise<string | null> {
  const wanted = changeIn(request, command)
  const open = await house.store.open()
  const same = open.find(
    (one) =>
      one.status === 'awaiting' &&
      one.id !== request.id &&
      changeIn(one, house.commands.operation(one.line)) === wanted,
  )
  return same?.id ?? null
}

/** What would be changed, whatever the reason given, and whether the endpoint was written by its name or its id. */
function changeIn({ endpoint, requirement, change }: Request, { row, values }: Command<Operation>): string | null {
  const { because: _, endpoint: __, ...rest } = values
  return row.change === undefined || requirement === 'notice'
    ? null
    : JSON.stringify([row.name, endpoint?.id, rest, endsLockdown(change)])
}

type New = Pick<Proposal, 'demand' | 'digest'>

/**
 * "Asked again: it takes 3 approvals now; the 2 given before do not count." Undefined where nobody had agreed yet.
 */
function againText(request: Request, proposal: New): string | undefined {
  if (request.decision?.yes !== true || request.ask === undefined) return undefined
  return `Asked again: ${whyAgain(request, request.ask, proposal)}; ${lost(request)}.`
}

/** Tells whoever decided that they have not, by a private word. */
function againNotes({ id, ask, decision, place }: Request, says: string | undefined): readonly Note[] {
  if (says === undefined || decision === undefined) return []
  return [{ id: `${id}.again.${ask?.n ?? 0}`, to: decision.by, channel: place.channel, says }]
}

function whyAgain(
  { requirement = 'nothing', digest }: Request,
  { asking }: Pick<Demand, 'asking'>,
  { demand, digest: now }: New,
): string {
  if (isStricter(demand, { requirement, asking })) return `it takes ${takes(demand)} now`
  return digest === now ? 'others have to approve it now' : 'what would be done has changed meanwhile'
}

function takes({ requirement, asking: { needed } }: Demand): string {
  if (requirement !== 'approval') return `a ${requirement}`
  return needed === 1 ? '1 approval' : `${needed} approvals`
}

function lost({ requirement, decision, votes = [] }: Request): string {
  if (requirement !== 'approval' || decision?.glass === true) return 'the yes given before does not count'
  return votes.length === 1 ? 'the one given before does not count' : `the ${votes.length} given before do not count`
}
