import type * as z from 'zod'
import type { Policy } from '../../core/model/policy.ts'
import { platformExample, platformUrl } from '../env/address.ts'
import {
  ConfigError,
  type Environment,
  headerSecret,
  readVariable,
  type Secret,
  secretText,
  type Variables,
  variablesOf,
} from '../env/environment.ts'
import type { Path } from './lint.ts'
import type { PolicyText } from './read.ts'
import { type ProjectEntry, type ProjectVariables, sameValuesIn } from './schema.ts'
import { policyOf } from './to-policy.ts'

/** The endpoints of one API key, the channels that may ask for them, and who may do what. */
export interface Project {
  readonly name: string
  /** Without a trailing slash. Optional for a bot. */
  readonly baseUrl?: string | undefined
  /** Never set in a bot, even if its environment has the variable. */
  readonly apiKey?: Secret | undefined
  /** Channel ids, or `*` for every channel that no other project claims. */
  readonly channels: readonly string[]
  /** The policy at startup. */
  readonly policy: Policy
  readonly signals: { readonly allowPrivate: boolean; readonly key: Secret | undefined }
  /** Names of the variables for address and keys. Only secrets of webhooks are read again after startup. */
  readonly variables: Pick<ProjectEntry, 'base_url_env' | 'api_key_env' | 'signals' | 'events'>
}

/** The policy file in force, and the projects made from it. */
export interface CurrentPolicy {
  readonly policySource: string | null
  /** Changes with the text of the file; `none` without one. */
  readonly policyVersion: string
  readonly operationsChannel?: string | undefined
  readonly auditChannel?: string | undefined
  readonly ids: PolicyText['ids']
  readonly projects: readonly Pick<Project, 'name' | 'channels' | 'policy' | 'variables'>[]
  /** The secrets of webhooks; absent in a process that sends no events. */
  readonly eventSecrets?: EventSecrets | undefined
}

/** Without a policy file full members can view, and nobody can change anything. */
const withoutFile: readonly ProjectEntry[] = [
  {
    name: 'default',
    base_url_env: 'PLATFORM_BASE_URL',
    api_key_env: 'PLATFORM_API_KEY',
    channels: ['*'],
    roles: { viewer: [{ kind: 'everyone' }], operator: [], approver: [], admin: [] },
  },
]

/**
 * Returns the projects with the values of their variables, and collects mistakes. Those in variables are reported even
 * if the file has mistakes or can't be read (`unread`), provided their names are known. `calls`: this process calls the
 * platform.
 */
export function projectsOf(
  text: PolicyText | undefined,
  unread: boolean,
  version: string,
  env: Environment,
  variables: Variables,
  calls: boolean,
  mistakes: string[],
): Project[] {
  const namings: readonly ProjectVariables[] = text?.namings ?? withoutFile

  /** `missing` says what to do if the variable is not set; without it the variable is optional. */
  function valueFrom<Value>(name: string | undefined, schema: z.ZodType<Value, string>, path: Path, missing?: string) {
    if (name === undefined) return undefined
    if (missing !== undefined && !unread && readVariable(env, name) === undefined)
      mistakes.push(
        text ? `${text.at(path)} names ${name}, which isn’t set. ${missing}` : `${name} is missing. ${missing}`,
      )
    return variables.optional(name, schema)
  }

  const values = namings.map(({ base_url_env: url, api_key_env: key, signals, events = [] }, index) => {
    const path = ['projects', index]
    const toUrl = `Set ${url} to the address of the platform API, for example ${platformExample}.`
    const baseUrl = valueFrom(url, platformUrl, [...path, 'base_url_env'], calls ? toUrl : undefined)
    if (!calls) return { baseUrl }
    const toKey = `Set ${key} to an API key of the platform's project.`
    const apiKey = valueFrom(key, headerSecret, [...path, 'api_key_env'], toKey)
    const keyPath = [...path, 'signals', 'key_env']
    const probeKey = valueFrom(signals?.key_env, secretText, keyPath, 'Set it, or leave key_env out.')
    // A missing secret turns off its webhook and nothing else.
    for (const { secret_env } of events) valueFrom(secret_env, secretText, path)
    return { baseUrl, apiKey, probeKey }
  })
  // No name can be read from a file that is not YAML.
  if (namings.every(({ base_url_env }) => base_url_env === undefined))
    variables.optional('PLATFORM_BASE_URL', platformUrl)
  mistakes.push(...sameValuesIn(namings, env))
  if (unread) return []
  const entries = text ? (text.policy?.projects ?? []) : withoutFile
  return entries.map((entry, index) => {
    const { baseUrl, apiKey, probeKey } = values[index] ?? {}
    return {
      baseUrl,
      apiKey,
      name: entry.name,
      channels: entry.channels,
      policy: policyOf(entry, version),
      variables: entry,
      signals: { allowPrivate: entry.signals?.allow_private === true, key: probeKey },
    }
  })
}

export type EventSecrets = ReturnType<typeof eventSecretsIn>

/** The secrets of webhooks, also of those that the policy file names later. */
export function eventSecretsIn(env: Environment) {
  const known = new Map<string, Secret>()
  return {
    /** The value of a variable as it was when it was first asked for; undefined where it is not set or cannot be read. */
    of(variable: string): Secret | undefined {
      const value = known.get(variable) ?? secretNow(env, variable)
      if (value !== undefined) known.set(variable, value)
      return value
    },
    /** What is wrong with variables that hold the value of another secret. */
    shared: (namings: readonly ProjectVariables[]) => sameValuesIn(namings, env),
  }
}

function secretNow(env: Environment, variable: string): Secret | undefined {
  try {
    return variablesOf(env, []).optional(variable, secretText)
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

export function keysOfWorkers(projects: readonly Project[]): string[] {
  const named = projects.flatMap(({ variables: { api_key_env, signals, events = [] } }) => [
    api_key_env,
    signals?.key_env ?? api_key_env,
    ...events.map(({ secret_env }) => secret_env),
  ])
  return [...new Set([...named, 'PLATFORM_API_KEY'])]
}
