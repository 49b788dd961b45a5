import * as z from 'zod'
import { BadRedisAddress, redisAddress } from '../core/text/redis-address.ts'
import { type Environment, given, oneOf, type Variables, variablesOf, wholeNumber } from './env/environment.ts'
import { ConfigError } from './env/errors.ts'
import { type SealingKey, type Secret, sealingKey, secret } from './env/secrets.ts'
import { type SlackConfig, slackOf } from './env/slack.ts'
import { type Checked, checkedFile } from './policy-file/check.ts'
import { keysOfWorkers, type Project, projectsOf } from './policy-file/projects.ts'
import { type NamedGroup, type PolicyText, readPolicy } from './policy-file/read.ts'
import { type PolicySource, policySourceOf, type ReadFile, readIfThere, versionOf } from './policy-file/source.ts'

export type ProcessRole = 'bot' | 'worker' | 'all'

/** All that a process was told. Secrets show themselves only when asked by `reveal()`. */
export interface Config {
  readonly role: ProcessRole
  readonly slack: SlackConfig
  /** May carry a password. */
  readonly redisUrl: Secret
  /** Stands before every key in Redis, for a Redis that is shared. */
  readonly prefix: string
  /** ms; what one call to the platform may take. */
  readonly platformTimeoutMs: number
  /** The name of the body's field when scaling. */
  readonly scaleField: ScaleField
  readonly key?: SealingKey
  /** How many lines of one person are taken in a minute, and at once. */
  readonly perMinute: number
  /** A Redis that loses what it is given at a crash is refused, unless this says that nothing is at stake (the demo). */
  readonly mayForget: boolean
  /** A file that holds an offset in ms, added to the clock. For the sandbox. */
  readonly clockFile?: string
  /** Where the heads of the audit are noted, and what is pruned from it goes. */
  readonly auditDir?: string
  readonly operationsChannel?: string
  /** Changes with the text of the policy file; `none` without one. */
  readonly policyVersion: string
  /** The policy file's path. */
  readonly policySource: string | null
  /** The user groups that the policy file names, each with its place. */
  readonly groups: readonly NamedGroup[]
  readonly projects: readonly Project[]
  /** Variables with keys of workers that a bot was given. */
  readonly surplus: readonly string[]
}

const scaleFields = ['replica_count', 'num_replicas'] as const
export type ScaleField = (typeof scaleFields)[number]

/** The configuration of this process. Takes keys out of its environment that it has no use for. Throws ConfigError. */
export function loadConfig(role: ProcessRole): Config {
  const config = readConfig(process.env, role, readIfThere)
  for (const name of config.surplus) delete process.env[name]
  return config
}

/** Looks over the policy file that is named, or the one that a start would take; and how Slack can be asked, if at all. */
export function lookOver(file: string | undefined): Checked & { readonly slack: SlackConfig | undefined } {
  const slack = slackOf(process.env, variablesOf(process.env, []), false, [])
  return { ...checkedFile(file, process.env, readIfThere), slack }
}

/**
 * Environment and policy file as one value; nothing else is read. A role gets what it needs and no more: a bot process
 * holds no platform key, a worker neither app token nor signing secret.
 * Throws ConfigError with every mistake at once: where it is, what is wrong, what to write instead.
 */
export function readConfig(env: Environment, role: ProcessRole, readFile: ReadFile): Config {
  const mistakes: string[] = []
  const source = policySourceOf(env, readFile, mistakes)
  const unread = mistakes.length > 0
  if (!source && !unread && nothingIsSet(env)) throw new ConfigError([howToBegin])
  const variables = variablesOf(env, mistakes)
  const policy = source && readPolicy(source.path, source.text, mistakes)
  const slack = slackOf(env, variables, role !== 'worker', mistakes)
  const redisUrl = variables.required(
    'REDIS_URL',
    redis,
    'Write the address of your Redis, for example redis://127.0.0.1:6379.',
  )
  const settings = settingsOf(variables)
  const record = recordOf(source, policy)
  const projects = projectsOf(policy, unread, record.policyVersion, env, variables, role !== 'bot', mistakes)
  if (mistakes.length > 0 || !slack || !redisUrl) throw new ConfigError([...new Set(mistakes)])
  const surplus = role === 'bot' ? keysOfWorkers(projects).filter((name) => given(env, name) !== undefined) : []
  return { role, slack, redisUrl, ...settings, ...record, projects, surplus }
}

