import type { ApprovalSettings } from '../model/policy.ts'
import { type Check, checkOf } from '../model/query-answer.ts'
import type { Ask, Vote } from '../model/question.ts'
import { admitsTerminal } from '../model/records.ts'
import { isEnded, type Request } from '../model/request.ts'
import { type Actor, isSame, type Member } from '../model/roles.ts'
import type { Announced } from '../model/rules.ts'
import { type Sentence, type SentenceValue, type SentenceValues, say, type Words } from '../model/words.ts'
import { answerersOf, confirmerOf, listedIn, type MembersOf } from '../policy/who-answers.ts'
import type { Services } from '../ports/services.ts'
import { becauseOf, type ParsedRequest, reasonOf } from './in-words.ts'

/** What people need to know before they answer, besides the question itself. */
export function knownOf(request: ParsedRequest): Words {
  const yours = admitsTerminal(request.change) ? say('token.yours') : ''
  return [reasonOf(request), ...(request.means ?? []), yours, votesOf(request), becauseOf(request)]
}

/** Who must answer and by when, or when it happens automatically. Empty if the request waits for nobody. */
export function awaitedOf(request: ParsedRequest, membersOf: MembersOf): Words {
  const { ask, requirement, status } = request
  if (status !== 'awaiting' || ask === undefined) return ''
  if (requirement === 'notice') return dueOf(request)
  const who = requirement === 'approval' ? needsOf(request, ask, membersOf) : confirmersOf(request)
  return [who, say('ask.expires', { at: { at: ask.expiresAt } })]
}

/** "my-llm stops tomorrow at 18:30." for an automatic stop or start. Empty for any other request. */
export function dueOf({ command, endpoint, requirement, ask }: ParsedRequest): Words {
  if (requirement !== 'notice' || ask?.due === undefined) return ''
  const verb = command.row.wants === 'up' ? 'start' : 'stop'
  return say('notice.due', { name: endpoint?.name ?? '', verb, due: { at: ask.due } })
}

/** "A stop is announced for today at 20:20." */
export function announcedText({ want, at }: Announced): Sentence {
  return say(want === 'up' ? 'schedules.announcedStart' : 'schedules.announced', { at: { at } })
}

/** "expires today at 10:42". Empty for a notice, which happens without an answer. */
export function expiresOf({ ask, requirement }: Request): Words {
  return ask === undefined || requirement === 'notice' ? '' : say('card.expires', { at: { at: ask.expiresAt } })
}

/** "needs 2 approvals". Empty after the first approval, because `votesOf` then shows how many are missing. */
export function countOf(request: Request): Words {
  const count = neededBy(request)
  return count === 0 || (request.votes ?? []).length > 0 ? '' : say('card.needs', { count })
}

/** The number of approvals still missing; 0 for a confirmation. */
export function neededBy({ requirement, ask, votes = [] }: Request): number {
  return requirement === 'approval' ? Math.max(0, (ask?.asking.needed ?? 0) - votes.length) : 0
}

/** Naming more people would notify half the workspace. */
const mostNamed = 10

/** Who can confirm, if no approval is needed. */
export function confirmersOf(request: Request): Sentence {
  return say('ask.confirmers', { role: confirmerOf(request), by: { person: request.actor } })
}

/** "Needs 2 approvals from @sre or @ben. The requester can’t approve." */
function needsOf(request: Request, ask: Ask, membersOf: MembersOf): Words {
  const names = answerersOf(request, membersOf).now
  const { votes = [] } = request
  const others = standInsOf(request, ask)
  const count = Math.max(1, ask.asking.needed - votes.length)
  if (names.length === 0 && others.length === 0) return say('ask.needsNobody', { count })
  // A group may have enough members.
  if (others.length === 0 && names.length < count && names.every(({ kind }) => kind === 'user'))
    return say('ask.needsMore', { count, who: { all: names } })
  const who = names.length === 0 ? 'approvers' : membersText(names)
  return [say('ask.needs', { count, who, had: votes.length > 0 ? 'yes' : 'no' }), ...others]
}

