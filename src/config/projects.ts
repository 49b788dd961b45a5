import * as z from 'zod'
import type { Policy } from '../domain/demand.ts'
import { address } from './address.ts'
import { type Environment, given, type Variables } from './environment.ts'
import { policyOf } from './policy.ts'
import type { PolicyText } from './policy-file.ts'
import type { ProjectEntry } from './policy-schema.ts'
import { type Secret, secret } from './secret.ts'

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
  /** The names of the variables that address and key are read from, once, at the start. */
  readonly variables: { readonly baseUrl: string; readonly apiKey: string }
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

const instead = {
  base_url_env: 'the address of the platform API, for example https://api.example.com/v1',
  api_key_env: "an API key of the platform's project",
}

/** The projects, joined with the variables they name. Mistakes are noted. */
export function projectsOf(
  text: PolicyText | undefined,
  version: string,
  env: Environment,
  variables: Variables,
  calls: boolean,
  mistakes: string[],
): Project[] {
  // A file that could not be read has said so; its projects are not known.
  const entries = text ? (text.policy?.projects ?? []) : withoutFile
  return entries.map((entry, index) => {
    const named = (key: 'base_url_env' | 'api_key_env') => {
      const variable = entry[key]
      if (calls && given(env, variable) === undefined) {
        const place = text
          ? `${text.at(['projects', index, key])} names ${variable}, which is not set.`
          : `${variable} is missing.`
        mistakes.push(`${place} Set ${variable} to ${instead[key]}.`)
      }
      return variable
    }
    const baseUrl = variables.optional(named('base_url_env'), address)
    const apiKey = calls ? variables.optional(named('api_key_env'), z.string().transform(secret<string>)) : undefined
    const keyEnv = calls ? entry.signals?.key_env : undefined
    if (keyEnv !== undefined && given(env, keyEnv) === undefined && text)
      mistakes.push(
        `${text.at(['projects', index, 'signals', 'key_env'])} names ${keyEnv}, which is not set. Set it, or leave key_env out.`,
      )
    const probeKey = keyEnv === undefined ? undefined : variables.optional(keyEnv, z.string().transform(secret<string>))
    return {
      name: entry.name,
      channels: entry.channels,
      policy: policyOf(entry, version),
      variables: { baseUrl: entry.base_url_env, apiKey: entry.api_key_env },
      signals: {
        allowPrivate: entry.signals?.allow_private === true,
        ...(probeKey && { key: probeKey }),
      },
      ...(baseUrl && { baseUrl }),
      ...(apiKey && { apiKey }),
    }
  })
}
