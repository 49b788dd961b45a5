import type { ApprovalSettings, Impact, Policy, Requirement, Standing } from '../../../src/core/model/policy.ts'
import type { Request } from '../../../src/core/model/request.ts'
import type { Actor, Member, Place } from '../../../src/core/model/roles.ts'
import { homeTeam } from './people.ts'
import type { MemoryEndpoint } from './platform.ts'
import type { MemoryServices } from './services.ts'

/*
 * The permissions, written a second time from the rules of behavior (11 to 16) alone. The tests measure the product by
 * this file, so it shares no code with the product.
 */

/** The current state of the world. */
export interface World extends Pick<MemoryServices, 'people' | 'platform' | 'shelf' | 'clock'> {
  readonly policy: () => Policy
}

const ranks = ['viewer', 'operator', 'approver', 'admin'] as const

/** Returns a person's rank: 0 no role, 1 viewer, 2 operator, 3 approver, 4 admin. */
export function rankOf({ people, policy }: World, { team, user }: Actor, place: Place): number {
  const person = people.persons.get(user)
  const insiders = people.channels.get(place.channel)
  if (team !== homeTeam || person?.known !== true || person.membership === 'outside' || insiders === undefined) return 0
  let rank = 0
  for (const [at, role] of ranks.entries()) {
    for (const member of policy().roles[role]) {
      if (member.kind === 'user' && member.id === user) rank = at + 1
      if (person.membership === 'guest') continue
      if (member.kind === 'everyone' || (member.kind === 'group' && person.groups.has(member.id))) rank = at + 1
      const here = member.kind === 'channel' && member.id === place.channel && place.chosen !== true
      if (here && (insiders === null ? at === 0 : at <= 1 && insiders.has(user))) rank = Math.max(rank, at + 1)
    }
  }
  return person.membership === 'guest' ? Math.min(rank, 1) : rank
}

/** Whether a person's approval can count: not if they are from outside, a guest, or cannot be looked up. */
export function isFull({ people }: World, { team, user }: Actor): boolean {
  const person = people.persons.get(user)
  return team === homeTeam && person?.known === true && person.membership === 'full'
}

export function isApprover(
  world: World,
  by: Actor,
  place: Place,
  asking: ApprovalSettings,
  fellBack: boolean,
): boolean {
  if (!isFull(world, by)) return false
  const groups = world.people.persons.get(by.user)?.groups ?? new Set()
  function listed(members: readonly Member[]): boolean {
    return members.some(
      (one) =>
        one.kind === 'everyone' ||
        (one.kind === 'user' && one.id === by.user) ||
        (one.kind === 'group' && groups.has(one.id)),
    )
  }
  if (asking.from === null ? rankOf(world, by, place) >= 3 : listed(asking.from)) return true
  return fellBack && asking.fallback !== null && listed(asking.fallback.to)
}

export interface Need {
  readonly requirement: Requirement
  readonly asking: ApprovalSettings
}

/** Returns what a line needs now. */
export function needOf(world: World, request: Request, endpoint: MemoryEndpoint | undefined): Need {
  const { line } = request
  const policy = world.policy()
  const cuts = cutsShort(request, world, endpoint)
  const impact = cuts ? 'disruptive' : impactOf(line, world, endpoint)
  const matching =
    endpoint === undefined ? [] : policy.overrides.filter(({ match }) => match.some((one) => fits(one, endpoint)))
  const found = endpointStanding(world, endpoint)
  // Such a line counts as the stop of a running endpoint, even if the endpoint is stopped now. A run of it is a start.
  const isRule = isStoppingRule(line) && !line.startsWith('start ')
  const exposure = (cuts || isRule) && found === 'dormant' ? 'active' : found
  const unlocks = /^thaw\b/.test(line) && world.shelf.records.has('lockdown')
  const cell = unlocks
    ? 'confirmation'
    : matching.map(({ matrix }) => matrix?.[impact]?.[exposure]).find((one) => one !== undefined)
  return {
    requirement: cell ?? policy.matrix[impact][exposure],
    asking: Object.assign({ ...policy.asking }, ...matching.toReversed().map(({ asking }) => asking)),
  }
}