/** "@ben can approve for @dana until today at 18:00." Once one of the two has answered, that is left out. */
export function standInsOf({ votes = [] }: Request, { standIns = [] }: Ask): readonly Sentence[] {
  const isUsed = (user: Actor) => votes.some(({ by, for: absent = by }) => isSame(by, user) || isSame(absent, user))
  // No check for expired delegations: the sentence says until when each one holds.
  return standIns
    .filter(({ to, of }) => !isUsed(to) && !isUsed(of))
    .map(({ to, of, until }) => say('away.begun', { to: { person: to }, who: { person: of }, until: { at: until } }))
}

/** Members of the policy: "@sre, @ops, or @ben". */
export function membersText(members: readonly Member[]): SentenceValue {
  const everybody = members.find(({ kind }) => kind === 'everyone')
  if (everybody !== undefined) return everybody
  const few = members.slice(0, mostNamed)
  const left = members.length - few.length
  return { any: [...few, ...(left === 0 ? [] : [say('people.more', { count: left })])] }
}

/** "Approved by @ben for @dana. 1 more needed."; once declined, cancelled or bypassed, "1 of 2 approvals: @ben". */
export function votesOf({ ask, status, votes: all = [], decision }: Request): Words {
  // Declining takes back one's own approval.
  const isLeft = (one: Vote) => decision?.yes !== false || one.for !== undefined || !isSame(one.by, decision.by)
  const votes = all.filter(isLeft)
  if (ask === undefined || votes.length === 0) return ''
  const [by, count, needed] = [votersOf(votes), votes.length, ask.asking.needed]
  const isOver = isEnded(status) || decision?.glass === true
  // The end of an approved request names who approved it.
  if (isOver && count >= needed) return ''
  // Only the end of an expired request says how many approvals it had.
  if (isOver && status !== 'expired') return say('ask.votesHad', { count, needed, by })
  return say('ask.votes', { left: isOver ? 0 : Math.max(0, needed - count), by })
}

/** "It expired after 30 min with 1 of 2 approvals." */
export function unansweredOf({ ask, votes = [] }: Request): Sentence {
  return say('request.unanswered', unansweredIn(ask, votes.length))
}

/** How long the request waited and how many approvals it had, as sentence values. */
export function unansweredIn(ask: Ask | undefined, had: number): SentenceValues {
  const length = { lasting: ask === undefined ? 0 : ask.expiresAt - ask.at }
  return { length, votes: had === 0 ? 'none' : `${had}`, needed: ask?.asking.needed ?? 0 }
}

/** "@cleo and @ben (for @dana)" */
export function votersOf(votes: readonly Pick<Vote, 'by' | 'for'>[]): SentenceValue {
  const own = votes.flatMap(({ by, for: absent }) => (absent === undefined ? { person: by } : []))
  const others = votes.flatMap(({ by, for: absent }) =>
    absent === undefined ? [] : say('people.inPlace', { by: { person: by }, absent: { person: absent } }),
  )
  return { all: [...own, ...others] }
}

type Knows = Pick<Services, 'people' | 'policy'>

/** Returns the ids of people named as approvers who can't approve. Known ones stay while Slack doesn't answer. */
export async function unableTo(services: Knows, request: Request, asking: ApprovalSettings) {
  const { actor, ask } = request
  const { unable, unknown } = await unableAmong(services, actor.team, listedIn(services.policy(), asking))
  return [...unable, ...unknown.filter((user) => ask?.unable?.includes(user))]
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

/** Checks everyone whom the policy names for approvals, also those for some endpoints only. */
export async function approversCheck(services: Knows, team: string): Promise<Check> {
  const policy = services.policy()
  const settings = [{}, ...policy.overrides.map(({ asking }) => asking)].map((own) => ({ ...policy.asking, ...own }))
  const named = settings.flatMap((asking) => listedIn(policy, asking))
  const { unable, unknown } = await unableAmong(services, team, named)
  const faults = [
    ...(unable.length > 0 ? [say('approvers.unable', { who: unable.join(', ') })] : []),
    ...(unknown.length > 0 ? [say('approvers.unknown', { who: unknown.join(', ') })] : []),
  ]
  return checkOf(say('check.approvers'), faults, say('approvers.all'))
}
