import * as z from 'zod'
import { idleSchema, pricesSchema, schedulesSchema } from './automation-schema.ts'
import { rolesSchema } from './member-schema.ts'
import { variableName } from './naming.ts'
import { approvalsSchema, boundsSchema, endpointsSchema, matrixSchema } from './requirement-schema.ts'
import { shown, unshown } from './schema-words.ts'

const forms = {
  project: 'Write 1 to 32 small letters, digits or hyphens, for example "default".',
  variable: (name: string) => `Write the name of an environment variable, for example ${name}, never its value.`,
  channel: 'Write a channel id such as C0123ABCD (Slack shows it at the end of the channel details), or "*" for all.',
  channels: 'Write a list of channel ids, or channels: ["*"] for every channel.',
  operationsChannel: 'Write one channel id such as C0123ABCD.',
  projects: 'Write projects: with at least one project.',
  signals: 'Write key_env or allow_private below it, or leave signals out.',
  yesOrNo: 'Write true or false.',
  entry: 'Write a project with name, base_url_env, api_key_env, channels and roles.',
}

function variable(example: string) {
  const error = unshown(forms.variable(example))
  return z.string({ error }).regex(variableName, { error })
}
const channel = z.string({ error: shown(forms.channel) }).regex(/^(\*|[CGD][A-Z0-9]{1,31})$/, {
  error: shown(forms.channel),
})

const signals = z
  .strictObject(
    {
      key_env: variable('METRICS_KEY')
        .exactOptional()
        .describe("The environment variable of a key made for reading metrics only. Never the platform's own key."),
      allow_private: z
        .boolean({ error: shown(forms.yesOrNo) })
        .exactOptional()
        .describe('Whether endpoints at private addresses are looked at. Usually false.'),
    },
    { error: shown(forms.signals) },
  )
  .describe('How it is found out whether endpoints are used.')

const project = z.strictObject(
  {
    name: z
      .string({ error: shown(forms.project) })
      .regex(/^[a-z0-9-]{1,32}$/, { error: shown(forms.project) })
      .describe("The project's own name; everything kept in Redis stands under it."),
    base_url_env: variable('PLATFORM_BASE_URL').describe(
      "The environment variable that holds the address of the platform's API.",
    ),
    api_key_env: variable('PLATFORM_API_KEY').describe(
      'The environment variable that holds the API key. Never the key itself.',
    ),
    channels: z
      .array(channel, { error: shown(forms.channels) })
      .min(1, { error: shown(forms.channels) })
      .describe('The channels that speak of this project, or "*" for every one that no other project claims.'),
    roles: rolesSchema,
    matrix: matrixSchema.exactOptional(),
    approvals: approvalsSchema.exactOptional(),
    endpoints: endpointsSchema.exactOptional(),
    schedules: schedulesSchema.exactOptional(),
    idle: idleSchema.exactOptional(),
    signals: signals.exactOptional(),
    prices: pricesSchema.exactOptional(),
    bounds: boundsSchema.exactOptional(),
  },
  { error: shown(forms.entry) },
)

/** The shape of `lamplighter.yaml`. Every issue's message goes on from the place it is about: "is missing. Write …". */
export const policySchema = z
  .strictObject(
    {
      operations_channel: z
        .string({ error: shown(forms.operationsChannel) })
        .regex(/^[CG][A-Z0-9]{1,31}$/, { error: shown(forms.operationsChannel) })
        .exactOptional()
        .describe('The channel for outcomes without another place, and for what was asked outside of channels.'),
      projects: z
        .array(project, { error: shown(forms.projects) })
        .min(1, { error: shown(forms.projects) })
        .describe('One for each API key of the platform.'),
    },
    { error: shown(forms.projects) },
  )
  .describe('Who may do what with the GPU endpoints of a platform, from Slack.')

export type PolicyFile = z.infer<typeof policySchema>
export type ProjectEntry = PolicyFile['projects'][number]

/** The keys that may stand at a path of the file: what an unknown one is compared with. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const there = path.reduce<z.core.$ZodTypes | undefined>((schema, key) => below(schema, key), policySchema)
  const { def } = bare(there)?._zod ?? {}
  return def?.type === 'object' ? Object.keys(def.shape) : []
}

function below(schema: z.core.$ZodTypes | undefined, key: PropertyKey): z.core.$ZodTypes | undefined {
  const { def } = bare(schema)?._zod ?? {}
  if (def?.type === 'array') return def.element as z.core.$ZodTypes
  return def?.type === 'object' ? (def.shape[String(key)] as z.core.$ZodTypes | undefined) : undefined
}

/** What may be left out is described by what stands there when it is not. */
function bare(schema: z.core.$ZodTypes | undefined): z.core.$ZodTypes | undefined {
  const { def } = schema?._zod ?? {}
  return def?.type === 'optional' ? bare(def.innerType as z.core.$ZodTypes) : schema
}

/** The shape of the policy file as JSON Schema, with a word on every key: what editors complete and underline by. */
export function editorSchema(): string {
  // Draft 7 is what the YAML support of editors understands best.
  const schema = z.toJSONSchema(policySchema, { io: 'input', target: 'draft-07', unrepresentable: 'any' })
  return `${JSON.stringify({ title: 'lamplighter.yaml', ...schema }, null, 2)}\n`
}
