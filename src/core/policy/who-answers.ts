import { type Actor, isSame } from '../model/actor.ts'
import type { Asking, Requirement } from '../model/policy.ts'
import { type Change, endsLockdown } from '../model/records.ts'
import type { Request } from '../model/request.ts'
import { includes, type Member, names, type Role, type Standpoint } from '../model/roles.ts'

/** Whether somebody may answer an ask, and in whose place if not in their own. */
export type Mandate =
  | { readonly kind: 'may'; readonly for?: Actor }
  /** `own`: theirs to give up, not to agree to. `voted`: they have, or who has in their place. `not`: it is not theirs to answer. */
  | { readonly kind: 'own' | 'not' }
  | { readonly kind: 'voted'; readonly by?: Actor }

type Asked = Pick<Request, 'actor' | 'ask' | 'votes' | 'requirement' | 'change'>

/**
 * Who may say yes or no to a waiting request. A confirmation is an operator's, or where it ends a lockdown an admin's.
 * An approval takes somebody else than the requester: an approver, one of the fallback once it was let in, or whoever stands in for an approver who has not
 * voted; nobody has more than one vote, whatever mandates they hold. `absent`: those for whom this person stands in.
 */
export function mandateOf(request: Asked, by: Standpoint, absent: readonly Standpoint[]): Mandate {
  const { ask, votes = [], requirement, actor } = request
  if (requirement !== 'approval') return { kind: includes(by.role, confirmerOf(request)) ? 'may' : 'not' }
  if (ask === undefined) return { kind: 'not' }
  if (isSame(by.actor, actor)) return { kind: 'own' }
  const { asking, fellBackAt } = ask
  const own = isApprover(by, asking, fellBackAt !== undefined)
  const given = own ? undefined : absent.find((one) => mayStandIn(one))
  if (by.person.standing !== 'full' || !(own || given !== undefined)) return { kind: 'not' }
  // Also in their place: whoever voted for them has used the one vote that is theirs.
  if (votes.some((vote) => isSame(vote.by, by.actor))) return { kind: 'voted' }
  const instead = own ? votes.find((vote) => vote.for !== undefined && isSame(vote.for, by.actor)) : undefined
  if (instead !== undefined) return { kind: 'voted', by: instead.by }
  return given === undefined ? { kind: 'may' } : { kind: 'may', for: given.actor }

  function mayStandIn(one: Standpoint): boolean {
    return isApprover(one, asking, false) && !isSame(one.actor, actor) && !isSpent(one.actor)
  }

  /** Whether somebody else has used it. */
  function isSpent(whose: Actor): boolean {
    const others = votes.filter((vote) => !isSame(vote.by, by.actor))
    return others.some((vote) => isSame(vote.by, whose) || (vote.for !== undefined && isSame(vote.for, whose)))
  }
}

/** The role it takes to confirm, or to leave it. */
export function confirmerOf({ change }: { readonly change?: Change | undefined }): Role {
  return endsLockdown(change) ? 'admin' : 'operator'
}

/**
 * Everybody that the policy lets answer, whoever asks: of an approval its list, or approvers and admins. Nobody becomes
 * an approver by the channel they stand in.
 */
export function answerersOf(
  requirement: Requirement | undefined,
  { from }: Asking,
  membersOf: (role: Role) => readonly Member[],
): readonly Member[] {
  if (requirement !== 'approval') return [...membersOf('operator'), ...membersOf('approver'), ...membersOf('admin')]
  return (from ?? [...membersOf('approver'), ...membersOf('admin')]).filter(({ kind }) => kind !== 'channel')
}

/** Only full members approve, whoever is listed. */
export function isApprover({ person, role }: Standpoint, { from, fallback }: Asking, fellBack: boolean): boolean {
  if (person.standing !== 'full') return false
  const listed = from === null ? includes(role, 'approver') : from.some((member) => names(member, person))
  return listed || (fellBack && fallback?.to.some((member) => names(member, person)) === true)
}
