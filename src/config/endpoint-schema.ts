import * as z from 'zod'
import { approvalsSchema, matrixSchema } from './demand-schema.ts'
import { shown, span } from './schema-words.ts'

const endpointForms = {
  endpoints: 'Write a list, each with match and what is said of those endpoints; or leave endpoints out.',
  endpoint: 'Write match: with names or tags, and protected, matrix, approvals or schedule below it.',
  match: 'Write a list of names and tags, for example ["prod-*", "tag:prod"].',
  pattern: 'Write a name such as my-llm or "prod-*", or a tag such as "tag:prod".',
  held: 'Write true or false.',
  schedule: 'Write a list of lines, for example ["up weekdays 09:00-20:00 Asia/Seoul"]; [] is none.',
  idle: 'Write a length of time from 15m to 30d, for example 60m, or off.',
  line: 'Write a line such as "up weekdays 09:00-20:00 Asia/Seoul".',
}

const pattern = z
  .string({ error: shown(endpointForms.pattern) })
  .regex(/^(?!tag:$)(?!\s).{1,200}(?<!\s)$/, { error: shown(endpointForms.pattern) })

const endpoint = z
  .strictObject(
    {
      match: z
        .array(pattern, { error: shown(endpointForms.match) })
        .min(1, { error: shown(endpointForms.match) })
        .describe('Which endpoints: names, where a star stands for anything, or tag: and a tag.'),
      protected: z
        .boolean({ error: shown(endpointForms.held) })
        .exactOptional()
        .describe(
          'Whether they are protected: never stopped by a schedule or for being idle, and what it takes is in the column protected.',
        ),
      matrix: matrixSchema.exactOptional().describe('What it takes for these, where that differs from the project.'),
      approvals: approvalsSchema.exactOptional().describe('How approvals are asked for with these.'),
      schedule: z
        .array(z.string({ error: shown(endpointForms.line) }).meta({ pattern: '^(up|down) .' }), {
          error: shown(endpointForms.schedule),
        })
        .exactOptional()
        .describe(
          'When these are up or down, unless they have a schedule of their own: up or down, days, times, zone.',
        ),
      idle: z
        .union([z.literal('off'), span('15m', '30d')], { error: shown(endpointForms.idle) })
        .exactOptional()
        .describe('After how long of known quiet these are stopped, unless they have a rule of their own; or off.'),
    },
    { error: shown(endpointForms.endpoint) },
  )
  .refine((given) => Object.keys(given).some((key) => key !== 'match'), {
    error: `says nothing of the endpoints that it matches. ${endpointForms.endpoint}`,
  })

/** What is said of some endpoints only, read from the top. */
export const endpointsSchema = z
  .array(endpoint, { error: shown(endpointForms.endpoints) })
  .describe(
    'What holds for some endpoints only. Read from the top: the first that matches and speaks of something decides it.',
  )
