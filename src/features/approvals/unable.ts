import { type Check, checkOf } from '../../core/model/answer.ts'
import type { ApprovalSettings, Policy } from '../../core/model/policy.ts'
import type { Ask } from '../../core/model/question.ts'
import type { Request } from '../../core/model/request.ts'
import type { Member } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { answerersOf, approversIn, type MembersOf } from '../../core/policy/who-answers.ts'
import type { Services } from '../../core/ports/services.ts'

type Knows = Pick<Services, 'people' | 'policy'>

/** People, by user id, named for an approval who could not give it. Those known stay while Slack cannot tell. */
export async function unableTo(
  services: Knows,
  request: Request,
  asking: ApprovalSettings,
): Promise<readonly string[]> {
  const { actor, ask } = request
  const { unable, unknown } = await unableAmong(services, actor.team, listedIn(services.policy(), asking))
  return [...unable, ...unknown.filter((user) => ask?.unable?.includes(user))]
}

function listedIn({ roles }: Pick<Policy, 'roles'>, asking: ApprovalSettings): readonly Member[] {
  return [...approversIn(asking, (role) => roles[role]), ...(asking.fallback?.to ?? [])]
}

/** All that a policy names for approvals, also of some endpoints only. */
export function namedForApprovals(policy: Policy): readonly Member[] {
  const { asking, overrides } = policy
  return [{ asking: {} }, ...overrides].flatMap((one) => listedIn(policy, { ...asking, ...one.asking }))
}

/** People in a list of the policy who are known to be no full members, and those of whom Slack cannot tell now. */
async function unableAmong({ people }: Pick<Services, 'people'>, team: string, listed: readonly Member[]) {
  const users = [...new Set(listed.flatMap((member) => (member.kind === 'user' ? [member.id] : [])))]
  const found = await Promise.all(users.map((user) => people.who({ team, user })))
  return {
    unable: found.flatMap((person) => (person === null || person.standing === 'full' ? [] : [person.user])),
    unknown: users.filter((_, at) => found[at] === null),
  }
}

/** Whom the policy lets answer a question, without those who are known to be no full members. */
export async function ableToAnswer(services: Knows, request: Request, ask: Ask) {
  const membersOf: MembersOf = (role) => services.policy().roles[role]
  const { now, later, glass } = answerersOf(request, membersOf)
  const { unable } = await unableAmong(services, request.actor.team, [...now, ...later, ...glass])
  return answerersOf({ ...request, ask: { ...ask, unable: [...(ask.unable ?? []), ...unable] } }, membersOf)
}

/** Whether everybody whom the policy names for approvals could give one. */
export async function approversCheck(services: Knows, team: string): Promise<Check> {
  const { unable, unknown } = await unableAmong(services, team, namedForApprovals(services.policy()))
  const faults = [
    ...(unable.length > 0 ? [say('approvers.unable', { who: unable.join(', ') })] : []),
    ...(unknown.length > 0 ? [say('approvers.unknown', { who: unknown.join(', ') })] : []),
  ]
  return checkOf(say('check.approvers'), faults.length === 0 ? null : faults, say('approvers.all'))
}
