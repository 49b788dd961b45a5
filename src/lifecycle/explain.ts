import type { Explained } from '../domain/explained.ts'
import type { Member, Requirement, Role } from '../domain/policy.ts'
import { rows } from '../operations/index.ts'
import { readLine } from '../operations/line.ts'
import { findEndpoint } from './find.ts'
import { mayAct } from './identify.ts'
import type { Asked, OwnOutcome } from './own.ts'
import type { House } from './ports.ts'
import { propose } from './propose.ts'

/** A dry run: reads, plans and asks policy as a request would, and calls nothing. */
export async function explainLine(house: House, { request, values }: Asked): Promise<OwnOutcome<Explained>> {
  const read = readLine(String(values['line']), rows)
  if (read.kind !== 'line') return none(read.says)
  const { row, values: given, line } = read.read
  const mine = await mayAct(
    house,
    request.actor,
    request.place,
    row.kind === 'query' ? (row.needs?.(given) ?? 'viewer') : 'operator',
  )
  const you = mine.kind === 'may' ? 'You may ask for it here.' : `You may not: ${mine.says}`
  if (row.kind === 'query') return told(line, ['It only reads, and answers you privately.', you])
  if (row.deed !== undefined) return told(line, [row.summary, you])

  const found = await findEndpoint(house, String(given['endpoint']), 'explain', 'operation')
  if (found.kind === 'later') return { kind: 'unknown', says: found.says }
  if (found.kind === 'none') return none(found.says)
  const { id, name } = found.endpoint
  const proposal = await propose(house, { ...request, line, endpoint: { id, name } })
  if (proposal.kind === 'later') return { kind: 'unknown', says: proposal.says }
  if (proposal.kind === 'no') return told(line, [`It would do nothing. ${proposal.says}`, you])

  const steps = proposal.plan.map(({ says }) => says).join(', then ')
  const impact = row.impact(given)
  return told(line, [
    `It would ${steps} ${name}. ${proposal.why}`,
    `${row.name} is ${impact} here and the endpoint is ${proposal.exposure}, so it takes ${takes[proposal.requirement]}.`,
    who(house, proposal.requirement),
    you,
  ])
}

const takes: Record<Requirement, string> = {
  nothing: 'nothing more',
  confirmation: 'a confirmation',
  approval: 'an approval by somebody else',
  refusal: 'what nobody can give: it is refused',
}

function who({ roles }: House, requirement: Requirement): string {
  if (requirement === 'nothing' || requirement === 'refusal') return 'Nobody has to agree.'
  const needed: Role = requirement === 'approval' ? 'approver' : 'operator'
  const members = [
    ...new Set([...roles[needed], ...(needed === 'operator' ? roles.approver : []), ...roles.admin].map(written)),
  ]
  return members.length === 0 ? `Nobody has the role ${needed} yet.` : `Who could agree: ${members.join(', ')}.`
}

/** As the policy file writes it. */
function written(member: Member): string {
  return member.kind === 'everyone' ? 'everyone' : `${member.kind}:${member.id}`
}

function told(line: string, items: readonly string[]): OwnOutcome<Explained> {
  return { kind: 'answered', answer: { title: line, items } }
}

function none(says: string): OwnOutcome<Explained> {
  return { kind: 'none', says, offers: [] }
}
