import * as z from 'zod'
import type { Policy } from '../../core/model/policy.ts'
import { address } from '../env/address.ts'
import { type Environment, given, type Variables } from '../env/environment.ts'
import { type Secret, secret } from '../env/secrets.ts'
import type { Path } from './lint.ts'
import { type Naming, sameValuesIn } from './naming.ts'
import type { PolicyText } from './read.ts'
import type { ProjectEntry } from './schema.ts'
import { policyOf } from './to-policy.ts'

/** One API key's reach: its endpoints, the channels that may speak of them, and who may do what. */
export interface Project {
  readonly name: string
  /** Without a slash at the end. A bot process may do without. */
  readonly baseUrl?: string
  /** Only where calls are made: never in a bot process, even when the variable is set there. */
  readonly apiKey?: Secret
  /** Channel ids, or `*` for every channel that no other project claims. */
  readonly channels: readonly string[]
  /** As the file said it at the start. */
  readonly policy: Policy
  /** How endpoints themselves are asked whether they are used. */
  readonly signals: { readonly allowPrivate: boolean; readonly key?: Secret }
  /** The names of the variables that address and keys are read from, once, at the start. */
  readonly variables: { readonly baseUrl: string; readonly apiKey: string; readonly probeKey?: string }
}

/** Full members may look, nobody may change anything: what holds where no policy was written. */
const withoutFile: readonly ProjectEntry[] = [
  {
    name: 'default',
    base_url_env: 'PLATFORM_BASE_URL',
    api_key_env: 'PLATFORM_API_KEY',
    channels: ['*'],
    roles: { viewer: [{ kind: 'everyone' }], operator: [], approver: [], admin: [] },
  },
]

const usual: Naming = { baseUrl: 'PLATFORM_BASE_URL', apiKey: 'PLATFORM_API_KEY' }

const instead = {
  base_url_env: 'the address of the platform API, for example https://api.example.com/v1',
  api_key_env: "an API key of the platform's project",
}

type Held = Pick<Project, 'baseUrl' | 'apiKey'> & { readonly probeKey?: Secret }

/**
 * The projects, joined with the variables they name. Mistakes are noted; those of variables also where the file has
 * mistakes, or cannot be read at all (`unread`), as far as it can be told which it names.
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
  const namings = text?.namings ?? [usual]

  function missing(name: string, path: Path, says: string): void {
    if (unread || given(env, name) !== undefined) return
    mistakes.push(text ? `${text.at(path)} names ${name}, which is not set. ${says}` : `${name} is missing. ${says}`)
  }

  function heldBy({ baseUrl: url, apiKey: key, probeKey: probe }: Naming, index: number): Held {
    const path = ['projects', index]
    if (calls && url) missing(url, [...path, 'base_url_env'], `Set ${url} to ${instead.base_url_env}.`)
    const baseUrl = url && variables.optional(url, address)
    if (!calls) return { ...(baseUrl && { baseUrl }) }
    if (key) missing(key, [...path, 'api_key_env'], `Set ${key} to ${instead.api_key_env}.`)
    const apiKey = key && variables.optional(key, hidden)
    if (probe) missing(probe, [...path, 'signals', 'key_env'], 'Set it, or leave key_env out.')
    const probeKey = probe && variables.optional(probe, hidden)
    return { ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }), ...(probeKey && { probeKey }) }
  }

  const held = namings.map(heldBy)
  // A file that is not YAML may name nothing that can be read.
  if (namings.every(({ baseUrl }) => baseUrl === undefined)) variables.optional('PLATFORM_BASE_URL', address)
  mistakes.push(...sameValuesIn(namings, env))
  if (unread) return []
  const entries = text ? (text.policy?.projects ?? []) : withoutFile
  return entries.map((entry, index) => {
    const { probeKey, ...own } = held[index] ?? {}
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

const hidden = z.string().transform(secret<string>)

/** Variables with keys that only workers use. */
export function keysOfWorkers(projects: readonly Project[]): string[] {
  const named = projects.flatMap(({ variables: { apiKey, probeKey } }) => [apiKey, ...(probeKey ? [probeKey] : [])])
  return [...new Set([...named, 'PLATFORM_API_KEY'])]
}
