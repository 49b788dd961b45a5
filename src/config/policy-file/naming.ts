import { say } from '../../core/model/words.ts'
import { asText } from '../../core/words/render.ts'
import { type Environment, isPlaceholder, readVariable } from '../env/environment.ts'
import { type Fault, faultAt, type Path } from './lint.ts'
import type { LooseProject } from './schema-words.ts'

/** The variables named by a project in the policy file; those that can't be read are left out. */
export type ProjectVariables = Partial<Pick<LooseProject, 'base_url_env' | 'api_key_env' | 'signals' | 'events'>>

/** Variables whose secrets may go only to Slack and Redis. */
const ours = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'LAMPLIGHTER_KEY', 'REDIS_URL']

/** Keys sent to containers or the platform, or known to a receiver of events. `others` must not be sent there. */
function sentKeysOf(namings: readonly ProjectVariables[]) {
  const platform = namings.flatMap(({ api_key_env }) => api_key_env ?? [])
  const probing = namings.flatMap(({ signals }) => signals?.key_env ?? [])
  const keys = namings.flatMap(({ api_key_env, signals, events = [] }, index) => {
    const key = (path: Path, variable: string | undefined, others: readonly string[], to: string) => {
      return { path: ['projects', index, ...path], variable, others, instead: say('policyFile.sentTo', { to }) }
    }
    return [
      key(['api_key_env'], api_key_env, ours, 'platform'),
      key(['signals', 'key_env'], signals?.key_env, [...ours, ...platform], 'containers'),
      ...events.map(({ secret_env }, at) =>
        key(['events', at, 'secret_env'], secret_env, [...ours, ...platform, ...probing], 'receiver'),
      ),
    ]
  })
  return keys.flatMap(({ variable, ...key }) => (variable === undefined ? [] : [{ ...key, variable }]))
}

/** Finds variables that are named as a key but, by their names, hold another secret. */
export function misnamedIn(namings: readonly ProjectVariables[]): Fault[] {
  return sentKeysOf(namings).flatMap(({ path, variable: name, others, instead }) => {
    const isPlatforms = namings.some(({ api_key_env }) => api_key_env === name)
    const whose = ours.includes(name) ? 'ours' : isPlatforms ? 'platform' : 'metrics'
    const says = say('policyFile.misnamed', { variable: name, whose })
    return others.includes(name) ? [faultAt(path, [says, instead])] : []
  })
}

/** Returns a sentence for each variable that is named as a key but has the value of another secret. */
export function sameValuesIn(namings: readonly ProjectVariables[], env: Environment): string[] {
  return sentKeysOf(namings).flatMap(({ variable: name, others, instead }) => {
    const value = readVariable(env, name)
    if (value === undefined || isPlaceholder(value)) return []
    const same = others.find((other) => valuesOf(env, other).includes(value))
    if (same === undefined || others.includes(name)) return []
    return [asText([say('policyFile.sameValue', { variable: name, other: same }), instead], 'en')]
  })
}

/** The variable's value, split at commas for LAMPLIGHTER_KEY. */
function valuesOf(env: Environment, name: string): readonly string[] {
  const value = readVariable(env, name)
  if (value === undefined) return []
  return [value, ...(name === 'LAMPLIGHTER_KEY' ? value.split(',').map((part) => part.trim()) : [])]
}
