import type { Command } from '../../core/commands/commands.ts'
import type { Operation } from '../../core/commands/define.ts'
import { neededFor } from '../../core/commands/permissions.ts'
import { deedOf } from '../../core/commands/phrases.ts'
import type { Explained } from '../../core/model/answer.ts'
import { alikeText } from '../../core/model/endpoint.ts'
import type { Asking, Demand, Guard, Requirement } from '../../core/model/policy.ts'
import { freezeAt, lockdownIn, type Records } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import type { Member } from '../../core/model/roles.ts'
import { exposureOf, guardOf } from '../../core/policy/exposure.ts'
import { demandOf } from '../../core/policy/requirement.ts'
import { answerersOf, confirmerOf } from '../../core/policy/who-answers.ts'
import type { Asked, OwnOutcome } from '../../core/ports/query.ts'
import type { House } from '../../core/ports/services.ts'
import { mayAct, type Standing } from '../../core/requests/authorize.ts'
import { findEndpoint } from '../../core/requests/find-endpoint.ts'
import { readEndpoint } from '../../core/requests/read-endpoint.ts'
import { instant, lasting } from '../../core/time/format.ts'
import { standInsFor } from '../../features/approvals/stand-ins.ts'
import { unableAmong } from '../../features/approvals/unable.ts'
import { rulesNow } from '../../features/schedules/preview.ts'
import { decidedText } from '../../features/schedules/rules/describe.ts'
import { explainDeed } from './explain-action.ts'
import { propose } from './plan.ts'
import { groundOf } from './plan-change.ts'
import type { Proposal } from './proposal.ts'

type Item = Explained['items'][number]

/** A dry run: reads, plans and asks policy as a request would, and calls nothing. */
export async function explainLine(house: House, { request, values }: Asked): Promise<OwnOutcome<Explained>> {
  const read = house.commands.parse(String(values['line']))
  if (read.kind !== 'line') return none(read.says)
  const { row, values: given, line } = read.read
  const needed = neededFor(row, given)
  const mine = await mayAct(house, request.actor, request.place, needed)
  const you = { text: youMay(mine, house.project) }
  if (row.kind === 'operation' && row.deed !== undefined) {
    const deed = await explainDeed(house, request, row.deed, String(given['request'] ?? given['endpoint']))
    return told(line, [...deed.items, ...(deed.yours && mine.kind === 'may' ? [] : [you])])
  }

  const found =
    'endpoint' in row.fields ? await findEndpoint(house, String(given['endpoint']), 'explain', row.kind) : null
  if (found?.kind === 'later') return { kind: 'unknown', says: found.says }
  if (found?.kind === 'none') return none(found.says)
  const endpoint = found === null ? undefined : { id: found.endpoint.id, name: found.endpoint.name }
  if (row.kind === 'query') {
    const what = endpoint === undefined ? 'It only reads' : `It only reads ${endpoint.name}`
    return told(line, [{ text: `${what}, and answers you privately.` }, you])
  }
  // As if it had come in just now: what has been given up meanwhile plays no part.
  const alike = found?.alike === true && { alike: found.alike }
  const asked: Request = { ...request, kind: 'operation', line, ...(endpoint && { endpoint }), ...alike }
  const command = { row, values: given }
  const proposal = await propose(house, asked, command)
  if (proposal.kind === 'later') return { kind: 'unknown', says: proposal.says }
  if (proposal.kind === 'no') {
    const otherwise = await demandOtherwise(house, asked, command, mine)
    const takes = otherwise === null ? [] : [...taken(otherwise.demand), ...(await agreement(house, asked, otherwise))]
    const not = mine.kind === 'may' ? [] : [you]
    return told(line, [{ text: `It would do nothing now. ${proposal.says}` }, ...takes, ...not])
  }
  return told(line, [
    ...effect(house, asked, command, proposal),
    ...(await agreement(house, asked, proposal)),
    ...(await ruled(house, proposal)),
    ...(await frozen(house)),
    ...(proposal.demand.requirement === 'refusal' ? [] : [you]),
  ])
}

function youMay(mine: Standing, project: string): string {
  if (mine.kind === 'may') return 'You may ask for it here.'
  return mine.lacks === undefined
    ? `You may not: ${mine.says}`
    : `You may not: it takes the role ${mine.lacks} in project ${project}.`
}

function effect(
  house: House,
  { endpoint, alike }: Request,
  command: Command<Operation>,
  proposal: Proposal,
): readonly Item[] {
  const { plan, change, means = '', why, demand, exposure, records } = proposal
  const steps = plan.length > 1 ? `It takes: ${plan.map(({ says }) => says).join(', ')}.` : ''
  const which = alike === true && endpoint !== undefined ? alikeText(endpoint) : ''
  const what = [`It would ${deedOf(command, endpoint?.name ?? '', change)}.`, steps, means, why, which]
  // A rule that can stop what is stopped now is judged as if it were active.
  const later = exposure === 'active' && proposal.endpoint?.active === false
  const standing =
    endpoint === undefined ? '' : later ? ', since it can stop it later' : `, since the endpoint is ${exposure}`
  const guard = proposal.endpoint === undefined ? undefined : guardOf(proposal.endpoint, house.policy(), records)
  return [
    { text: what.filter((part) => part !== '').join(' ') },
    ...taken(demand, standing),
    ...(guard === undefined ? [] : [guarded(guard)]),
  ]
}

