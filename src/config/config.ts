import { demoLine, program } from '../core/text/program.ts'
import { redisAddress } from '../core/text/redis-address.ts'
import { redis, secretsOfProxy } from './env/address.ts'
import { ConfigError, type Environment, mistypedIn, readVariable, type Secret, variablesOf } from './env/environment.ts'
import { apiOf, isSocketMode, processSettingsOf, type SlackConfig, slackOf } from './env/settings.ts'
import { checkedFile } from './policy-file/check.ts'
import { type CurrentPolicy, eventSecretsIn, keysOfWorkers, type Project, projectsOf } from './policy-file/projects.ts'
import { inEnglish, policySourceOf, type ReadFile, readIfThere, readPolicy } from './policy-file/read.ts'
import { versionOf } from './policy-file/schema.ts'

export const processRoles = ['bot', 'worker', 'api', 'all'] as const
export type ProcessRole = (typeof processRoles)[number]

/**
 * `audit` is a terminal that reads the stored audit and calls neither the platform nor a webhook; `doctor` one that needs
 * what a worker needs, and tests the app token if it is set.
 */
type Reader = ProcessRole | 'audit' | 'doctor'

export interface Config extends Omit<CurrentPolicy, 'projects'>, ReturnType<typeof processSettingsOf> {
  readonly slack: SlackConfig
  readonly redisUrl: Secret
  /** The port for programs; without it nothing listens. */
  readonly api: ReturnType<typeof apiOf>
  readonly projects: readonly Project[]
  /** Names of variables in a bot's environment whose secrets only workers need. */
  readonly surplus: readonly string[]
}

/** The configuration of this process. Deletes the surplus variables from its environment. Throws ConfigError. */
export function loadConfig(role: Reader): Config {
  const config = readConfig(process.env, role, readIfThere)
  for (const name of config.surplus) {
    delete process.env[name]
    delete process.env[`${name}_FILE`]
  }
  return config
}

/** The environment with `.env`, for a command that starts from the current settings. */
export function ownEnvironment(): Environment {
  return process.env
}

/** Checks the named policy file, or the one a start would read, and the variables. `slack` says how to call Slack; `unset` what is missing for a start here. */
export function checkFile(file: string | undefined, env: Environment) {
  const asked: string[] = ['LAMPLIGHTER_CONFIG', 'LAMPLIGHTER_ENV_FILE', 'LAMPLIGHTER_API_URL', 'LAMPLIGHTER_TOKEN']
  const checked = checkedFile(file, env, readIfThere, asked)
  const mistakes = [...checked.environment]
  const { optional } = variablesOf(env, mistakes, asked)
  const variables = { optional, required: optional }
  // Calling Slack needs no app token or signing secret.
  const slack = slackOf(env, variables, true, []) ?? slackOf(env, variables, false, [])
  optional('REDIS_URL', redis)
  const api = apiOf(variables)
  const { proxy, ops } = processSettingsOf(variables)
  if (ops !== undefined && ops.port !== 0 && ops.port === api?.port && ops.host === api.host)
    mistakes.push(`LAMPLIGHTER_API_PORT and LAMPLIGHTER_OPS_PORT are both ${ops.port}. Change one of them.`)
  // Processes that need these may run elsewhere.
  const absent: string[] = []
  const needed = variablesOf(env, absent)
  slackOf(env, needed, true, absent)
  needed.required('REDIS_URL', redis, redisForm)
  const unset = absent.flatMap((says) => (mistakes.includes(says) ? [] : [`Here, ${says}`]))
  if (!checked.ids.some(({ key }) => key === 'operations_channel')) unset.push(noOperations)
  const notes = [...checked.notes, ...mistypedIn(env, asked)]
  return { ...checked, notes, environment: [...new Set(mistakes)], unset, slack: slack && { ...slack, proxy } }
}

const redisForm = 'Write the address of your Redis, for example redis://127.0.0.1:6379.'
const noOperations =
  'There is no operations_channel, so rules start and stop nothing, and warnings have nowhere to go. Set one, unless that is intended.'

