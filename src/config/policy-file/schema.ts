import { hash } from 'node:crypto'
import * as z from 'zod'
import { languages, say } from '../../core/model/words.ts'
import { eventsSchema, idleSchema, pricesSchema, schedulesSchema } from './automation-schema.ts'
import {
  approvalsSchema,
  boundsSchema,
  endpointsSchema,
  matrixSchema,
  rolesSchema,
  tokenMakers,
  workflowPeople,
} from './requirement-schema.ts'
import { group, like, listOf, settings, shown, textLike, variable, wordSchema, yesOrNo } from './schema-words.ts'

const channel = textLike(/^(\*|[CGD][A-Z0-9]{1,31})$/, say('policyFile.channel', { all: 'yes' }))
const channelsForm = like('[C0123ABCD]')
const oneChannel = textLike(/^[CG][A-Z0-9]{1,31}$/, say('policyFile.channel', { all: 'no' }))

const signals = settings('signals', {
  key_env: variable('METRICS_KEY')
    .exactOptional()
    .describe("Environment variable with a key that can only read metrics. Never the platform's own key."),
  allow_private: yesOrNo().exactOptional().describe('Whether metrics at private addresses are read. Default: false.'),
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
