import { type Actor, isSame } from './actor.ts'
import type { Asking } from './demand.ts'
import { includes, names, type Person, type Role } from './policy.ts'
import type { Request } from './request.ts'

/** Somebody as they stand where a request was asked, looked up now. */
export interface Standpoint {
  readonly actor: Actor
  readonly person: Person
  readonly role: Role | null
}

/** Whether somebody may answer an ask, and in whose place if not in their own. */
export type Mandate =
  | { readonly kind: 'may'; readonly for?: Actor }
  /** `own`: theirs to give up, not to agree to. `voted`: they have. `not`: it is not theirs to answer. */
  | { readonly kind: 'own' | 'voted' | 'not' }

type Asked = Pick<Request, 'actor' | 'ask' | 'votes' | 'requirement'>

/**
 * Who may say yes or no to a waiting request. A confirmation is an operator's. An approval takes somebody else than
 * the requester: an approver, one of the fallback once it was let in, or whoever stands in for an approver who has not
 * voted; nobody has more than one vote, whatever mandates they hold. `absent`: those for whom this person stands in.
 */
export function mandateOf(request: Asked, by: Standpoint, absent: readonly Standpoint[]): Mandate {
  const { ask, votes = [], requirement, actor } = request
  if (requirement !== 'approval') return { kind: includes(by.role, 'operator') ? 'may' : 'not' }
  if (ask === undefined) return { kind: 'not' }
  if (isSame(by.actor, actor)) return { kind: 'own' }
  if (votes.some((vote) => isSame(vote.by, by.actor))) return { kind: 'voted' }
  const fellBack = ask.fellBackAt !== undefined
  if (isApprover(by, ask.asking, fellBack)) return { kind: 'may' }
  if (by.person.standing !== 'full') return { kind: 'not' }
  const given = absent.find(
    (one) =>
      isApprover(one, ask.asking, false) &&
      !isSame(one.actor, actor) &&
      !votes.some((vote) => isSame(vote.by, one.actor) || (vote.for !== undefined && isSame(vote.for, one.actor))),
  )
  return given === undefined ? { kind: 'not' } : { kind: 'may', for: given.actor }
}

/** Only full members approve, whoever is listed. */
export function isApprover({ person, role }: Standpoint, { from, fallback }: Asking, fellBack: boolean): boolean {
  if (person.standing !== 'full') return false
  const listed = from === null ? includes(role, 'approver') : from.some((member) => names(member, person))
  return listed || (fellBack && fallback?.to.some((member) => names(member, person)) === true)
}
