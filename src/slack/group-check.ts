import type { WebClient } from '@slack/web-api'
import type { Policy } from '../domain/demand.ts'
import type { Announce } from '../lifecycle/announce.ts'
import type { Clock } from '../lifecycle/ports.ts'
import { approversCheck, namedForApprovals } from '../lifecycle/unable.ts'
import { createClient, identify, slackLogger } from './client.ts'
import { failureOf } from './failures.ts'
import { createPeople } from './people.ts'

/** A user group of the policy, and where it is named: `lamplighter.yaml:9`. */
interface Named {
  readonly id: string
  readonly at: string
}

const empty = 'Nobody counts as its member.'

/**
 * What is wrong with the user groups that the policy names, a sentence each with its place and what to do. Never
 * throws: what Slack does not tell is a sentence too.
 */
export async function unknownGroups(client: WebClient, named: readonly Named[]): Promise<readonly string[]> {
  if (named.length === 0) return []
  try {
    const { usergroups = [] } = await client.usergroups.list({ include_disabled: true })
    const known = new Map(usergroups.map(({ id, date_delete: off = 0 }) => [id, off > 0 ? 'off' : 'on']))
    return named.flatMap(({ id, at }) => faultOf(id, at, known.get(id)))
  } catch (error) {
    const failure = failureOf(error)
    const places = [...new Set(named.map(({ at }) => at))].join(', ')
    if ('why' in failure && failure.why === 'missing_scope') {
      return [
        `${places}: user groups are named, but the app lacks the scope usergroups:read. Nobody counts as their member. ` +
          'Add the scope to the app and install it again.',
      ]
    }
    const why = 'why' in failure ? failure.why : failure.kind
    return [`${places}: whether Slack knows the user groups cannot be told now (${why}). Ask doctor again later.`]
  }
}

/** After a change of the policy: says where everybody sees it that somebody may have lost a role by it. */
export async function announceUnknown(client: WebClient, named: readonly Named[], announce: Announce): Promise<void> {
  const says = await unknownGroups(client, named)
  if (says.length > 0) await announce(`The policy file has changed and holds:\n${says.join('\n')}`)
}

/**
 * Sentences on the people whom the policies of projects name for approvals: who cannot give one, as far as Slack can be
 * asked. Never throws: what Slack does not tell is a sentence too.
 */
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
  const untold = 'Whether everybody who is named for approvals can give one cannot be told now.'
  const troubles: string[] = []
  const trouble = (_: object, says: string): void => void troubles.push(says)
  const log = { info: () => undefined, warn: trouble, error: trouble }
  try {
    const options = { apiUrl: slack.apiUrl, logger: slackLogger(log), timeoutMs: 10_000 }
    const client = createClient(slack.botToken.reveal(), options)
    const home = await identify(client)
    const checks = named.map(async ({ name, policy }) => {
      const house = { people: createPeople({ client, home, policy: () => policy, clock, log }), policy: () => policy }
      const { well, says } = await approversCheck(house, home.team)
      return well ? [] : [`${name}: ${says}`]
    })
    const told = (await Promise.all(checks)).flat()
    return troubles.length > 0 ? [...told, `${untold} Slack did not answer for all of them.`] : told
  } catch (error) {
    return [`${untold} ${error instanceof Error ? error.message : String(error)}`]
  }
}

function faultOf(id: string, at: string, state: string | undefined): string[] {
  if (state === 'on') return []
  return state === 'off'
    ? [`${at} names group:${id}, which is switched off at Slack. ${empty} Switch it on, or name another.`]
    : [
        `${at} names group:${id}, which is not a user group of this workspace. ${empty} ` +
          'Copy the id of the group at Slack: it begins with S.',
      ]
}
