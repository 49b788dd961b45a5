import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { WebClient } from '@slack/web-api'
import { findListed, type Listed, readDirectory } from '../../adapters/slack/web/directory.ts'
import { checkFile, readConfig } from '../../config/config.ts'
import { type Environment, readVariable } from '../../config/env/environment.ts'
import { readIfThere } from '../../config/policy-file/read.ts'
import { starterPolicy, starterProject } from '../../core/model/policy.ts'
import { program, startLine } from '../../core/text/program.ts'
import { check } from '../check-policy.ts'
import type { FlagValues, initLine } from '../command-line.ts'
import { diagnose } from '../doctor.ts'
import { Cancelled, type Choice, createDraft, envText, questionsOn, replaceFile, type SetupDraft } from './draft.ts'
import { takeKey, takePlatform, takeSlack } from './outside.ts'
import { takeRedis } from './redis.ts'

type Wishes = FlagValues<typeof initLine.flags>

export interface Terminal {
  readonly env: Environment
  /** The folder for the files; '' is the working directory. */
  readonly folder: string
  readonly input: Readable
  readonly output: Writable
  readonly asks: boolean
}

/** Runs `npm start -- init`. Writes nothing until everything has passed its test. Returns the exit code. */
export async function init(wishes: Wishes, { env, folder, input, output, asks }: Terminal): Promise<number> {
  const print = (line: string): void => void output.write(`${line}\n`)
  const draft = createDraft(env, asks ? questionsOn(input, output) : null, print)
  const paths = {
    env: join(folder, '.env'),
    policy: readVariable(env, 'LAMPLIGHTER_CONFIG') ?? join(folder, 'lamplighter.yaml'),
  }
  const { compose = false, 'set-redis': setRedis = false } = wishes
  try {
    const before = readIfThere(paths.env)
    const isHeld = before !== null && !asks && wishes.force !== true && draft.isIn(before, compose)
    if (before !== null && !isHeld && !(await mayReplace(draft, paths.env, wishes))) return 1
    draft.keepGiven()
    const client = await takeSlack(draft)
    await takePlatform(draft)
    takeKey(draft)
    const keeps = readIfThere(paths.policy) !== null && wishes.force !== true
    const projects = keeps ? checkFile(paths.policy, draft.env).projects : [{ name: starterProject }]
    if (!keeps && draft.ask === null && wishes.admin === undefined) draft.fail(noAdmin)
    const redis = await takeRedis(draft, { compose, setRedis, projects })
    if (keeps) draft.say(`· ${paths.policy} is kept. To replace it, add --force.`)
    const policy = keeps || client === undefined ? undefined : await draftPolicy(draft, client, wishes)
    const text = envText(before, draft.lines())
    if (draft.isFailed()) {
      draft.say('Nothing was written. Fix this, then run init again.')
      return 1
    }
    if (!isHeld) replaceFile(paths.env, text, 0o600)
    draft.say(isHeld ? `· ${paths.env} is kept.` : `✓ ${paths.env} is written. Only you can read it.`)
    if (policy !== undefined) {
      // It is not a secret, and the container in Docker Compose reads it as another user.
      replaceFile(paths.policy, policy, 0o644)
      draft.say(`✓ ${paths.policy} is written.`)
    }
    return await verify(draft, { ...draft.env, LAMPLIGHTER_CONFIG: paths.policy }, redis === 'compose')
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    draft.say(error.message)
    return 130
  }
}

/** Without a terminal it goes on, so that everything else that is wrong is reported too. */
async function mayReplace(draft: SetupDraft, path: string, { force }: Wishes): Promise<boolean> {
  if (force === true) return true
  if ((await draft.ask?.confirm(`${path} already exists. Write the settings into it?`)) === true) return true
  const says = `${path} already exists and was not changed. To write into it, add --force, which also writes the policy file anew.`
  if (draft.ask === null) draft.fail(says)
  else draft.say(says)
  return draft.ask === null
}

async function verify(draft: SetupDraft, env: Environment, isCompose: boolean): Promise<number> {
  draft.say('')
  // compose.yaml sets the address for its services.
  let isWell = await check(undefined, isCompose ? { ...env, REDIS_URL: 'redis://redis:6379' } : env, draft.say)
  draft.say('')
  if (isWell && !isCompose) isWell = await diagnose(readConfig(env, 'worker', readIfThere), draft.say, false)
  draft.say('')
  const start = isCompose ? 'docker compose up' : startLine
  draft.say(
    isWell
      ? `Next: ${start}. Then type /invite @Lamplighter in a channel, and /endpoint list.`
      : `There are problems left: each line with ✗ says what to do. Then check again with ${program} doctor.`,
  )
  return isWell ? 0 : 1
}

const noAdmin =
  'There is no admin, so nobody could bypass an approval or end a lockdown. Add --admin and the name of a person.'
const admins = 'Who can bypass an approval and end a lockdown? (admins; at least one)'
const roles = [
  ['operator', 'Who can request changes and confirm them? (operators)'],
  ['approver', 'Who can approve what others request? (approvers)'],
  ['admin', admins],
] as const

/** Returns the text of a policy file with the channel and people from the flags, or picked from a list. */
async function draftPolicy(draft: SetupDraft, client: WebClient, named: Wishes): Promise<string | undefined> {
  const all = await readDirectory(client).catch((error: unknown) =>
    draft.fail(`Slack doesn’t list channels, people and groups (${String(error)}).`),
  )
  if (all === undefined) return undefined
  const count = (kind: Listed['kind']) => all.filter((one) => one.kind === kind).length
  draft.say(
    `✓ Slack lists channels (${count('channel')}), people (${count('user')}, without guests) and user groups (${count('group')}).`,
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

async function members(draft: SetupDraft, all: readonly Listed[], message: string, names?: readonly string[]) {
  // Only an admin can end a lockdown.
  const required = message === admins
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
