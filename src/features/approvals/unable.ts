import type { Check } from '../../core/model/answer.ts'
import type { Asking, Policy } from '../../core/model/policy.ts'
import type { Member } from '../../core/model/roles.ts'
import { answerersOf } from '../../core/policy/who-answers.ts'
import type { House } from '../../core/ports/services.ts'

type Knows = Pick<House, 'people' | 'policy'>

/**
 * People whom the policy names for an approval and who could not give it, by user id: guests, bots, people of another
 * workspace, those who have left, and those whom Slack does not know. Of whom nothing can be found out now is not among them. `team`: the home workspace.
 */
export async function unableTo(house: Knows, team: string, asking: Asking): Promise<readonly string[]> {
  return unableAmong(house, team, listedIn(house.policy(), asking))
}

function listedIn({ roles }: Pick<Policy, 'roles'>, asking: Asking): readonly Member[] {
  return [...answerersOf('approval', asking, (role) => roles[role]), ...(asking.fallback?.to ?? [])]
}

/** All that a policy names for approvals, also of some endpoints only. */
export function namedForApprovals(policy: Policy): readonly Member[] {
  const { asking, overrides } = policy
  return [{ asking: {} }, ...overrides].flatMap((one) => listedIn(policy, { ...asking, ...one.asking }))
}

/** Of the people in a list of the policy, those who are known to be no full members. */
export async function unableAmong(
  house: Pick<House, 'people'>,
  team: string,
  listed: readonly Member[],
): Promise<readonly string[]> {
  const users = [...new Set(listed.flatMap((member) => (member.kind === 'user' ? [member.id] : [])))]
  const people = await Promise.all(users.map((user) => house.people.who({ team, user })))
  return people.flatMap((person) => (person === null || person.standing === 'full' ? [] : [person.user]))
}

/** Whether everybody whom the policy names for approvals could give one. */
export async function approversCheck(house: Knows, team: string): Promise<Check> {
  const unable = await unableAmong(house, team, namedForApprovals(house.policy()))
  return {
    name: 'Approvers',
    well: unable.length === 0,
    says:
      unable.length === 0
        ? 'Everybody whom the policy names for approvals is a full member.'
        : `${unable.join(', ')} cannot approve: a guest, a bot, deactivated, of another workspace, or unknown to Slack. Name somebody else in lamplighter.yaml.`,
  }
}