function taken({ requirement, rule }: Demand, standing = ''): readonly Item[] {
  if (requirement === 'refusal') return []
  if (requirement === 'nothing') return [{ text: `Nobody has to agree. The rule: ${rule}.` }]
  return [{ text: `It takes ${takes[requirement]}${standing}. The rule: ${rule}.` }]
}

function guarded({ who, says }: Guard): Item {
  return who === undefined ? { text: says } : { text: 'Somebody protects it:', who, detail: says }
}

const takes: Record<Exclude<Requirement, 'refusal' | 'nothing'>, string> = {
  notice: 'a notice beforehand',
  confirmation: 'a confirmation',
  approval: 'an approval by somebody else',
}

/** Which rule decides about the endpoint now, and what is next. */
async function ruled(house: House, { endpoint }: Proposal): Promise<readonly Item[]> {
  if (endpoint === undefined) return []
  const says = decidedText((await rulesNow(house))(endpoint), house.clock.now())
  return says === '' ? [] : [{ text: `Its rules: ${says}` }]
}

async function frozen(house: House): Promise<readonly Item[]> {
  const records = await house.store.records()
  const freeze = freezeAt(records, house.clock.now())
  if (freeze === null) return []
  const because = freeze.because === undefined ? '' : `: “${freeze.because}”`
  const people = lockdownIn(records) === null ? ' What people ask for is still done.' : ''
  return [{ text: `Automation is frozen${because}.${people}` }]
}

function told(line: string, items: readonly Item[]): OwnOutcome<Explained> {
  return { kind: 'answered', answer: { title: line, items } }
}

function none(says: string): OwnOutcome<Explained> {
  return { kind: 'none', says, offers: [] }
}

type Items = Explained['items']

/** Who could agree to what somebody asks for, how long they would have, and who in whose place. */
async function agreement(
  house: House,
  request: Request,
  { demand, change, records }: Pick<Proposal, 'demand' | 'change' | 'records'>,
): Promise<Items> {
  const { requirement, asking, rule } = demand
  if (requirement === 'refusal') return [{ text: `Nobody can: it is refused by ${rule}.` }]
  if (requirement === 'nothing') return []
  const { roles } = house.policy()
  const listed =
    confirmerOf({ change }) === 'admin' ? roles.admin : answerersOf(requirement, asking, (role) => roles[role])
  const { actor } = request
  const later = asking.fallback?.to ?? []
  const unable = await unableAmong(house, actor.team, [...listed, ...later, ...roles.admin])
  const within = `within ${lasting(asking.expires)}`
  if (requirement === 'confirmation') return agreeing(`These could agree, ${within}:`, but(listed, unable))
  const others = [...unable, actor.user]
  return [
    ...agreeing(`${havingTo(asking.needed)} to agree, ${within}; never the requester:`, but(listed, others)),
    ...named(`After ${lasting(asking.fallback?.after ?? 0)} without an answer also:`, but(later, others)),
    ...(await standIns(house, request, asking, records)),
    ...named(
      'In an emergency one of these alone, with a reason and told to all (break-glass):',
      but(roles.admin, unable),
    ),
  ]
}

function agreeing(text: string, whom: readonly Member[]): Items {
  return whom.length === 0 ? [{ text: 'Nobody could agree: the policy names nobody who may.' }] : [{ text, whom }]
}

function named(text: string, whom: readonly Member[]): Items {
  return whom.length === 0 ? [] : [{ text, whom }]
}

function havingTo(needed: number): string {
  return needed === 1 ? 'One of these has' : `${needed} of these have`
}

/** Those who may answer for an approver that is away now. */
async function standIns(house: House, request: Request, asking: Asking, records: Records): Promise<Items> {
  const found = await standInsFor(house, request, asking, records)
  return (found ?? []).map(({ of: who, to, until }) => ({
    text: `Until ${instant(until)} in the place of somebody else:`,
    whom: [{ kind: 'user', id: to.user }],
    who,
    detail: 'is away',
  }))
}

/** Each member once, but for some people, by user id. */
function but(members: readonly Member[], without: readonly string[]): readonly Member[] {
  const others = members.filter((member) => !(member.kind === 'user' && without.includes(member.id)))
  return others.filter((one, at) => others.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at)
}

/** What a change of our own records would take if there were something to change; null where that is nothing. */
async function demandOtherwise(
  house: House,
  { id, endpoint: about, actor: by, receivedAt: at }: Request,
  { row, values }: Command<Operation>,
  mine: Standing,
): Promise<{ readonly demand: Demand; readonly records: Records } | null> {
  if (row.change === undefined || row.laterBy?.(values) === false) return null
  const [policy, records] = [house.policy(), await house.store.records()]
  const read = about === undefined ? undefined : await readEndpoint(house, about.id)
  const endpoint = read?.kind === 'read' ? read.endpoint : undefined
  const role = mine.kind === 'may' ? mine.role : null
  const known = { id, by, role, at, zone: 'UTC', operationsChannel: house.operationsChannel() !== undefined }
  const impact = row.impact(values, groundOf({ records, policy, endpoint }, known))
  const now = endpoint === undefined ? 'active' : exposureOf(endpoint, policy, records)
  const demand = demandOf(policy, impact, now === 'dormant' ? 'active' : now, endpoint)
  return demand.requirement === 'nothing' ? null : { demand, records }
}
