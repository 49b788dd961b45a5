import type { WebClient } from '@slack/web-api'
import type { Check } from '../domain/explained.ts'
import { failureOf } from './failures.ts'

/** The scopes of the manifest, each with what does not work without it. */
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

/** The bot token's scopes, and whether the bot can post where it was asked. */
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
  if (channel.startsWith('D'))
    return { name, well: true, says: 'A direct message; questions go to the operations channel.' }
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