const howToBegin =
  'Nothing is configured yet. To try it without any account: npm run demo. To run it for real, set SLACK_BOT_TOKEN, ' +
  'SLACK_APP_TOKEN (or SLACK_SIGNING_SECRET and PORT), PLATFORM_BASE_URL, PLATFORM_API_KEY and REDIS_URL, and write ' +
  'lamplighter.yaml to say who may do what; the README describes each.'

const first = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'PLATFORM_BASE_URL',
  'PLATFORM_API_KEY',
  'REDIS_URL',
]

function nothingIsSet(env: Environment): boolean {
  return [...first, 'LAMPLIGHTER_CONFIG'].every((name) => given(env, name) === undefined)
}

const redis = z.string().transform((text, context) => {
  try {
    redisAddress(text)
    return secret(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof BadRedisAddress ? error.message : String(error) })
    return z.NEVER
  }
})

const prefix = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, { error: 'is not a prefix. Write 1 to 32 small letters, digits or hyphens.' })

function settingsOf(variables: Variables) {
  const key = variables.optional('LAMPLIGHTER_KEY', sealingKey)
  const clockFile = variables.optional('LAMPLIGHTER_CLOCK_FILE', z.string())
  const auditDir = variables.optional('LAMPLIGHTER_AUDIT_DIR', z.string())
  return {
    prefix: variables.optional('LAMPLIGHTER_PREFIX', prefix) ?? 'lamplighter',
    platformTimeoutMs:
      variables.optional('PLATFORM_TIMEOUT_MS', wholeNumber(100, 300_000, '10000 for ten seconds')) ?? 10_000,
    scaleField: variables.optional('PLATFORM_SCALE_FIELD', oneOf(scaleFields)) ?? scaleFields[0],
    perMinute: variables.optional('LAMPLIGHTER_LIMIT_PER_MINUTE', wholeNumber(1, 100_000, '20')) ?? 20,
    mayForget: variables.optional('LAMPLIGHTER_REDIS_MAY_FORGET', oneOf(['yes', 'no'])) === 'yes',
    ...(key && { key }),
    ...(clockFile && { clockFile }),
    ...(auditDir && { auditDir }),
  }
}

function recordOf(source: PolicySource | undefined, policy: PolicyText | undefined) {
  const operationsChannel = policy?.policy?.operations_channel
  return {
    policySource: source?.path ?? null,
    policyVersion: source ? versionOf(source.text) : 'none',
    groups: policy?.groups ?? [],
    ...(operationsChannel && { operationsChannel }),
  }
}

/** Every secret as text, for masks. */
export function secretsOf(config: Config): string[] {
  return [...secretsFromContainers(config), ...config.projects.flatMap(({ signals }) => signals.key?.reveal() ?? [])]
}

/** Every secret that no container may see, as text. */
export function secretsFromContainers({ slack, redisUrl, key, projects }: Config): string[] {
  const inbound = slack.mode?.kind === 'http' ? slack.mode.signingSecret : slack.mode?.appToken
  const held = [slack.botToken, inbound, ...projects.map(({ apiKey }) => apiKey)]
  const keys = key === undefined ? [] : [key.current, ...key.earlier].map((bytes) => Buffer.from(bytes.reveal()))
  const { password, sentinelPassword } = redisAddress(redisUrl.reveal())
  const passwords = [password, sentinelPassword].flatMap((one) => one ?? [])
  return [
    ...held.flatMap((one) => one?.reveal() ?? []),
    ...keys.map((bytes) => bytes.toString('base64')),
    ...(passwords.length > 0 ? [redisUrl.reveal(), ...passwords, ...passwords.map(encodeURIComponent)] : []),
  ]
}