/** Reads the environment and the policy file. A role gets only what it needs. Throws a ConfigError, which lists all. */
export function readConfig(env: Environment, role: Reader, readFile: ReadFile): Config {
  const mistakes: string[] = []
  const source = policySourceOf(env, readFile, mistakes)
  const unread = mistakes.length > 0
  const isUnset = firstVariables.every((name) => readVariable(env, name) === undefined)
  if (!source && !unread && isUnset) throw new ConfigError([howToBegin])
  const variables = variablesOf(env, mistakes)
  const policy = source && readPolicy(source.path, source.text)
  mistakes.push(...inEnglish(policy?.mistakes))
  const callsPlatform = role === 'worker' || role === 'all' || role === 'doctor'
  const listens = role === 'bot' || role === 'all' || (role === 'doctor' && isSocketMode(env))
  const slack = slackOf(env, variables, listens, mistakes)
  const redisUrl = variables.required('REDIS_URL', redis, redisForm)
  const settings = processSettingsOf(variables)
  const api = role === 'api' || role === 'all' ? apiOf(variables) : undefined
  const policyVersion = source ? versionOf(source.text) : 'none'
  const projects = projectsOf(policy, unread, policyVersion, env, variables, callsPlatform, mistakes)
  if (role === 'api' && api === undefined && mistakes.length === 0)
    mistakes.push('LAMPLIGHTER_API_PORT is missing. Write the port for programs, for example 8080.')
  if (mistakes.length > 0 || !slack || !redisUrl) throw new ConfigError([...new Set(mistakes)])
  const surplus = !callsPlatform ? keysOfWorkers(projects).filter((name) => readVariable(env, name) !== undefined) : []
  return {
    slack,
    redisUrl,
    ...settings,
    api,
    policySource: source?.path ?? null,
    policyVersion,
    ids: policy?.ids ?? [],
    operationsChannel: policy?.policy?.operations_channel,
    auditChannel: policy?.policy?.audit_channel,
    projects,
    ...(callsPlatform && { eventSecrets: eventSecretsIn(env) }),
    surplus,
  }
}

const howToBegin = `Nothing is configured yet. To try it without an account, run ${demoLine}. To set it up in your workspace, run ${program} init.`

const firstVariables = [
  'LAMPLIGHTER_CONFIG',
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'PLATFORM_BASE_URL',
  'PLATFORM_API_KEY',
  'REDIS_URL',
]

/** All secrets as plain text, to be masked. */
export function secretsOf(config: Config): string[] {
  const shared = config.projects.flatMap(({ signals, variables: { events = [] } }) => [
    signals.key,
    ...events.map(({ secret_env }) => config.eventSecrets?.of(secret_env)),
  ])
  return [...secretsFromContainers(config), ...shared.flatMap((one) => one?.reveal() ?? [])]
}

/** All secrets that must not be sent to a container, as plain text. */
export function secretsFromContainers({ slack, redisUrl, key, proxy, projects, api }: Config): string[] {
  const inbound = slack.mode?.kind === 'http' ? slack.mode.signingSecret : slack.mode?.appToken
  const plain = [slack.botToken, inbound, api?.signingSecret, ...projects.map(({ apiKey }) => apiKey)]
  const keys = key === undefined ? [] : [key.current, ...key.earlier]
  const { password, sentinelPassword } = redisAddress(redisUrl.reveal())
  const passwords = [password, sentinelPassword].flatMap((one) => one ?? [])
  return [
    ...plain.flatMap((one) => one?.reveal() ?? []),
    ...keys.map((bytes) => Buffer.from(bytes.reveal()).toString('base64')),
    ...(proxy === undefined ? [] : secretsOfProxy(proxy.reveal())),
    ...(passwords.length > 0 ? [redisUrl.reveal(), ...passwords, ...passwords.map(encodeURIComponent)] : []),
  ]
}
