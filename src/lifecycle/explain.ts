import { decidedText } from '../domain/decided.ts'
import type { Demand, Guard, Requirement } from '../domain/demand.ts'
import type { Explained } from '../domain/explained.ts'
import { alikeText } from '../domain/lookalike.ts'
import { freezeAt, lockdownIn } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import type { Command } from '../operations/commands.ts'
import type { Operation } from '../operations/define.ts'
import { neededFor } from '../operations/needed.ts'
import { deedOf } from '../operations/phrase.ts'
import { agreement } from './explain-agreement.ts'
import { explainDeed } from './explain-deed.ts'
import { demandOtherwise } from './explain-otherwise.ts'
import { guardOf } from './facts.ts'
import { findEndpoint } from './find.ts'
import { mayAct, type Standing } from './identify.ts'
import { rulesNow } from './outlook.ts'
import type { Asked, OwnOutcome } from './own.ts'
import type { House } from './ports.ts'
import { type Proposal, propose } from './propose.ts'

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
