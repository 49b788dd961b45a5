import type { Explained } from '../domain/explained.ts'
import { type Requirement, type Role, written } from '../domain/policy.ts'
import type { Deed } from '../operations/define.ts'
import { rows } from '../operations/index.ts'
import { inverseOf } from '../operations/inverse.ts'
import { readLine } from '../operations/line.ts'
import { deedOf } from '../operations/phrase.ts'
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
  const reads = row.kind === 'query'
  if (reads && !('endpoint' in row.fields)) return told(line, ['It only reads, and answers you privately.', you])

  const found = await findEndpoint(house, String(given['endpoint']), 'explain', row.kind)
  if (found.kind === 'later') return { kind: 'unknown', says: found.says }
  if (found.kind === 'none') return none(found.says)
  const { id, name } = found.endpoint
  if (reads) return told(line, [`It only reads ${name}, and answers you privately.`, you])
  if (row.deed !== undefined) return told(line, [await deedExplained(house, row.deed, { id, name }), you])
  const proposal = await propose(house, { ...request, line, endpoint: { id, name } })
  if (proposal.kind === 'later') return { kind: 'unknown', says: proposal.says }
  if (proposal.kind === 'no') return told(line, [`It would do nothing. ${proposal.says}`, you])

  const steps = proposal.plan.length > 1 ? ` It takes: ${proposal.plan.map(({ says }) => says).join(', ')}.` : ''
  const impact = row.impact(given)
  return told(line, [
    `It would ${deedOf(line, name)}.${steps} ${proposal.why}`,
    `${row.name} is ${impact} here and the endpoint is ${proposal.exposure}, so it takes ${takes[proposal.requirement]}.`,
    who(house, proposal.requirement),
    you,
  ])
}

/** What cancel and undo would find to do. */
async function deedExplained(
  house: House,
  deed: Deed,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<string> {
  if (deed === 'cancel') {
    const open = await house.store.holderOf(id)
    const request = open === null ? null : await house.store.load(open)
    return request === null ? `No request is open on ${name}.` : `It would give up: ${request.line}.`
  }
  const last = await house.store.lastDone(id)
  if (last === null) return `Nothing has been done to ${name} from here that could be undone.`
  const inverse = inverseOf(last, last.before ?? null)
  return 'why' in inverse ? inverse.why : `The last was “${last.line}”, so it would ask for “${inverse.line}”.`
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

function told(line: string, items: readonly string[]): OwnOutcome<Explained> {
  return { kind: 'answered', answer: { title: line, items } }
}

function none(says: string): OwnOutcome<Explained> {
  return { kind: 'none', says, offers: [] }
}
