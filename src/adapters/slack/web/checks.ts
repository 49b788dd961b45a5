import type { WebClient } from '@slack/web-api'
import type { Check } from '../../../core/model/answer.ts'
import type { Policy } from '../../../core/model/policy.ts'
import type { Announce, Clock } from '../../../core/ports/services.ts'
import { approversCheck, namedForApprovals } from '../../../features/approvals/unable.ts'
import { isDirect } from '../kit/text.ts'
import { failureOf } from './calls.ts'
import { createClient, identify, slackLogger } from './client.ts'
import { createPeople } from './people.ts'

/** The manifest's scopes, each with the consequence of its absence. */
const scopes: Readonly<Record<string, string>> = {
  'chat:write': 'nothing can be said at all',
  commands: 'there is no /endpoint',
  'files:write': 'log files and exports cannot be sent',
  'users:read': 'nobody can be recognised, so everybody is refused',
  'usergroups:read': 'user groups of the policy count as empty',
  'channels:read': 'channels of the policy cannot be looked up',
  'groups:read': 'private channels of the policy cannot be looked up',
  'channels:history': 'a message whose answer was lost may appear twice',
  'groups:history': 'a message whose answer was lost may appear twice in private channels',
  'im:write': 'direct messages cannot be opened',
}

/** Checks the token's scopes, and whether the bot can post in this channel. */
export async function slackChecks(client: WebClient, channel: string): Promise<readonly Check[]> {
  return [await scopeCheck(client), await placeCheck(client, channel)]
}

async function scopeCheck(client: WebClient): Promise<Check> {
  const name = 'Slack scopes'
  try {
    const granted = (await client.auth.test()).response_metadata?.scopes
    if (granted === undefined)
      return { name, well: true, says: 'Slack accepts the token; it does not say which scopes it has.' }
    const missing = Object.entries(scopes).filter(([scope]) => !granted.includes(scope))
    if (missing.length === 0) return { name, well: true, says: 'All that the manifest asks for are granted.' }
    const lost = missing.map(([scope, without]) => `${scope} (${without})`).join(', ')
    return { name, well: false, says: `Missing: ${lost}. Add them to the app and install it again.` }
  } catch (error) {
    return { name, well: false, says: `Slack does not accept the bot token: ${whyOf(error)}.` }
  }
}

async function placeCheck(client: WebClient, channel: string): Promise<Check> {
  const name = 'This channel'
  if (isDirect(channel)) return { name, well: true, says: 'A direct message; questions go to the operations channel.' }
  try {
    const { channel: facts } = await client.conversations.info({ channel })
    if (facts?.is_archived === true) return { name, well: false, says: 'It is archived, so nothing can be asked here.' }
    return facts?.is_member === false
      ? { name, well: false, says: 'I am not in it. Invite me with /invite, or I can only answer privately.' }
      : { name, well: true, says: 'I am in it.' }
  } catch (error) {
    return { name, well: false, says: `I cannot see it (${whyOf(error)}). Invite me with /invite.` }
  }
}

function whyOf(error: unknown): string {
  const failure = failureOf(error)
  return 'why' in failure ? failure.why : failure.kind
}

interface Named {
  readonly id: string
  /** Its place: `lamplighter.yaml:9`. */
  readonly at: string
}

const empty = 'Nobody counts as its member.'

/** A sentence for each user group of the policy with a mistake. Never throws: if Slack fails, a sentence says so. */
export async function unknownGroups(client: WebClient, named: readonly Named[]): Promise<readonly string[]> {
  if (named.length === 0) return []
  try {
    const { usergroups = [] } = await client.usergroups.list({ include_disabled: true })
    const isOff = new Map(usergroups.map(({ id, date_delete: off = 0 }) => [id, off > 0]))
    return named.flatMap(({ id, at }) => {
      if (isOff.get(id) === false) return []
      return isOff.has(id)
        ? `${at} names group:${id}, which is switched off at Slack. ${empty} Switch it on, or name another.`
        : `${at} names group:${id}, which is not a user group of this workspace. ${empty} ` +
            'Copy the id of the group at Slack: it begins with S.'
    })
  } catch (error) {
    const why = whyOf(error)
    const places = [...new Set(named.map(({ at }) => at))].join(', ')
    if (why === 'missing_scope') {
      return [
        `${places}: user groups are named, but the app lacks the scope usergroups:read. Nobody counts as their member. ` +
          'Add the scope to the app and install it again.',
      ]
    }
    return [`${places}: whether Slack knows the user groups cannot be told now (${why}). Ask doctor again later.`]
  }
}

/** After a change of the policy, announces unknown groups, whose members have lost their roles. */
export async function announceUnknown(client: WebClient, named: readonly Named[], announce: Announce): Promise<void> {
  const says = await unknownGroups(client, named)
  if (says.length > 0) await announce(['The policy file has changed and holds:', ...says])
}

/** Sentences about people named for approvals who cannot give one. Never throws: if Slack fails, a sentence says so. */
export async function approverNotes(
  projects: readonly { readonly name: string; readonly policy: Policy }[],
  slack: { readonly botToken: { reveal(): string }; readonly apiUrl?: string } | undefined,
  clock: Clock,
): Promise<readonly string[]> {
  const named = projects.filter(({ policy }) => namedForApprovals(policy).some(({ kind }) => kind === 'user'))
  if (named.length === 0) return []
  if (slack === undefined)
    return [
      'People are named for approvals. Whether they can give one is told by /endpoint doctor, and here where SLACK_BOT_TOKEN is set.',
    ]
  const ignore = () => undefined
  const log = { info: ignore, warn: ignore, error: ignore }
  try {
    const options = { apiUrl: slack.apiUrl, logger: slackLogger(log), timeoutMs: 10_000 }
    const client = createClient(slack.botToken.reveal(), options)
    const home = await identify(client)
    const checks = named.map(async ({ name, policy }) => {
      const services = {
        people: createPeople({ client, home, policy: () => policy, clock, log }),
        policy: () => policy,
      }
      const { well, says } = await approversCheck(services, home.team)
      return well ? [] : [`${name}: ${says}`]
    })
    return (await Promise.all(checks)).flat()
  } catch (error) {
    return [
      `Whether everybody who is named for approvals can give one cannot be told now. ${error instanceof Error ? error.message : String(error)}`,
    ]
  }
}
