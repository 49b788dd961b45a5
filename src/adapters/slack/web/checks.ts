import type { WebClient } from '@slack/web-api'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { type Sentence, say, type Words } from '../../../core/model/words.ts'
import { type Clock, Misconfigured } from '../../../core/ports/services.ts'
import { isDirect } from '../kit/text.ts'
import { identify } from './client.ts'
import { failureCode, failureOf, tokenError } from './failures.ts'

/** The manifest's scopes. The sentence `scopes.one` says what each is for. */
const scopes = [
  'chat:write',
  'commands',
  'files:write',
  'users:read',
  'usergroups:read',
  'channels:read',
  'groups:read',
  'channels:history',
  'groups:history',
  'im:write',
]

/** How often Slack is asked about the token, ms. */
const tokenEvery = 30_000

/** Makes a probe of the bot token, which may be withdrawn while sockets stay open. It answers what Slack said last. */
export function tokenProbe(client: WebClient, clock: Pick<Clock, 'monotonic'>): () => string | null {
  let why: string | null = null
  let asked = Number.NEGATIVE_INFINITY
  async function ask(): Promise<void> {
    try {
      await identify(client)
      why = null
    } catch (error) {
      // No answer says nothing about the token.
      if (error instanceof Misconfigured) why = error.message
    }
  }
  return () => {
    if (clock.monotonic() - asked < tokenEvery) return why
    asked = clock.monotonic()
    void ask()
    return why
  }
}

/** Asks Slack for a socket with the client's app token, and opens none. Throws a sentence if Slack refuses. */
export async function testAppToken(client: WebClient): Promise<void> {
  await client.apps.connections.open({}).catch((error: unknown) => {
    const refused = (code: string) =>
      `Slack doesn’t accept this app token (${code}). Create one with connections:write.`
    throw tokenError(error, refused)
  })
}

/** Checks the token's scopes, and whether the bot can post in this channel, if one is named. */
export async function slackChecks(client: WebClient, channel: string): Promise<readonly Check[]> {
  return [await scopeCheck(client), ...(channel === '' ? [] : [await placeCheck(client, channel)])]
}

async function scopeCheck(client: WebClient): Promise<Check> {
  const name = say('check.scopes')
  try {
    const granted = (await client.auth.test()).response_metadata?.scopes
    if (granted === undefined) return checkOf(name, null, say('scopes.unknown'))
    const missing = scopes
      .filter((scope) => !granted.includes(scope))
      .map((scope) => say('scopes.one', { scope, of: scope.replace(':', '_') }))
    const fault = missing.length === 0 ? null : say('scopes.missing', { missing: { all: missing } })
    return checkOf(name, fault, say('scopes.all'))
  } catch (error) {
    return { name, well: false, says: say('scopes.token', { why: failureCode(failureOf(error)) }) }
  }
}

async function placeCheck(client: WebClient, channel: string): Promise<Check> {
  const name = say('check.channel')
  if (isDirect(channel)) return { name, well: true, says: say('channel.direct') }
  try {
    const { channel: facts } = await client.conversations.info({ channel })
    if (facts?.is_archived === true) return { name, well: false, says: say('channel.archived') }
    return checkOf(name, facts?.is_member === false ? say('channel.notIn') : null, say('channel.in'))
  } catch (error) {
    return { name, well: false, says: say('channel.unseen', { why: failureCode(failureOf(error)) }) }
  }
}

interface Named {
  readonly id: string
  /** Its place in the file: `lamplighter.yaml:9`. */
  readonly at: string
}

/** Returns a sentence for each unknown or disabled user group. Never throws: if Slack fails, a sentence says so. */
export async function unknownGroups(client: WebClient, named: readonly Named[]): Promise<readonly Sentence[]> {
  if (named.length === 0) return []
  try {
    const { usergroups = [] } = await client.usergroups.list({ include_disabled: true })
    const isOff = new Map(usergroups.map(({ id, date_delete: off = 0 }) => [id, off > 0]))
    return named
      .filter(({ id }) => isOff.get(id) !== false)
      .map(({ id, at }) => say(isOff.has(id) ? 'groups.off' : 'groups.unknown', { at, id }))
  } catch (error) {
    const why = failureCode(failureOf(error))
    const places = [...new Set(named.map(({ at }) => at))].join(', ')
    return [why === 'missing_scope' ? say('groups.scope', { places }) : say('groups.unread', { places, why })]
  }
}

/** After a change of the policy, announces unknown groups, whose members have lost their roles. */
export async function announceUnknown(
  client: WebClient,
  named: readonly Named[],
  announce: (says: readonly Words[]) => Promise<unknown>,
): Promise<void> {
  const says = await unknownGroups(client, named)
  if (says.length > 0) await announce([say('groups.changed'), ...says])
}
