import type { ApprovalSettings, Policy } from '../../core/model/policy.ts'
import { type Check, checkOf } from '../../core/model/query-answer.ts'
import type { Ask } from '../../core/model/question.ts'
import type { Request } from '../../core/model/request.ts'
import type { Member } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { answerersOf, listedIn, type MembersOf } from '../../core/policy/who-answers.ts'
import type { Services } from '../../core/ports/services.ts'

type Knows = Pick<Services, 'people' | 'policy'>

/** Returns the ids of people named as approvers who can't approve. Known ones stay while Slack doesn't answer. */
export async function unableTo(
  services: Knows,
  request: Request,
  asking: ApprovalSettings,
): Promise<readonly string[]> {
  const { actor, ask } = request
  const { unable, unknown } = await unableAmong(services, actor.team, listedIn(services.policy(), asking))
  return [...unable, ...unknown.filter((user) => ask?.unable?.includes(user))]
}

/** Returns everyone a policy names for approvals, including those for some endpoints only. */
function namedForApprovals(policy: Policy): readonly Member[] {
  const { asking, overrides } = policy
  return [{ asking: {} }, ...overrides].flatMap((one) => listedIn(policy, { ...asking, ...one.asking }))
}

/** Returns the people in a list who are not full members, and those whom Slack can't look up now. */
async function unableAmong({ people }: Pick<Services, 'people'>, team: string, listed: readonly Member[]) {
  const users = [...new Set(listed.flatMap((member) => (member.kind === 'user' ? [member.id] : [])))]
  const found = await Promise.all(users.map((user) => people.who({ team, user })))
  return {
    unable: found.flatMap((person) => (person === null || person.membership === 'full' ? [] : [person.user])),
    unknown: users.filter((_, at) => found[at] === null),
  }
}

/** Returns who may answer a question by the policy, without people known not to be full members. */
export async function ableToAnswer(services: Knows, request: Request, ask: Ask) {
  const membersOf: MembersOf = (role) => services.policy().roles[role]
  const { now, later, glass } = answerersOf(request, membersOf)
  const { unable } = await unableAmong(services, request.actor.team, [...now, ...later, ...glass])
  return answerersOf({ ...request, ask: { ...ask, unable: [...(ask.unable ?? []), ...unable] } }, membersOf)
}

export async function approversCheck(services: Knows, team: string): Promise<Check> {
  const { unable, unknown } = await unableAmong(services, team, namedForApprovals(services.policy()))
  const faults = [
    ...(unable.length > 0 ? [say('approvers.unable', { who: unable.join(', ') })] : []),
    ...(unknown.length > 0 ? [say('approvers.unknown', { who: unknown.join(', ') })] : []),
  ]
  return checkOf(say('check.approvers'), faults.length === 0 ? null : faults, say('approvers.all'))
}
