import { timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import * as z from 'zod'
import type { Commands } from '../../core/commands/commands.ts'
import type { Status } from '../../core/model/request.ts'
import { includes, type Role } from '../../core/model/roles.ts'
import { codeLife, isCalendar, isLive, programNames, tokenIdIn, tokenKey } from '../../core/model/token.ts'
import { say } from '../../core/model/words.ts'
import { tokenDigest } from '../../core/policy/programs.ts'
import type { Clock } from '../../core/ports/services.ts'
import type { ProgramCaller } from '../../core/requests/accept-program.ts'
import { noRoleText } from '../../core/requests/authorize.ts'
import { gatewayFor, type ProjectGateway } from '../../core/requests/gateway.ts'
import { parsedBy } from '../../core/requests/in-words.ts'
import { plainEndOf } from '../../lifecycle/messages/end.ts'
import type { Problem } from './problem.ts'

export interface TokenCaller extends ProgramCaller {
  /** The program's role: its person's current role, but no more than the token's. */
  readonly role: Role
  /** When the token expires, ms since 1970. */
  readonly until: number
  /** Patterns of the endpoints that the token covers; absent: all. */
  readonly on?: readonly string[]
}

/** How many calls of one token are answered in a minute, and how many may be open: others need connections too. */
const [callsPerMinute, callsAtOnce] = [300, 20]

/**
 * How many fresh lookups of people all tokens together get in a minute. Further calls use lookups from the last minute.
 * Slack allows some 100 such calls a minute (`users.info`, tier 4), and people need them too.
 */
const lookUpsPerMinute = 30

/** How many of those also read the user groups again. Slack allows some 20 such calls (`usergroups.list`, tier 2). */
const groupReadsPerMinute = 8

/** How often in a minute all terminals together may check for a failed login, and among how many requests. */
const [loginLooks, loginsAmong] = [120, 20]

const noLogins: ReadonlySet<Status> = new Set(['refused', 'declined', 'cancelled'])

/** What Slack's own client says about the person it acts for. */
const slackMeta = z.object({ slack: z.object({ team_id: z.string().min(1), user_id: z.string().min(1) }) })

/** Identifies callers. A caller learns nothing about other tokens. */
export function createCallers(gateways: readonly ProjectGateway[], clock: Pick<Clock, 'now' | 'monotonic'>) {
  const calls = new Map<string, { count: number; readonly until: number }>()
  const open = new Map<string, readonly Pick<ServerResponse, 'closed'>[]>()

  /** Counts a call. Returns the seconds until the minute ends if there were more than `most`, otherwise 0. */
  function wait(counted: string, most: number): number {
    const now = clock.monotonic()
    for (const [id, { until }] of calls) if (until <= now) calls.delete(id)
    const window = calls.get(counted) ?? { count: 0, until: now + 60_000 }
    calls.set(counted, window)
    window.count += 1
    return window.count <= most ? 0 : Math.ceil((window.until - now) / 1_000)
  }

  /** Returns the role of a proven caller, or a problem if they call too often or no longer have a role. */
  async function roleOf({ gateway, actor, through }: ProgramCaller, counted: string | null): Promise<Role | Problem> {
    const seconds = counted === null ? 0 : wait(counted, callsPerMinute)
    if (seconds > 0) return busyFor(seconds, 'minute')
    const isLookedUp = wait('look-ups', lookUpsPerMinute) === 0
    const sure = isLookedUp && wait('groups', groupReadsPerMinute) === 0 ? 'fresh' : isLookedUp ? 'recent' : undefined
    const role = await gateway.home.roleOf(actor, '', sure).catch(() => undefined)
    if (role !== undefined && role !== null) return role
    // A person who calls through the chat has no token.
    const ofToken = role === null ? say('program.personGone') : say('program.personUnchecked')
    const says = through.token === 'chat' ? noRoleText(role) : ofToken
    return role === null
      ? { status: 403, type: 'person-gone', says }
      : { status: 503, type: 'unchecked', says, retryAfter: 5 }
  }

  return {
    /** `authorization`: the header. `opens`: a calendar token opens only calendars, and no other token opens them. */
    async byToken(
      authorization: string | undefined,
      opens: 'calls' | 'calendar' = 'calls',
      counts: 'counts' | 'again' = 'counts',
    ): Promise<TokenCaller | Problem> {
      const secret = secretIn(authorization)
      if (secret === undefined) return { status: 401, type: 'no-token', says: say('program.noToken') }
      const id = tokenIdIn(secret)
      let unread: unknown
      for (const gateway of id === undefined ? [] : gateways) {
        // What one project has stored may be unreadable, which must not affect another project's tokens.
        const records = await gateway.store.records().catch((error: unknown) => {
          unread ??= error
          return null
        })
        const token = records?.get(tokenKey(id ?? ''))
        if (token?.kind !== 'token' || !isSecretOf(token.digest, secret) || !isLive(token, clock.now())) continue
        if (isCalendar(token) !== (opens === 'calendar')) {
          const says = say(opens === 'calendar' ? 'program.noCalendar' : 'program.calendarOnly')
          return { status: 403, type: 'not-allowed', says }
        }
        const { by: actor, until, on } = token
        const through = { token: token.id, name: token.name }
        const caller = { gateway, actor, through, until, ...(on && { on }) }
        const role = await roleOf(caller, counts === 'again' ? null : token.id)
        return typeof role === 'object' ? role : { ...caller, role: includes(role, token.role) ? token.role : role }
      }
      if (unread !== undefined) throw unread
      return { status: 401, type: 'bad-token', says: say('program.badToken') }
    },

    /** Returns how a terminal's login failed; only it has the secret. Null: the login succeeded, or still may. */
    async endOfLogin(authorization: string | undefined, commands: Commands): Promise<Problem | null> {
      const secret = secretIn(authorization) ?? ''
      const id = tokenIdIn(secret)
      if (id === undefined || wait('logins', loginLooks) > 0) return null
      const code = `${id}${tokenDigest(secret)}`
      for (const { store } of gateways) {
        // The code was accepted.
        if ((await store.records()).has(tokenKey(id))) return null
        const { requests } = await store.past(clock.now() - codeLife, 0, loginsAmong)
        const over = requests.find(({ line, status }) => noLogins.has(status) && line.includes(code))
        if (over === undefined) continue
        const type = over.status === 'refused' ? 'no-login' : 'login-declined'
        return { status: 403, type, says: plainEndOf(parsedBy(commands, over)) }
      }
      return null
    },

    /** Returns a problem if too many calls of the token are open, otherwise null. `response`: that of this call. */
    whyBusy({ through }: ProgramCaller, response: Pick<ServerResponse, 'closed'>): Problem | null {
      const others = (open.get(through.token) ?? []).filter(({ closed }) => !closed)
      if (others.length >= callsAtOnce) return busyFor(5, 'once')
      open.set(through.token, [...others, response])
      return null
    },

    /** `meta`: the metadata of a tool call, in a body that Slack has signed. */
    async bySlack(meta: unknown): Promise<ProgramCaller | Problem> {
      const { success, data } = slackMeta.safeParse(meta)
      if (!success) return { status: 401, type: 'no-person', says: say('program.noPerson') }
      const gateway = gatewayFor(gateways, { channel: '' })
      if (gateway === undefined) return { status: 403, type: 'no-project', says: say('program.noProject') }
      const { team_id: team, user_id: user } = data.slack
      const through = { token: 'chat', name: programNames.chat }
      const caller = { gateway, actor: { team, user }, through }
      const role = await roleOf(caller, `chat ${team} ${user}`)
      return typeof role === 'object' ? role : caller
    },
  }
}

function secretIn(authorization = ''): string | undefined {
  return /^Bearer (\S{1,200})$/i.exec(authorization)?.[1]
}

function busyFor(seconds: number, within: 'minute' | 'once'): Problem {
  const says = say('program.busy', { within, wait: { lasting: seconds * 1_000 } })
  return { status: 429, type: 'too-many-calls', says, retryAfter: seconds }
}

function isSecretOf(digest: string, secret: string): boolean {
  const [kept, shown] = [Buffer.from(digest), Buffer.from(tokenDigest(secret))]
  return kept.length === shown.length && timingSafeEqual(kept, shown)
}
