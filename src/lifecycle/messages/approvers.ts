import type { Ask, Vote } from '../../core/model/question.ts'
import type { Request } from '../../core/model/request.ts'
import type { Member } from '../../core/model/roles.ts'
import { answerersOf, confirmerOf, type MembersOf } from '../../core/policy/who-answers.ts'
import { instant } from '../../core/time/format.ts'
import { type Mention, type Part, type Piece, textPart } from './draft.ts'

/** More would call half the workspace together. */
const most = 10

/** "It takes 2 approvals." */
export function countOf({ asking }: Ask): string {
  return `It takes ${approvals(asking.needed)}.`
}

export function approvals(count: number, more: '' | 'more ' = ''): string {
  return `${count} ${more}${count === 1 ? 'approval' : 'approvals'}`
}

/** Who decides without an approval. */
export function confirmersOf(request: Request): string {
  return confirmerOf(request) === 'admin' ? 'Any admin decides.' : 'The requester or another operator decides.'
}

/** Who may approve: "@sre or @ben may give them, the requester may not." */
export function whoMay(request: Request, ask: Ask, membersOf: MembersOf): readonly Piece[] {
  const names = memberList(answerersOf(request, membersOf).now)
  const them = ask.asking.needed === 1 ? 'it' : 'them'
  const others = standInsOf(ask)
  const also = others.length === 0 ? [] : [' (', ...others, ')']
  if (names.length === 0 && others.length === 0)
    return ['Nobody whom lamplighter.yaml names for approvals could give it now.']
  return [...(names.length === 0 ? ['Any approver'] : names), ` may give ${them}`, ...also, ', the requester may not.']
}

/** "@cleo for @ben until Jan 5 at 09:00": what is over by then need not be looked at to be true. */
function standInsOf({ standIns = [] }: Ask): readonly Piece[] {
  return standIns.flatMap(({ to, of, until }, at) => [
    ...(at === 0 ? [] : [', ']),
    { person: to },
    ' for ',
    { person: of },
    ` until ${instant(until)}`,
  ])
}

/** Until when an answer counts, as the end of the question. */
export function untilIn({ expiresAt }: Ask): string {
  return ` Open until ${instant(expiresAt)}.`
}

/** What protects the endpoint that is asked about. */
export function guardIn({ guard }: Ask): readonly (string | Mention)[] {
  if (guard === undefined) return []
  const { who, says, inWords = says } = guard
  return who === undefined ? [inWords] : [{ person: who }, says]
}

/** Members of the policy: "@sre, @ops or @ben"; nothing where that is nobody. */
export function memberList(members: readonly Member[]): readonly Piece[] {
  if (members.some(({ kind }) => kind === 'everyone')) return ['Anybody in this workspace']
  const few: readonly Piece[] =
    members.length > most ? [...members.slice(0, most), `${members.length - most} more`] : members
  return few.flatMap((piece, at) => [at === 0 ? '' : at === few.length - 1 ? ' or ' : ', ', piece])
}

/** "1 of 2 · agreed by @ben for @dana": the votes so far. */
export function votesOf({ ask, votes = [] }: Request): readonly Part[] {
  if (ask === undefined || votes.length === 0) return []
  return [textPart(`${votes.length} of ${ask.asking.needed} · agreed by `, ...votersOf(votes))]
}

/** "@ben for @dana, @cleo" */
export function votersOf(votes: readonly Pick<Vote, 'by' | 'for'>[]): readonly (string | Mention)[] {
  return votes.flatMap(({ by, for: absent }, at) => [
    ...(at === 0 ? [] : [', ']),
    { person: by },
    ...(absent === undefined ? [] : [' for ', { person: absent }]),
  ])
}
