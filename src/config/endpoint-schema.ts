import * as z from 'zod'
import { approvalsSchema, matrixSchema } from './demand-schema.ts'
import { shown, span } from './schema-words.ts'

const forms = {
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
  .string({ error: shown(forms.pattern) })
  .regex(/^(?!tag:$)(?!\s).{1,200}(?<!\s)$/, { error: shown(forms.pattern) })

const endpoint = z
  .strictObject(
    {
      match: z
        .array(pattern, { error: shown(forms.match) })
        .min(1, { error: shown(forms.match) })
        .describe('Which endpoints: names, where a star stands for anything, or tag: and a tag.'),
      protected: z
        .boolean({ error: shown(forms.held) })
        .exactOptional()
        .describe(
          'Whether they are protected: never stopped by a schedule or for being idle, and what it takes is in the column protected.',
        ),
      matrix: matrixSchema.exactOptional().describe('What it takes for these, where that differs from the project.'),
      approvals: approvalsSchema.exactOptional().describe('How approvals are asked for with these.'),
      schedule: z
        .array(z.string({ error: shown(forms.line) }).meta({ pattern: '^(up|down) .' }), {
          error: shown(forms.schedule),
        })
        .exactOptional()
        .describe(
          'When these are up or down, unless they have a schedule of their own: up or down, days, times, zone.',
        ),
      idle: z
        .union([z.literal('off'), span('15m', '30d')], { error: shown(forms.idle) })
        .exactOptional()
        .describe('After how long of known quiet these are stopped, unless they have a rule of their own; or off.'),
    },
    { error: shown(forms.endpoint) },
  )
  .refine((given) => Object.keys(given).some((key) => key !== 'match'), {
    error: `says nothing of the endpoints that it matches. ${forms.endpoint}`,
  })

/** What is said of some endpoints only, read from the top. */
export const endpointsSchema = z
  .array(endpoint, { error: shown(forms.endpoints) })
  .describe(
    'What holds for some endpoints only. Read from the top: the first that matches and speaks of something decides it.',
  )
