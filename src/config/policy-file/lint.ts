import { type Document, isMap, isNode, isScalar } from 'yaml'
import type * as z from 'zod'
import { type ApprovalSettings, usualApprovalSettings } from '../../core/model/policy.ts'
import { memberText, type Roles } from '../../core/model/roles.ts'
import { lasting } from '../../core/time/format.ts'
import { type LooseProject, looseApprovals } from './loose.ts'
import { rolesSchema } from './member-schema.ts'
import { approvalsSchema } from './requirement-schema.ts'

/** Two projects with one name, two projects with one channel, one pattern twice in a list. */
export function duplicatesIn(projects: readonly LooseProject[]): Fault[] {
  const names = projects.flatMap(({ name }, index) => {
    if (typeof name !== 'string' || projects.findIndex((one) => one.name === name) === index) return []
    const says = `names a second project ${JSON.stringify(name)}. Give each its own name.`
    return [{ path: ['projects', index, 'name'], says }]
  })
  const patterns = projects.flatMap(({ endpoints }, index) =>
    endpoints.flatMap(({ match }, at) =>
      match.flatMap((pattern, place) => {
        const path = ['projects', index, 'endpoints', at, 'match', place]
        const says = `is ${JSON.stringify(pattern)} a second time. Take one of the two out.`
        return match.indexOf(pattern) < place ? [faultAt(path, says)] : []
      }),
    ),
  )
  return [...names, ...sharedChannelsIn(projects), ...patterns]
}

function sharedChannelsIn(projects: readonly LooseProject[]): Fault[] {
  const owners = new Map<unknown, number>()
  const faults: Fault[] = []
  for (const [index, { channels }] of projects.entries()) {
    for (const [place, channel] of channels.entries()) {
      const owner = owners.get(channel)
      if (owner === undefined) owners.set(channel, index)
      else if (owner !== index) {
        const [first, second] = [owner, index].map((at) => labelOf(at, projects[at]?.name))
        const says = `gives ${JSON.stringify(channel)} to ${second}, and ${first} has it already. A channel belongs to one: take it out of one of the two.`
        faults.push({ path: ['projects', index, 'channels', place], says })
      }
    }
  }
  return faults
}

/** "project default"; its place if its name cannot be read. */
function labelOf(index: number, name: unknown): string {
  return typeof name === 'string' ? `project ${name.slice(0, 32)}` : nameOf(['projects', index])
}

const { needed, from, expires, fallback } = approvalsSchema.shape
const { after, to } = fallback.unwrap().shape

type Key = 'needed' | 'from' | 'expires' | 'after'

/** Approvals as they are written at one place of the file. */
interface Written {
  readonly own: Partial<ApprovalSettings>
  /** Keys with a mistake of their own, which is reported elsewhere. */
  readonly unread: ReadonlySet<Key>
}

interface WrittenAt extends Written {
  readonly path: Path
  /** What holds there, together with the settings above it. */
  readonly settings: ApprovalSettings
}

/** Approvals that nobody could ever give, although each of their parts is valid. */
export function unanswerableIn(projects: readonly LooseProject[]): Fault[] {
  return projects.flatMap((project, index) => {
    const roles = rolesSchema.safeParse(project.roles).data
    const whole = read(project.approvals)
    const settings = { ...usualApprovalSettings, ...whole.own }
    const places: readonly WrittenAt[] = [
      { ...whole, settings, path: ['projects', index, 'approvals'] },
      ...project.endpoints.map(({ approvals }, at) => {
        const { own, unread } = read(approvals)
        const path = ['projects', index, 'endpoints', at, 'approvals']
        return { own, unread: new Set([...whole.unread, ...unread]), settings: { ...settings, ...own }, path }
      }),
    ]
    return places.flatMap((place) => [tooFew(place, roles), tooLate(place)]).filter((fault) => fault !== null)
  })
}

function read(approvals: unknown): Written {
  const given = looseApprovals.parse(approvals)
  const unread = new Set<Key>()
  function value<T>(key: Key, schema: z.ZodType<T>, written: unknown): T | undefined {
    const found = written === undefined ? undefined : schema.safeParse(written)
    if (found?.success === false) unread.add(key)
    return found?.data
  }
  const parts = {
    needed: value('needed', needed, given.needed),
    from: value('from', from, given.from),
    expires: value('expires', expires, given.expires),
  }
  const later = value('after', after, given.fallback.after)
  const own = {
    ...(parts.needed !== undefined && { needed: parts.needed }),
    ...(parts.from !== undefined && { from: parts.from }),
    ...(parts.expires !== undefined && { expires: parts.expires }),
    ...(later !== undefined && { fallback: { after: later, to: to.safeParse(given.fallback.to).data ?? [] } }),
  }
  return { own, unread }
}

/** Reported only where somebody wrote how many or who: a policy without approvers may be meant so. */
function tooFew({ own, settings, path, unread }: WrittenAt, roles: Roles | undefined): Fault | null {
  if (unread.has('needed') || unread.has('from') || (own.needed === undefined && own.from === undefined)) return null
  const may = settings.from ?? (roles && [...roles.approver, ...roles.admin])
  if (may === undefined) return null
  const all = [...may, ...(settings.fallback?.to ?? [])]
  const people = new Set(all.map(memberText))
  if (all.some(({ kind }) => kind !== 'user') || people.size >= settings.needed) return null
  const listed =
    people.size === 0 ? 'nobody may approve' : `only ${people.size} may approve (${[...people].join(', ')})`
  const less = people.size === 0 ? '' : `, or write needed: ${people.size}`
  const found = own.needed === undefined ? `is too short: needed is ${settings.needed}` : `is ${settings.needed}`
  const key = own.needed === undefined ? 'from' : 'needed'
  return faultAt([...path, key], `${found}, but ${listed}. Name more people or a group:S…${less}.`)
}

function tooLate({ own, settings: { fallback, expires }, path, unread }: WrittenAt): Fault | null {
  if (unread.has('expires') || unread.has('after') || (own.fallback === undefined && own.expires === undefined))
    return null
  if (fallback === null || fallback.after < expires) return null
  return faultAt(
    [...path, ...(own.fallback === undefined ? ['expires'] : ['fallback', 'after'])],
    `lets the fallback in after ${lasting(fallback.after)}, when the ask is over already (after ${lasting(expires)}). Write a shorter after, or a longer expires.`,
  )
}

export type Path = readonly PropertyKey[]

/** A mistake at a place of the file. `says` continues after `file:line`. */
export interface Fault {
  readonly path: Path
  readonly says: string
}

/** A fault whose sentence begins with the name of its place. */
export function faultAt(path: Path, says: string): Fault {
  return { path, says: `${nameOf(path)} ${says}` }
}

/** `projects[0].roles.viewer[1]`. */
function nameOf(path: Path): string {
  if (path.length === 0) return 'the file'
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('')
}

/** The offset of a path in the text: of its key, or else of the nearest node above it. */
export function offsetOf(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true)
    const last = path[depth - 1]
    if (isMap(parent)) {
      const key = parent.items.map((pair) => pair.key).find((one) => isScalar(one) && one.value === last)
      if (isNode(key) && key.range) return key.range[0]
    }
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range?.[0] ?? 0
}
