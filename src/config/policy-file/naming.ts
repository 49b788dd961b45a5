import { type Environment, readVariable } from '../env/environment.ts'
import { type Fault, faultAt, type Path } from './lint.ts'

/** The variables that a project of the policy file names, as far as they can be read. */
export interface ProjectVariables {
  readonly base_url_env?: string | undefined
  readonly api_key_env?: string | undefined
  readonly signals?: { readonly key_env?: string | undefined } | undefined
}

/** Variables with secrets that only Slack and Redis may get. */
const ours = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'LAMPLIGHTER_KEY', 'REDIS_URL']

/** A key that is sent to containers or to the platform. */
interface SentKey {
  readonly path: Path
  readonly variable: string
  /** Variables that must not be sent there. */
  readonly others: readonly string[]
  readonly instead: string
}

function sentKeysOf(namings: readonly ProjectVariables[]): readonly SentKey[] {
  const platform = namings.flatMap(({ api_key_env }) => api_key_env ?? [])
  const keys = namings.flatMap(({ api_key_env, signals }, index) => [
    {
      path: ['projects', index, 'api_key_env'],
      variable: api_key_env,
      others: ours,
      instead:
        'It would be sent to the platform. Name a variable with an API key of the platform, for example PLATFORM_API_KEY.',
    },
    {
      path: ['projects', index, 'signals', 'key_env'],
      variable: signals?.key_env,
      others: [...ours, ...platform],
      instead:
        'It would be sent to every container. Name a variable with a key made for reading metrics only, for example METRICS_KEY, or leave key_env out.',
    },
  ])
  return keys.flatMap(({ variable, ...key }) => (variable === undefined ? [] : [{ ...key, variable }]))
}

/** Variables that are named for a key and, by their names alone, hold another secret. */
export function misnamedIn(namings: readonly ProjectVariables[]): Fault[] {
  return sentKeysOf(namings).flatMap(({ path, variable: name, others, instead }) => {
    const secret = ours.includes(name) ? 'a secret of Lamplighter itself' : "the platform's key"
    return others.includes(name) ? [faultAt(path, `names ${name}, which holds ${secret}. ${instead}`)] : []
  })
}

/** A sentence for each variable that is named for a key and holds the value of another secret. */
export function sameValuesIn(namings: readonly ProjectVariables[], env: Environment): string[] {
  return sentKeysOf(namings).flatMap(({ variable: name, others, instead }) => {
    const value = readVariable(env, name)
    const same = others.find((other) => value !== undefined && valuesOf(env, other).includes(value))
    if (same === undefined || others.includes(name)) return []
    return [`${name} holds the same value as ${same}. ${instead}`]
  })
}

/** The value, and each key of LAMPLIGHTER_KEY, which may hold several. */
function valuesOf(env: Environment, name: string): readonly string[] {
  const value = readVariable(env, name)
  if (value === undefined) return []
  return [value, ...(name === 'LAMPLIGHTER_KEY' ? value.split(',').map((part) => part.trim()) : [])]
}
