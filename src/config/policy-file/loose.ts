import * as z from 'zod'

export const variableName = /^[A-Z_][A-Z0-9_]*$/

const anything = z.unknown().optional()
const list = z.array(z.unknown()).catch([])
const variable = z.string().regex(variableName).optional().catch(undefined)

/** An object of keys that accept anything; a value of another type counts as empty. */
export function loosely<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const object = z.object(shape)
  return object.catch(() => object.parse({}))
}

const project = loosely({
  name: anything,
  channels: list,
  roles: anything,
  base_url_env: variable,
  api_key_env: variable,
  signals: loosely({ key_env: variable }),
  events: z.array(loosely({ secret_env: variable })).catch([]),
  schedules: loosely({ zone: anything }),
  approvals: anything,
  endpoints: z.array(loosely({ match: list, approvals: anything, schedule: list })).catch([]),
})
const file = loosely({ projects: z.array(project).catch([]) })

/** A project of the policy file as far as it can be read, so that one mistake does not hide others. */
export type LooseProject = z.infer<typeof project>

export function looseProjectsIn(content: unknown): readonly LooseProject[] {
  return file.parse(content).projects
}