export function endpointStanding({ policy, shelf }: World, endpoint: MemoryEndpoint | undefined): Standing {
  if (endpoint === undefined) return 'active'
  const byFile = policy().overrides.some((one) => one.protected === true && one.match.some((p) => fits(p, endpoint)))
  if (byFile || shelf.records.has(`protection:${endpoint.id}`)) return 'protected'
  return endpoint.active ? 'active' : 'dormant'
}

function fits(pattern: string, { name, tags }: MemoryEndpoint): boolean {
  if (pattern.startsWith('tag:')) return tags.includes(pattern.slice(4))
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Whether a line creates a rule that may stop an endpoint later. */
export function isStoppingRule(line: string): boolean {
  return /^(?:schedule |idle \S+ (?:on )?after |stop \S+ at |start \S+ (?:for|until) )/.test(line)
}

/** Whether a line shortens or ends another person's hold. */
function cutsShort({ line, actor, receivedAt }: Request, { shelf }: World, endpoint?: MemoryEndpoint): boolean {
  const hold = shelf.records.get(`hold:${endpoint?.id}`)
  if (!/^(?:keep|resume) /.test(line) || hold?.kind !== 'hold') return false
  const [, length = '0', unit = 'h'] = / (\d+)([hd])$/.exec(line) ?? []
  const end = receivedAt + Number(length) * (unit === 'd' ? 86_400_000 : 3_600_000)
  // Ends are shown and typed in full minutes.
  return [hold, ...(hold.also ?? [])].some(
    ({ by, until }) => by !== 'console' && by.user !== actor.user && until - (until % 60_000) > end,
  )
}

/** Returns a line's impact in the matrix. */
function impactOf(line: string, { shelf }: World, endpoint: MemoryEndpoint | undefined): Impact {
  const [verb] = line.split(' ')
  // A person who starts a stopped endpoint may also schedule its stop.
  const isOwn = line.startsWith('start ') && endpoint?.active === false
  if (isStoppingRule(line) && !isOwn) return 'disruptive'
  switch (verb) {
    // On this platform, a stopped endpoint does not show how many replicas it had.
    case 'start':
      return Number(/ replicas=(\d+)/.exec(line)?.[1] ?? 1) > 1 ? 'disruptive' : 'reversible'
    case 'stop':
    case 'scale':
    case 'restart':
      return 'disruptive'
    case 'patch':
      return / (?:command|env|clear)=/.test(line) ? 'destructive' : 'disruptive'
    case 'unprotect':
      return 'loosening'
    case 'thaw':
      return shelf.records.has('lockdown') ? 'reversible' : 'loosening'
    default:
      return 'reversible'
  }
}

export function endsLockdown({ change }: Request): boolean {
  return change?.drop?.includes('lockdown') === true
}

const strictness: readonly Requirement[] = ['nothing', 'confirmation', 'approval', 'refusal']

export function isStricter(now: Need, then: Need): boolean {
  const [a, b] = [strictness.indexOf(now.requirement), strictness.indexOf(then.requirement)]
  return a > b || (a === b && now.requirement === 'approval' && now.asking.needed > then.asking.needed)
}

/** Returns the calls that a line needs in the endpoint's current state: the verb and, for `scale`, the count. */
export function callsOf(line: string, { active, autoscaled, replicas }: MemoryEndpoint): readonly string[] {
  const [verb] = line.split(' ')
  const back = active && !autoscaled && replicas >= 1 ? [`scale ${replicas}`] : []
  switch (verb) {
    case 'scale':
      return [`scale ${/ to (\d+)/.exec(line)?.[1]}`]
    case 'start':
      return ['start', ...(/ replicas=(\d+)/.exec(line) ?? []).slice(1).map((count) => `scale ${count}`)]
    case 'restart':
      return ['stop', 'start', ...back]
    case 'patch':
      return active ? ['stop', 'patch', 'start', ...back] : ['patch']
    default:
      return [verb ?? '']
  }
}
