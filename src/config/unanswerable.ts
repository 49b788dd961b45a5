import * as z from 'zod'
import { type Asking, usualAsking } from '../domain/demand.ts'
import { lasting } from '../domain/duration.ts'
import { type Roles, written } from '../domain/policy.ts'
import { approvalsSchema } from './demand-schema.ts'
import { rolesSchema } from './member-schema.ts'
import { type Fault, nameOf, type Path } from './places.ts'

const { needed, from, expires, fallback } = approvalsSchema.shape
/** Read apart, so that a fault in one key does not hide the others. */
const whoPart = z.object({ needed, from, fallback })
const whenPart = z.object({ expires, fallback })

const part = z.object({ approvals: z.unknown() }).catch({ approvals: undefined })
const loose = z.object({
  projects: z.array(
    part
      .unwrap()
      .extend({ roles: z.unknown(), endpoints: z.array(part).catch([]) })
      .catch({ approvals: undefined, roles: undefined, endpoints: [] }),
  ),
})
type Loose = z.infer<typeof loose>['projects'][number]

/** Approvals that nobody could ever give, since each part of them is well but not what they come to together. */
export function unanswerableIn(content: unknown): Fault[] {
  const projects = loose.safeParse(content).data?.projects ?? []
  return projects.flatMap((project, index) => {
    const roles = rolesSchema.safeParse(project.roles).data
    return [
      ...faultsOf(whoPart, project, index, (own, asking, path) => tooFew(own, asking, roles, path)),
      ...faultsOf(whenPart, project, index, tooLate),
    ]
  })
}

/** `own` is what is written at the path, `asking` what it comes to there. */
type Find = (own: Partial<Asking>, asking: Asking, path: Path) => Fault | null

function faultsOf(schema: z.ZodType<Partial<Asking>>, project: Loose, index: number, find: Find): Fault[] {
  const whole = schema.safeParse(project.approvals ?? {}).data
  if (whole === undefined) return []
  const usual = { ...usualAsking, ...whole }
  const places = project.endpoints.map(({ approvals }, at) => ({ approvals, path: ['endpoints', at] }))
  const faults = places.map(({ approvals, path }) => {
    const own = schema.safeParse(approvals ?? {}).data ?? {}
    return find(own, { ...usual, ...own }, ['projects', index, ...path, 'approvals'])
  })
  return [find(whole, usual, ['projects', index, 'approvals']), ...faults].filter((fault) => fault !== null)
}

/** Told only where somebody wrote how many or who: a policy without approvers has no approvals, and may be meant so. */
function tooFew(own: Partial<Asking>, asking: Asking, roles: Roles | undefined, path: Path): Fault | null {
  if (own.needed === undefined && own.from === undefined) return null
  const usual = roles === undefined ? null : [...roles.approver, ...roles.admin]
  const may = asking.from ?? usual
  if (may === null) return null
  const all = [...may, ...(asking.fallback?.to ?? [])]
  const people = new Set(all.map(written))
  if (all.some(({ kind }) => kind !== 'user') || people.size >= asking.needed) return null
  const place = [...path, own.needed === undefined ? 'from' : 'needed']
  const listed =
    people.size === 0 ? 'nobody may approve' : `only ${people.size} may approve (${[...people].join(', ')})`
  const less = people.size === 0 ? '' : `, or write needed: ${people.size}`
  const found = own.needed === undefined ? `is too short: needed is ${asking.needed}` : `is ${asking.needed}`
  return {
    path: place,
    says: `${nameOf(place)} ${found}, but ${listed}. Name more people or a group:S…${less}.`,
  }
}

function tooLate(own: Partial<Asking>, { fallback, expires }: Asking, path: Path): Fault | null {
  const speaks = own.fallback !== undefined || own.expires !== undefined
  if (!speaks || fallback === null || fallback.after < expires) return null
  const place = [...path, ...(own.fallback === undefined ? ['expires'] : ['fallback', 'after'])]
  return {
    path: place,
    says: `${nameOf(place)} lets the fallback in after ${lasting(fallback.after)}, when the ask is over already (after ${lasting(expires)}). Write a shorter after, or a longer expires.`,
  }
}
