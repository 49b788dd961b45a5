import * as z from 'zod'
import { type Environment, given } from '../env/environment.ts'
import { type Fault, nameOf, type Path } from './lint.ts'

export const variableName = /^[A-Z_][A-Z0-9_]*$/

/** The variables that a project of the policy file names, as far as they can be read beside mistakes. */
export interface Naming {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly probeKey?: string | undefined
}

const variable = z.string().regex(variableName).optional().catch(undefined)
const loose = z.object({
  projects: z.array(
    z
      .object({
        base_url_env: variable,
        api_key_env: variable,
        signals: z.object({ key_env: variable }).optional().catch(undefined),
      })
      .catch({ base_url_env: undefined, api_key_env: undefined, signals: undefined }),
  ),
})

/** One for each project of the file, in its order. */
export function namingsIn(content: unknown): readonly Naming[] {
  const projects = loose.safeParse(content).data?.projects ?? []
  return projects.map(({ base_url_env, api_key_env, signals }) => ({
    baseUrl: base_url_env,
    apiKey: api_key_env,
    probeKey: signals?.key_env,
  }))
}

/** Secrets that are for Slack and Redis alone. */
const ours = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'LAMPLIGHTER_KEY', 'REDIS_URL']

/** A key that is sent somewhere: to containers or to the platform. */
interface Sent {
  readonly path: Path
  readonly variable: string
  /** Variables that must not be sent there. */
  readonly others: readonly string[]
  readonly instead: string
}

function sentBy(namings: readonly Naming[]): readonly Sent[] {
  const platform = namings.flatMap(({ apiKey }) => apiKey ?? [])
  return namings.flatMap(({ apiKey, probeKey }, index) => [
    ...(apiKey === undefined
      ? []
      : [
          {
            path: ['projects', index, 'api_key_env'],
            variable: apiKey,
            others: ours,
            instead:
              'It would be sent to the platform. Name a variable with an API key of the platform, for example PLATFORM_API_KEY.',
          },
        ]),
    ...(probeKey === undefined
      ? []
      : [
          {
            path: ['projects', index, 'signals', 'key_env'],
            variable: probeKey,
            others: [...ours, ...platform],
            instead:
              'It would be sent to every container. Name a variable with a key made for reading metrics only, for example METRICS_KEY, or leave key_env out.',
          },
        ]),
  ])
}

/** Variables named for a key that would carry another secret out, told by their names alone. */
export function misnamedIn(content: unknown): Fault[] {
  return sentBy(namingsIn(content)).flatMap(({ path, variable: name, others, instead }) =>
    others.includes(name)
      ? [{ path, says: `${nameOf(path)} names ${name}, which holds ${secretIn(name)}. ${instead}` }]
      : [],
  )
}

/** A sentence for each variable that is named for a key and holds the same value as another secret. */
export function sameValuesIn(namings: readonly Naming[], env: Environment): string[] {
  return sentBy(namings).flatMap(({ variable: name, others, instead }) => {
    const value = given(env, name)
    const same = others.find((other) => value !== undefined && valuesOf(env, other).includes(value))
    if (same === undefined || others.includes(name)) return []
    return [`${name} holds the same value as ${same}. ${instead}`]
  })
}

function secretIn(name: string): string {
  return ours.includes(name) ? 'a secret of Lamplighter itself' : "the platform's key"
}

/** LAMPLIGHTER_KEY may hold several keys: each is a secret, and so is the whole. */
function valuesOf(env: Environment, name: string): readonly string[] {
  const value = given(env, name)
  if (value === undefined) return []
  return [value, ...(name === 'LAMPLIGHTER_KEY' ? value.split(',').map((part) => part.trim()) : [])]
}
