import type { ApprovalSettings, Policy, PolicyDecision } from '../model/policy.ts'
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

/** Whether a person may answer an ask, and for whom if not for themselves. */
export type AnswerRight =
  | { readonly kind: 'may'; readonly for?: Actor }
  /**
   * `own`: may cancel, not agree. `not`: no right. `unread`: a user group that may give the right could not be read.
   * `voted`: has voted already, through the stand-in `by` if set.
   */
  | { readonly kind: 'own' | 'not'; readonly unread?: true }
  | { readonly kind: 'voted'; readonly by?: Actor }

type Asked = Pick<Request, 'actor' | 'ask' | 'votes' | 'requirement' | 'change'>

/**
 * Decides who may answer a waiting request. Confirmations: any operator, or an admin if it ends a lockdown; a requester
 * who is no operator any more may only withdraw it. Approvals: an approver other than the requester, a fallback approver
 * once admitted, or a stand-in for an approver who has not voted. One vote each. `absent`: the people for whom this person
 * stands in.
 */
export function answerRightOf(request: Asked, by: RequesterContext, absent: readonly RequesterContext[]): AnswerRight {
  const { ask, votes = [], requirement, actor } = request
  if (requirement !== 'approval') {
    const confirmer = confirmerOf(request)
    const may = confirmer === 'requester' ? isSame(by.actor, actor) : includes(by.role, confirmer)
    if (may) return { kind: 'may' }
    // People without the role can still withdraw their question. Nobody asked a notice, and a lockdown is for admins.
    const isWithdrawable = requirement === 'confirmation' && confirmer === 'operator'
    return { kind: isWithdrawable && isSame(by.actor, actor) ? 'own' : 'not' }
  }
  if (ask === undefined) return { kind: 'not' }
  if (isSame(by.actor, actor)) return { kind: 'own' }
  const { asking, fellBackAt } = ask
  const own = isApprover(by, asking, fellBackAt !== undefined)
  const stands = (one: RequesterContext) => isApprover(one, asking, false) && !isSame(one.actor, actor)
  const given = own ? undefined : absent.find((one) => stands(one) && !isSpent(one.actor))
  if (by.person.membership !== 'full' || !(own || given !== undefined)) return { kind: 'not' }
  // A stand-in's vote counts as the absent person's, who then has no vote left.
  if (votes.some((vote) => isSame(vote.by, by.actor))) return { kind: 'voted' }
  const instead = own ? votes.find((vote) => vote.for !== undefined && isSame(vote.for, by.actor)) : undefined
  if (instead !== undefined) return { kind: 'voted', by: instead.by }
  return given === undefined ? { kind: 'may' } : { kind: 'may', for: given.actor }

  function isSpent(whose: Actor): boolean {
    const others = votes.filter((vote) => !isSame(vote.by, by.actor))
    return others.some((vote) => isSame(vote.by, whose) || (vote.for !== undefined && isSame(vote.for, whose)))
  }
}

/** Returns the role that may confirm or decline. Only the requester may confirm a terminal's code. */
export function confirmerOf({ change }: { readonly change?: Change | undefined }): Role | 'requester' {
  if (endsLockdown(change)) return 'admin'
  return admitsTerminal(change) ? 'requester' : 'operator'
}

/**
 * Returns who can still answer a question, without stand-ins or an approval's requester, and how many of them must.
 * `later`: the fallback approvers; `glass`: the admins, each of whom can bypass the approval alone.
 */
export function answerersOf(request: Asked, membersOf: MembersOf) {
  const { actor, ask, votes = [], requirement } = request
  const { asking, fellBackAt, unable = [] } = ask ?? {}
  // Everyone whom the policy names is in the home workspace.
  const able = (members: readonly Member[], without: readonly string[] = []) => {
    return eachOnce(members.filter((one) => one.kind !== 'user' || ![...unable, ...without].includes(one.id)))
  }
  if (requirement !== 'approval' || asking === undefined) {
    const confirmer = confirmerOf(request)
    if (confirmer === 'requester') return { needed: 1, now: [personNamed(actor)], later: [], glass: [] }
    const roles: readonly Role[] = confirmer === 'admin' ? ['admin'] : ['operator', 'approver', 'admin']
    return { needed: 1, now: able(roles.flatMap(membersOf)), later: [], glass: [] }
  }
  const others = [actor, ...votes.flatMap(({ by, for: absent = by }) => [by, absent])].map(({ user }) => user)
  const [first, later] = [approversIn(asking, membersOf), asking.fallback?.to ?? []]
  return {
    needed: asking.needed,
    now: able(fellBackAt === undefined ? first : [...first, ...later], others),
    later: able(fellBackAt === undefined ? later : [], others),
    glass: able(membersOf('admin')),
  }
}

function eachOnce(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [memberText(member), member])).values()]
}

/** Whether a new decision asks other approvers than those who were asked. */
export function asksOthers(now: PolicyDecision, then: Pick<PolicyDecision, 'requirement' | 'asking'>): boolean {
  if (now.requirement !== 'approval' || then.requirement !== 'approval') return false
  const inOrder = (members?: readonly Member[] | null) => members?.map(memberText).toSorted()
  const [is, was] = [now.asking, then.asking].map(({ from, fallback }) =>
    JSON.stringify([inOrder(from), inOrder(fallback?.to)]),
  )
  return is !== was
}

/** Returns the approvers that the policy lists, or all approvers and admins. A channel makes nobody an approver. */
export function approversIn({ from }: Pick<ApprovalSettings, 'from'>, membersOf: MembersOf): readonly Member[] {
  return eachOnce((from ?? [...membersOf('approver'), ...membersOf('admin')]).filter(({ kind }) => kind !== 'channel'))
}

/** Returns the approvers and the fallback approvers that the policy lists. */
export function listedIn({ roles }: Pick<Policy, 'roles'>, asking: ApprovalSettings): readonly Member[] {
  return [...approversIn(asking, (role) => roles[role]), ...(asking.fallback?.to ?? [])]
}

/** Only full members can approve, even if others are listed. */
export function isApprover(
  { person, role }: RequesterContext,
  { from, fallback }: ApprovalSettings,
  fellBack: boolean,
): boolean {
  if (person.membership !== 'full') return false
  const listed = from === null ? includes(role, 'approver') : from.some((member) => names(member, person))
  return listed || (fellBack && fallback?.to.some((member) => names(member, person)) === true)
}

/**
 * Whether a vote would still be valid with both people's current roles; `unlisted`: the policy now names others;
 * `unsure`: they or their groups could not be looked up.
 */
export function voteNow(
  { ask }: Pick<Request, 'ask'>,
  by: RequesterContext | null,
  whose: RequesterContext | null,
  asking: ApprovalSettings,
): 'counts' | 'unlisted' | 'gone' | 'unsure' {
  if (by === null || whose === null) return 'unsure'
  if (by.person.membership !== 'full' || whose.person.membership !== 'full') return 'gone'
  if (isApprover(whose, asking, ask?.fellBackAt !== undefined)) return 'counts'
  return whose.person.unread === true ? 'unsure' : 'unlisted'
}
