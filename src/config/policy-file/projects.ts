import type { Policy } from '../../core/model/policy.ts'
import { address } from '../env/address.ts'
import { type Environment, readVariable, type Variables } from '../env/environment.ts'
import { type Secret, secretText } from '../env/secrets.ts'
import type { Path } from './lint.ts'
import { type ProjectVariables, sameValuesIn } from './naming.ts'
import type { PolicyText } from './read.ts'
import type { ProjectEntry } from './schema.ts'
import { policyOf } from './to-policy.ts'

/** The endpoints of one API key, the channels that may ask for them, and who may do what. */
export interface Project {
  readonly name: string
  /** Without a slash at the end. Optional for a bot. */
  readonly baseUrl?: string
  /** Never in a bot, even if the variable is set there. */
  readonly apiKey?: Secret
  /** Channel ids, or `*` for every channel that no other project claims. */
  readonly channels: readonly string[]
  /** As it was in force at the start. */
  readonly policy: Policy
  /** How the metrics of endpoints are read. */
  readonly signals: { readonly allowPrivate: boolean; readonly key?: Secret }
  /** Names of the variables with address and keys, which are read once, at the start. */
  readonly variables: { readonly baseUrl: string; readonly apiKey: string; readonly probeKey?: string }
}

/** Without a policy file full members may look, and nobody may change anything. */
const withoutFile: readonly ProjectEntry[] = [
  {
    name: 'default',
    base_url_env: 'PLATFORM_BASE_URL',
    api_key_env: 'PLATFORM_API_KEY',
    channels: ['*'],
    roles: { viewer: [{ kind: 'everyone' }], operator: [], approver: [], admin: [] },
  },
]

const defaultVariables: ProjectVariables = { baseUrl: 'PLATFORM_BASE_URL', apiKey: 'PLATFORM_API_KEY' }

const instead = {
  base_url_env: 'the address of the platform API, for example https://api.example.com/v1',
  api_key_env: "an API key of the platform's project",
}

type Values = Pick<Project, 'baseUrl' | 'apiKey'> & { readonly probeKey?: Secret }

/**
 * The projects with the values of the variables that they name. Mistakes are noted. Those of variables are noted also if
 * the file has mistakes or cannot be read (`unread`), as far as their names are known.
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
  const namings = text?.namings ?? [defaultVariables]

  function missing(name: string, path: Path, says: string): void {
    if (unread || readVariable(env, name) !== undefined) return
    mistakes.push(text ? `${text.at(path)} names ${name}, which is not set. ${says}` : `${name} is missing. ${says}`)
  }

  function readFor({ baseUrl: url, apiKey: key, probeKey: probe }: ProjectVariables, index: number): Values {
    const path = ['projects', index]
    if (calls && url) missing(url, [...path, 'base_url_env'], `Set ${url} to ${instead.base_url_env}.`)
    const baseUrl = url && variables.optional(url, address)
    if (!calls) return { ...(baseUrl && { baseUrl }) }
    if (key) missing(key, [...path, 'api_key_env'], `Set ${key} to ${instead.api_key_env}.`)
    const apiKey = key && variables.optional(key, secretText)
    if (probe) missing(probe, [...path, 'signals', 'key_env'], 'Set it, or leave key_env out.')
    const probeKey = probe && variables.optional(probe, secretText)
    return { ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }), ...(probeKey && { probeKey }) }
  }

  const values = namings.map(readFor)
  // No name can be read from a file that is not YAML.
  if (namings.every(({ baseUrl }) => baseUrl === undefined)) variables.optional('PLATFORM_BASE_URL', address)
  mistakes.push(...sameValuesIn(namings, env))
  if (unread) return []
  const entries = text ? (text.policy?.projects ?? []) : withoutFile
  return entries.map((entry, index) => {
    const { probeKey, ...own } = values[index] ?? {}
    return {
      ...own,
      name: entry.name,
      channels: entry.channels,
      policy: policyOf(entry, version),
      variables: {
        baseUrl: entry.base_url_env,
        apiKey: entry.api_key_env,
        ...(entry.signals?.key_env && { probeKey: entry.signals.key_env }),
      },
      signals: { allowPrivate: entry.signals?.allow_private === true, ...(probeKey && { key: probeKey }) },
    }
  })
}

/** Names of variables with keys for workers only. */
export function keysOfWorkers(projects: readonly Project[]): string[] {
  const named = projects.flatMap(({ variables: { apiKey, probeKey = apiKey } }) => [apiKey, probeKey])
  return [...new Set([...named, 'PLATFORM_API_KEY'])]
}
