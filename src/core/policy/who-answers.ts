import type { ApprovalSettings } from '../model/policy.ts'
import { admitsTerminal, type Change, endsLockdown } from '../model/records.ts'
import type { Request } from '../model/request.ts'
import {
  type Actor,
  includes,
  isSame,
  type Member,
  memberText,
  names,
  personNamed,
  type RequesterContext,
  type Role,
} from '../model/roles.ts'

export type MembersOf = (role: Role) => readonly Member[]

/** Whether somebody may answer an ask, and in whose place if not in their own. */
export type AnswerRight =
  | { readonly kind: 'may'; readonly for?: Actor }
  /** `own`: theirs to give up, not to agree to. `voted`: already done, `by` a stand-in if set. `not`: no right to. */
  | { readonly kind: 'own' | 'not' }
  | { readonly kind: 'voted'; readonly by?: Actor }

type Asked = Pick<Request, 'actor' | 'ask' | 'votes' | 'requirement' | 'change'>

/**
 * Who may say yes or no to a waiting request. Confirmations: any operator, or an admin where it ends a lockdown.
 * Approvals: an approver other than the requester, the fallback once admitted, or a stand-in for an approver who has
 * not voted. One vote each. `absent`: those for whom this person stands in.
 */
export function answerRightOf(request: Asked, by: RequesterContext, absent: readonly RequesterContext[]): AnswerRight {
  const { ask, votes = [], requirement, actor } = request
  if (requirement !== 'approval') {
    const confirmer = confirmerOf(request)
    const may = confirmer === 'requester' ? isSame(by.actor, actor) : includes(by.role, confirmer)
    return { kind: may ? 'may' : 'not' }
  }
  if (ask === undefined) return { kind: 'not' }
  if (isSame(by.actor, actor)) return { kind: 'own' }
  const { asking, fellBackAt } = ask
  const own = isApprover(by, asking, fellBackAt !== undefined)
  const given = own ? undefined : absent.find((one) => mayStandIn(one))
  if (by.person.standing !== 'full' || !(own || given !== undefined)) return { kind: 'not' }
  // A stand-in's vote counts as the absent person's, so they have none left.
  if (votes.some((vote) => isSame(vote.by, by.actor))) return { kind: 'voted' }
  const instead = own ? votes.find((vote) => vote.for !== undefined && isSame(vote.for, by.actor)) : undefined
  if (instead !== undefined) return { kind: 'voted', by: instead.by }
  return given === undefined ? { kind: 'may' } : { kind: 'may', for: given.actor }

  function mayStandIn(one: RequesterContext): boolean {
    return isApprover(one, asking, false) && !isSame(one.actor, actor) && !isSpent(one.actor)
  }

  function isSpent(whose: Actor): boolean {
    const others = votes.filter((vote) => !isSame(vote.by, by.actor))
    return others.some((vote) => isSame(vote.by, whose) || (vote.for !== undefined && isSame(vote.for, whose)))
  }
}

/** The role that may confirm or decline; a terminal's code only its requester may. */
export function confirmerOf({ change }: { readonly change?: Change | undefined }): Role | 'requester' {
  if (endsLockdown(change)) return 'admin'
  return admitsTerminal(change) ? 'requester' : 'operator'
}

/**
 * Those who may answer a question and have not, each once, and how many different people of them it takes; besides
 * stand-ins, and never the requester of an approval. `later`: once nobody has answered for a while; `glass`: alone.
 */
export function answerersOf(request: Asked, membersOf: MembersOf) {
  const { actor, ask, votes = [], requirement } = request
  const { asking, fellBackAt, unable = [] } = ask ?? {}
  // The policy's people are all of the home workspace.
  const able = (members: readonly Member[], without: readonly string[] = []) => {
    const left = members.filter((one) => one.kind !== 'user' || ![...unable, ...without].includes(one.id))
    return [...new Map(left.map((member) => [memberText(member), member])).values()]
  }
  if (requirement !== 'approval' || asking === undefined) {
    const confirmer = confirmerOf(request)
    if (confirmer === 'requester') return { needed: 1, now: [personNamed(actor)], later: [], glass: [] }
    const roles: readonly Role[] = confirmer === 'admin' ? ['admin'] : ['operator', 'approver', 'admin']
    return { needed: 1, now: able(roles.flatMap(membersOf)), later: [], glass: [] }
  }
  const others = [actor, ...votes.map(({ by }) => by)].map(({ user }) => user)
  const [first, later] = [approversIn(asking, membersOf), asking.fallback?.to ?? []]
  return {
    needed: asking.needed,
    now: able(fellBackAt === undefined ? first : [...first, ...later], others),
    later: able(fellBackAt === undefined ? later : [], others),
    glass: able(membersOf('admin')),
  }
}

/** The policy's list of who approves, or approvers and admins. Nobody becomes one by the channel they stand in. */
export function approversIn({ from }: Pick<ApprovalSettings, 'from'>, membersOf: MembersOf): readonly Member[] {
  return (from ?? [...membersOf('approver'), ...membersOf('admin')]).filter(({ kind }) => kind !== 'channel')
}

/** Only full members approve, whoever is listed. */
export function isApprover(
  { person, role }: RequesterContext,
  { from, fallback }: ApprovalSettings,
  fellBack: boolean,
): boolean {
  if (person.standing !== 'full') return false
  const listed = from === null ? includes(role, 'approver') : from.some((member) => names(member, person))
  return listed || (fellBack && fallback?.to.some((member) => names(member, person)) === true)
}

/** Whether a vote would be given again now, by and for people as they stand now; `unlisted`: the policy names others. */
export function voteNow(
  { ask }: Pick<Request, 'ask'>,
  by: RequesterContext | null,
  whose: RequesterContext | null,
  asking: ApprovalSettings,
): 'counts' | 'unlisted' | 'gone' {
  if (by?.person.standing !== 'full' || whose?.person.standing !== 'full' || whose.role === null) return 'gone'
  return isApprover(whose, asking, ask?.fellBackAt !== undefined) ? 'counts' : 'unlisted'
}
