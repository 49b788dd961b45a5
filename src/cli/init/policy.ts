import type { WebClient } from '@slack/web-api'
import { findListed, type Listed, readDirectory } from '../../adapters/slack/web/directory.ts'
import { starterPolicy } from '../../core/model/starter-policy.ts'
import { program } from '../../core/text/program.ts'
import type { Choice, SetupDraft } from './draft.ts'

/** Names or ids; several may stand in one with commas between them. */
export interface NamedByFlags {
  readonly 'operations-channel'?: string
  readonly operator?: readonly string[]
  readonly approver?: readonly string[]
  readonly admin?: readonly string[]
}

const admins = 'Who can bypass an approval and end a lockdown? (admins; at least one)'
const roles = [
  ['operator', 'Who can request changes and confirm them? (operators)'],
  ['approver', 'Who can approve what others request? (approvers)'],
  ['admin', admins],
] as const

/** The text of a policy file with the channel and the people that were named, or that are picked from a list. */
export async function draftPolicy(
  draft: SetupDraft,
  client: WebClient,
  named: NamedByFlags,
): Promise<string | undefined> {
  const all = await readDirectory(client).catch((error: unknown) =>
    draft.fail(`Slack doesn’t list channels, people and groups (${String(error)}).`),
  )
  if (all === undefined) return undefined
  const count = (kind: Listed['kind']) => all.filter((one) => one.kind === kind).length
  draft.say(
    `✓ Slack lists channels (${count('channel')}), people (${count('user')}) and user groups (${count('group')}).`,
  )
  const channel = await operationsChannel(draft, all, named['operations-channel'])
  const given: [(typeof roles)[number][0], string[]][] = []
  for (const [role, message] of roles) {
    const some = await members(draft, all, message, named[role])
    given.push([role, some.map(({ kind, id, name }) => `${kind}:${id} # ${name}`)])
  }
  const lines = starterPolicy(given, channel && `${channel.id} # ${channel.name}`)
  return [
    `# Who can do what. docs/policy.md describes every key; ${program} check shows the result.`,
    ...lines,
    '',
  ].join('\n')
}

const none = 'none'

async function operationsChannel(draft: SetupDraft, all: readonly Listed[], name: string | undefined) {
  if (name !== undefined) return found(draft, all, name, ['channel'])[0]
  const channels = all.filter(({ kind }) => kind === 'channel')
  const choices = [...channels.map(choice), { value: none, label: 'none' }]
  const id = await draft.ask?.pick('Which channel gets results that have no other? (operations channel)', choices)
  return channels.find((one) => one.id === id)
}

async function members(
  draft: SetupDraft,
  all: readonly Listed[],
  message: string,
  names: readonly string[] | undefined,
) {
  // Nobody else could end a lockdown, or change this without the file.
  const required = message === admins
  if (required && names === undefined && draft.ask === null)
    draft.fail(
      'There is no admin, so nobody could bypass an approval or end a lockdown. Add --admin and the name of a person.',
    )
  if (names !== undefined)
    return names.flatMap((some) => some.split(',')).flatMap((name) => found(draft, all, name, ['user', 'group']))
  const some = all.filter(({ kind }) => kind !== 'channel')
  const ids = (await draft.ask?.pickMany(message, some.map(choice), required)) ?? []
  return some.filter(({ id }) => ids.includes(id))
}

function found(draft: SetupDraft, all: readonly Listed[], name: string, kinds: readonly Listed['kind'][]): Listed[] {
  const result = findListed(all, name, kinds)
  if ('found' in result) return [result.found]
  draft.fail(result.wrong)
  return []
}

function choice({ id, name, also }: Listed): Choice {
  const others = new Set([...also, id])
  others.delete(name.slice(1))
  return { value: id, label: name, hint: [...others].join(', ') }
}
