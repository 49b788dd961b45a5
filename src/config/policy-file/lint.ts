import { type Document, isMap, isNode, isScalar } from 'yaml'
import * as z from 'zod'
import { type Asking, usualAsking } from '../../core/model/policy.ts'
import { type Roles, written } from '../../core/model/roles.ts'
import { lasting } from '../../core/time/format.ts'
import { rolesSchema } from './member-schema.ts'
import { approvalsSchema } from './requirement-schema.ts'

/** Takes what it can read, so that a clash is told beside other mistakes. */
const looseProjects = z.object({
  projects: z.array(
    z
      .object({
        name: z.unknown(),
        channels: z.array(z.unknown()).catch([]),
        endpoints: z.array(z.object({ match: z.array(z.unknown()).catch([]) }).catch({ match: [] })).catch([]),
      })
      .catch({ name: null, channels: [], endpoints: [] }),
  ),
})

/** What stands twice: two projects of one name, two that claim one channel, one pattern twice in a list. */
export function clashesIn(content: unknown): Fault[] {
  const projects = looseProjects.safeParse(content).data?.projects ?? []
  const names = projects.flatMap(({ name }, index) =>
    typeof name === 'string' && projects.findIndex((one) => one.name === name) < index
      ? [
          {
            path: ['projects', index, 'name'],
            says: `names a second project ${JSON.stringify(name)}. Give each its own name.`,
          },
        ]
      : [],
  )
  const patterns = projects.flatMap(({ endpoints }, index) =>
    endpoints.flatMap(({ match }, at) => twiceIn(match, ['projects', index, 'endpoints', at, 'match'])),
  )
  return [...names, ...claimsOf(projects), ...patterns]
}

interface Claiming {
  readonly name: unknown
  readonly channels: readonly unknown[]
}

function claimsOf(projects: readonly Claiming[]): Fault[] {
  const claims = new Map<unknown, number>()
  const faults: Fault[] = []
  for (const [index, { channels }] of projects.entries()) {
    for (const [place, channel] of channels.entries()) {
      const owner = claims.get(channel)
      if (owner === undefined) claims.set(channel, index)
      else if (owner !== index) {
        const [first, second] = [owner, index].map((at) => calledAt(at, projects[at]?.name))
        const says = `gives ${JSON.stringify(channel)} to ${second}, and ${first} has it already. A channel belongs to one: take it out of one of the two.`
        faults.push({ path: ['projects', index, 'channels', place], says })
      }
    }
  }
  return faults
}

/** "project default"; by its place where its name could not be read. */
function calledAt(index: number, name: unknown): string {
  return typeof name === 'string' ? `project ${name.slice(0, 32)}` : nameOf(['projects', index])
}

function twiceIn(match: readonly unknown[], path: Fault['path']): Fault[] {
  return match.flatMap((pattern, place) =>
    match.indexOf(pattern) < place
      ? [
          {
            path: [...path, place],
            says: `${nameOf([...path, place])} is ${JSON.stringify(pattern)} a second time. Take one of the two out.`,
          },
        ]
      : [],
  )
}

const { needed, from, expires, fallback } = approvalsSchema.shape
const { after, to } = fallback.unwrap().shape

const part = z.object({ approvals: z.unknown() }).catch({ approvals: undefined })
const looseApprovals = z.object({
  projects: z.array(
    part
      .unwrap()
      .extend({ roles: z.unknown(), endpoints: z.array(part).catch([]) })
      .catch({ approvals: undefined, roles: undefined, endpoints: [] }),
  ),
})
type Loose = z.infer<typeof looseApprovals>['projects'][number]

/** Approvals that nobody could ever give, since each part of them is well but not what they come to together. */
export function unanswerableIn(content: unknown): Fault[] {
  const projects = looseApprovals.safeParse(content).data?.projects ?? []
  return projects.flatMap((project, index) => {
    const roles = rolesSchema.safeParse(project.roles).data
    return faultsOf(project, index, (own, asking, path, unread) => [
      unread.has('needed') || unread.has('from') ? null : tooFew(own, asking, roles, path),
      unread.has('expires') || unread.has('after') ? null : tooLate(own, asking, path),
    ])
  })
}

type Key = 'needed' | 'from' | 'expires' | 'after'

/** What of it could be read, each key by itself, so that a fault in one does not hide the others. */
interface Read {
  readonly own: Partial<Asking>
  readonly unread: ReadonlySet<Key>
}

/** `own` is what is written at the path, `asking` what it comes to there. */
type Find = (own: Partial<Asking>, asking: Asking, path: Path, unread: Read['unread']) => readonly (Fault | null)[]

function faultsOf(project: Loose, index: number, find: Find): Fault[] {
  const whole = read(project.approvals)
  const usual = { ...usualAsking, ...whole.own }
  const faults = project.endpoints.flatMap(({ approvals }, at) => {
    const { own, unread } = read(approvals)
    const path = ['projects', index, 'endpoints', at, 'approvals']
    return find(own, { ...usual, ...own }, path, new Set([...whole.unread, ...unread]))
  })
  const first = find(whole.own, usual, ['projects', index, 'approvals'], whole.unread)
  return [...first, ...faults].filter((fault) => fault !== null)
}

const record = z.record(z.string(), z.unknown()).catch({})

function read(approvals: unknown): Read {
  const given = record.parse(approvals)
  const later = record.parse(given['fallback'])
  const unread = new Set<Key>()
  function value<T>(key: Key, schema: z.ZodType<T>, raw: unknown): T | undefined {
    const found = raw === undefined ? undefined : schema.safeParse(raw)
    if (found?.success === false) unread.add(key)
    return found?.data
  }
  const parts = {
    needed: value('needed', needed, given['needed']),
    from: value('from', from, given['from']),
    expires: value('expires', expires, given['expires']),
    after: value('after', after, later['after']),
  }
  const own = {
    ...(parts.needed !== undefined && { needed: parts.needed }),
    ...(parts.from !== undefined && { from: parts.from }),
    ...(parts.expires !== undefined && { expires: parts.expires }),
    ...(parts.after !== undefined && { fallback: { after: parts.after, to: to.safeParse(later['to']).data ?? [] } }),
  }
  return { own, unread }
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

export type Path = readonly PropertyKey[]

/** Something wrong at a place of the file; `says` is a sentence that begins with the place's name. */
export interface Fault {
  readonly path: Path
  readonly says: string
}

/** `projects[0].roles.viewer[1]`. */
export function nameOf(path: Path): string {
  if (path.length === 0) return 'the file'
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('')
}

/** Where the thing at the path begins: its key where it has one, else the nearest thing above that is there. */
export function offsetOf(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true)
    const last = path[depth - 1]
    if (isMap(parent)) {
      const key = parent.items
        .map((pair) => pair.key)
        .find((candidate) => isScalar(candidate) && candidate.value === last)
      if (isNode(key) && key.range) return key.range[0]
    }
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range?.[0] ?? 0
}
