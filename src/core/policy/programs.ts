import { hash } from 'node:crypto'
import type { Command } from '../commands/commands.ts'
import { neededFor } from '../commands/permissions.ts'
import { fits, type Matchable } from '../model/automation.ts'
import type { NamedEndpoint } from '../model/endpoint.ts'
import type { Policy, PolicyDecision } from '../model/policy.ts'
import { type Change, newTokenIn, type Records } from '../model/records.ts'
import type { Request } from '../model/request.ts'
import { includes, isSame, memberText, personNamed, type Role } from '../model/roles.ts'
import { type AccessToken, isCalendar, isLive, tokenKey } from '../model/token.ts'
import { say, type Words } from '../model/words.ts'
import type { Services } from '../ports/services.ts'
import { nearestByEdits } from '../text/names.ts'
import { listedIn } from './who-answers.ts'

/** Returns what is stored of a token's secret (256 random bits): its SHA-256 in base64url. */
export function tokenDigest(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Lists the tokens that are neither revoked nor expired. */
export function liveTokens(records: Records, now: number): readonly AccessToken[] {
  return [...records.values()].filter((record) => record.kind === 'token').filter((token) => isLive(token, now))
}

/**
 * Says why a program may not run a request; null if it may. Checks only the program's own limits, not its person's
 * rights. Runs at the door, when a worker takes the request and before its first call, so that nothing happens after a
 * token is revoked.
 */
export function whyNotThrough(
  { through, actor }: Pick<Request, 'through' | 'actor'>,
  { row, values }: Command,
  at: { readonly records: Records; readonly now: number; readonly endpoint?: Matchable | undefined },
): Words | null {
  if (through === undefined) return null
  const { records, now, endpoint } = at
  const isOwnEnd = endsItself({ through }, { row, values })
  if (row.peopleOnly === true && !isOwnEnd) return say('program.peopleOnly', { verb: row.name })
  const needed = neededFor(row, values)
  const beyond = () => say('program.role', { verb: row.name, name: through.name })
  if (through.token === 'chat' || through.token === 'workflow') return includes('operator', needed) ? null : beyond()
  const token = records.get(tokenKey(through.token))
  if (token?.kind !== 'token' || token.revoked === true || !isSame(token.by, actor))
    return say('program.revoked', { name: through.name })
  if (now >= token.until) return say('program.expired', { name: token.name, at: { at: token.until } })
  if (!includes(token.role, needed)) return beyond()
  const { only, on, name } = token
  if (only !== undefined && row.everyToken !== true && !isOwnEnd && !only.includes(row.name))
    return say('program.only', { name, only: { all: only } })
  if (on === undefined || isOwnEnd) return null
  if (!('endpoint' in row.fields))
    return row.everyToken || row.fenced ? null : say('program.wholeProject', { verb: row.name, name, on: { any: on } })
  const isInside = endpoint === undefined || on.some((pattern) => fits(pattern, endpoint))
  return isInside ? null : say('program.on', { name, on: { any: on } })
}

/** How many proposals may wait, per program and for all workflows together, so that a channel is left to people. */
const mostWaiting = { program: 5, workflow: 20 } as const

/** Says why a program may not propose more while so many of its requests wait for people; null if it may. */
export function whyTooMany({ through, actor }: Pick<Request, 'through' | 'actor'>, open: readonly Request[]) {
  if (through === undefined) return null
  const isWorkflow = through.token === 'workflow'
  // A workflow's author can name anyone, so all people named by workflows count as one.
  const isMine = (one: Request) => one.through?.token === through.token && (isWorkflow || isSame(one.actor, actor))
  const count = open.filter((one) => one.status !== 'running' && isMine(one)).length
  const most = mostWaiting[isWorkflow ? 'workflow' : 'program']
  return count < most ? null : say('program.tooMany', { count, name: through.name })
}

/** Whether a program revokes its own token. That needs no approval, because it only reduces the program's rights. */
export function endsItself({ through }: Pick<Request, 'through'>, { row, values }: Command): boolean {
  if (through === undefined || ['chat', 'workflow'].includes(through.token)) return false
  return row.kind === 'operation' && row.endsToken?.(values) === through.name
}

/**
 * Says why a workflow's proposal could never be approved: the policy names too few approvers by id. Null if it
 * also names a group, whose members are not counted.
 */
export function whyTooFew(
  { requirement, asking }: PolicyDecision,
  { through, actor }: Pick<Request, 'through' | 'actor'>,
  policy: Pick<Policy, 'roles'>,
): Words | null {
  if (through?.token !== 'workflow' || requirement !== 'approval') return null
  const listed = listedIn(policy, asking)
  if (listed.some(({ kind }) => kind !== 'user')) return null
  const own = memberText(personNamed(actor))
  const count = new Set(listed.map(memberText).filter((member) => member !== own)).size
  return count < asking.needed ? say('program.tooFew', { needed: asking.needed, count }) : null
}

/** The same as `endsItself`, for a request whose change is known. */
export function hasEndedItself({ through, change }: Pick<Request, 'through' | 'change'>): boolean {
  return change?.put?.some((one) => one.kind === 'token' && one.revoked === true && one.id === through?.token) === true
}

/** Returns the role of a person's program: at most operator, and at most the role of its token. */
export function roleThrough({ through }: Pick<Request, 'through'>, role: Role | null, records: Records): Role | null {
  const token = records.get(tokenKey(through?.token ?? ''))
  const most = token?.kind === 'token' ? token.role : 'operator'
  return through === undefined || !includes(role, most) ? role : most
}

/** Returns patterns of the endpoints that a program is limited to; undefined means all. */
export function fenceOf({ through }: Pick<Request, 'through'>, records: Records): readonly string[] | undefined {
  const token = through && records.get(tokenKey(through.token))
  return token?.kind === 'token' ? token.on : undefined
}

/** Whether a program may read about an endpoint. Tags come from the list, because a request does not have them. */
export function isInside(
  on: readonly string[] | undefined,
  about: NamedEndpoint | undefined,
  listed: readonly (NamedEndpoint & Matchable)[] = [],
): boolean {
  if (on === undefined || about === undefined) return on === undefined
  const { name, tags = [] }: Matchable = listed.find(({ id }) => id === about.id) ?? about
  return on.some((pattern) => fits(pattern, { name, tags }))
}

/** Returns why a new token's fence is refused, or null. It may name only commands that programs of its role can use. */
export function unfitFence({ commands }: Pick<Services, 'commands'>, change: Change): Words | null {
  const token = newTokenIn(change)
  if (token?.only === undefined || isCalendar(token)) return null
  const usable = commands.rows.filter(({ peopleOnly }) => peopleOnly !== true)
  const word = token.only.find((one) => usable.every(({ name }) => name !== one))
  if (word === undefined) {
    const beyond = usable.find((row) => token.only?.includes(row.name) && !includes(token.role, neededFor(row)))
    return beyond === undefined ? null : say('token.beyondRole', { verb: beyond.name })
  }
  if (isCalendar({ only: [word] })) return say('token.calendarAlone')
  return say('token.noCommand', { word, near: nearestByEdits(word, usable, 1)[0]?.name ?? 'none' })
}

/** Says which patterns of a new token's fence match no endpoint yet; '' if all match, or if no list is known. */
export async function unmatchedFence({ store }: Pick<Services, 'store'>, change: Change): Promise<Words> {
  const token = newTokenIn(change)
  const listed = token?.on === undefined ? null : await store.names()
  const none = token?.on?.filter((pattern) => listed?.endpoints.every((one) => !fits(pattern, one))) ?? []
  return none.length === 0 ? '' : say('token.unmatched', { on: { any: none } })
}

/**
 * Requires at least a confirmation for a program's proposal. A workflow's author, who can name anyone, may be an
 * approver. So it needs one more approval: even if the author approves, as many other people do as usual.
 */
export function asProposal(decision: PolicyDecision, { through }: Pick<Request, 'through'>): PolicyDecision {
  const { requirement, asking, inWords } = decision
  if (requirement === 'approval' && through?.token === 'workflow')
    return {
      ...decision,
      asking: { ...asking, needed: asking.needed + 1 },
      inWords: [inWords, say('program.oneMore')],
    }
  if (requirement !== 'nothing') return decision
  return { ...decision, requirement: 'confirmation', inWords: say('policy.because', { rule: say('program.rule') }) }
}
