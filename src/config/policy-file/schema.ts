import { hash } from 'node:crypto'
import * as z from 'zod'
import { languages, say } from '../../core/model/words.ts'
import { asText } from '../../core/words/render.ts'
import { type Environment, isPlaceholder, readVariable } from '../env/environment.ts'
import { eventsSchema, idleSchema, pricesSchema, schedulesSchema } from './automation-schema.ts'
import { type Fault, faultAt, labelOf, type Path } from './lint.ts'
import {
  approvalsSchema,
  boundsSchema,
  endpointsSchema,
  matrixSchema,
  rolesSchema,
  tokenMakers,
  workflowPeople,
} from './requirement-schema.ts'
import {
  group,
  type LooseProject,
  like,
  listOf,
  settings,
  shown,
  textLike,
  variable,
  wordSchema,
  yesOrNo,
} from './schema-words.ts'

const channel = textLike(/^(\*|[CGD][A-Z0-9]{1,31})$/, say('policyFile.channel', { all: 'yes' }))
const channelsForm = like('[C0123ABCD]')
const oneChannel = textLike(/^[CG][A-Z0-9]{1,31}$/, say('policyFile.channel', { all: 'no' }))

const signals = settings('signals', {
  key_env: variable('METRICS_KEY').describe(
    "Environment variable with a key that can only read metrics. Never the platform's own key.",
  ),
  allow_private: yesOrNo().describe('Whether metrics at private addresses are read. Default: false.'),
}).describe('How to find out whether endpoints are used.')

const project = group(
  say('policyFile.keys', { keys: { all: ['name', 'base_url_env', 'api_key_env', 'channels', 'roles'] }, name: 'none' }),
  {
    name: textLike(/^[a-z0-9-]{1,32}$/, say('policyFile.projectName')).describe(
      "The project's name. Its data in Redis is stored under it.",
    ),
    base_url_env: variable('PLATFORM_BASE_URL').describe(
      "Environment variable with the address of the platform's API.",
    ),
    api_key_env: variable('PLATFORM_API_KEY').describe('Environment variable with the API key. Never the key itself.'),
    channels: listOf(channelsForm, channel)
      .min(1, { error: shown(channelsForm) })
      .describe('Channels of this project, or "*" for every one that no other project has.'),
    language: wordSchema(languages)
      .exactOptional()
      .describe('Language in its channels: en or ko. Default: en. Private answers are in the language of the reader.'),
    roles: rolesSchema,
    matrix: matrixSchema.exactOptional(),
    approvals: approvalsSchema.exactOptional(),
    tokens: tokenMakers.exactOptional(),
    workflows: workflowPeople.exactOptional(),
    endpoints: endpointsSchema.exactOptional(),
    schedules: schedulesSchema.exactOptional(),
    idle: idleSchema.exactOptional(),
    signals: signals.exactOptional(),
    events: eventsSchema.exactOptional(),
    prices: pricesSchema.exactOptional(),
    bounds: boundsSchema.exactOptional(),
  },
)

const projectsForm = say('policyFile.projects')

/** The schema of `lamplighter.yaml`. The message of an issue follows its place: "is missing. Write …". */
export const policySchema = group(projectsForm, {
  operations_channel: oneChannel
    .exactOptional()
    .describe(
      'Channel for results that have no other channel, and for questions about requests made outside channels.',
    ),
  audit_channel: oneChannel
    .exactOptional()
    .describe('Channel where the newest audit checkpoint is posted once a day. Default: none.'),
  projects: listOf(projectsForm, project)
    .min(1, { error: shown(projectsForm) })
    .describe('One project for each API key of the platform.'),
}).describe('Who can do what with the GPU endpoints of a platform, from Slack.')

export type PolicyFile = z.infer<typeof policySchema>
export type ProjectEntry = PolicyFile['projects'][number]

/** Returns twelve characters that change with the text of the file. */
export function versionOf(text: string): string {
  return hash('sha256', text).slice(0, 12)
}

/** Returns the policy file's JSON Schema for editors, with a description of each key. */
export function editorSchema(): string {
  // Editors support draft 7 best.
  const schema = z.toJSONSchema(policySchema, { io: 'input', target: 'draft-07', unrepresentable: 'any' })
  return `${JSON.stringify({ title: 'lamplighter.yaml', ...schema }, null, 2)}\n`
}

/** The variables named by a project in the policy file; those that can't be read are left out. */
export type ProjectVariables = Partial<
  Pick<LooseProject, 'name' | 'base_url_env' | 'api_key_env' | 'signals' | 'events'>
>

/** Variables whose secrets may go only to Slack and Redis. */
const ours = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'LAMPLIGHTER_KEY', 'REDIS_URL']

/** Keys sent to containers or the platform, or known to a receiver of events. `others` must not have the same value. */
function sentKeysOf(namings: readonly ProjectVariables[]) {
  const platform = namings.flatMap(({ api_key_env }) => api_key_env ?? [])
  const probing = namings.flatMap(({ signals }) => signals?.key_env ?? [])
  const keys = namings.flatMap(({ name, api_key_env, signals, events = [] }, index) => {
    const key = (path: Path, variable: string | undefined, others: readonly string[], to: string) => {
      return { path: ['projects', index, ...path], variable, others, instead: say('policyFile.sentTo', { to }) }
    }
    const api = key(['api_key_env'], api_key_env, ours, 'platform')
    const earlier = namings.slice(0, index).map((one, at) => {
      const both = { first: labelOf(at, one.name), second: labelOf(index, name) }
      return { ...api, others: one.api_key_env ? [one.api_key_env] : [], instead: say('policyFile.sharedKey', both) }
    })
    return [
      api,
      ...earlier,
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
