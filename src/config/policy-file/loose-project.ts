import * as z from 'zod'
import { variableName } from './schema-words.ts'

const anything = z.unknown().optional()
const list = z.array(z.unknown()).catch([])
const named = z.string().regex(variableName).optional().catch(undefined)

/** A policy is read once, so compiling its schemas takes longer than it saves. */
export const readOnce = { jitless: true } as const

/** An object whose keys accept anything; a value of another type counts as empty. */
export function loosely<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const object = z.object(shape)
  return object.catch(() => object.parse({}, readOnce))
}

const project = loosely({
  name: anything,
  channels: list,
  roles: anything,
  base_url_env: named,
  api_key_env: named,
  signals: loosely({ key_env: named }),
  events: z.array(loosely({ secret_env: named })).catch([]),
  schedules: loosely({ zone: anything }),
  approvals: anything,
  endpoints: z.array(loosely({ match: list, approvals: anything, schedule: list })).catch([]),
})

/** The parts of a project that can be read, so that one mistake does not hide others. */
export type LooseProject = z.infer<typeof project>

export function looseProjectsIn(content: unknown): readonly LooseProject[] {
  return loosely({ projects: z.array(project).catch([]) }).parse(content, readOnce).projects
}
