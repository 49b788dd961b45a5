import type { WebClient } from '@slack/web-api'
import type { Announce } from '../lifecycle/announce.ts'
import { failureOf } from './failures.ts'

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

function faultOf(id: string, at: string, state: string | undefined): string[] {
  if (state === 'on') return []
  return state === 'off'
    ? [`${at} names group:${id}, which is switched off at Slack. ${empty} Switch it on, or name another.`]
    : [
        `${at} names group:${id}, which is not a user group of this workspace. ${empty} ` +
          'Copy the id of the group at Slack: it begins with S.',
      ]
}
