import { type Document, isMap, isNode, isScalar, visit } from 'yaml'
import * as z from 'zod'
import { usualApprovalSettings } from '../../core/model/policy.ts'
import { memberText, type Roles } from '../../core/model/roles.ts'
import { say, type Words } from '../../core/model/words.ts'
import { approvalsSchema, rolesSchema } from './requirement-schema.ts'
import { type LooseProject, loosely, readOnce } from './schema-words.ts'

export function duplicatesIn(projects: readonly LooseProject[]): Fault[] {
  const names = projects.flatMap(({ name }, index) => {
    if (typeof name !== 'string' || projects.findIndex((one) => one.name === name) === index) return []
    const says = say('policyFile.sameProject', { name: JSON.stringify(name) })
    return [{ path: ['projects', index, 'name'], says }]
  })
  const patterns = projects.flatMap(({ endpoints }, index) =>
    endpoints.flatMap(({ match }, at) =>
      match.flatMap((pattern, place) => {
        const path = ['projects', index, 'endpoints', at, 'match', place]
        const says = say('policyFile.twice', { value: JSON.stringify(pattern) })
        return match.indexOf(pattern) < place ? [faultAt(path, says)] : []
      }),
    ),
  )
  return [...names, ...sharedChannelsIn(projects), ...patterns]
}

function sharedChannelsIn(projects: readonly LooseProject[]): Fault[] {
  return projects.flatMap(({ name, channels }, index) =>
    channels.flatMap((channel, place) => {
      const owner = projects.findIndex((one) => one.channels.includes(channel))
      const [first, second] = [labelOf(owner, projects[owner]?.name), labelOf(index, name)]
      const says = say('policyFile.sharedChannel', { channel: JSON.stringify(channel), first, second })
      return owner === index ? [] : [{ path: ['projects', index, 'channels', place], says }]
    }),
  )
}

/** Returns "project default", or its place if its name cannot be read. */
export function labelOf(index: number, name: unknown): Words {
  return typeof name === 'string' ? say('message.project', { project: name.slice(0, 32) }) : nameOf(['projects', index])
}

const { needed, from, expires, fallback } = approvalsSchema.shape
const { after, to } = fallback.unwrap().shape

/** Replaces a value whose own mistake is reported elsewhere. */
const unread = 'unread'

function readable<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.unknown().transform((): typeof unread => unread)]).optional()
}

/** Approval settings as written at one place in the file. */
const writtenApprovals = loosely({
  needed: readable(needed.unwrap()),
  from: readable(from.unwrap()),
  expires: readable(expires.unwrap()),
  fallback: loosely({ after: readable(after), to: to.catch([]) }),
})
type Written = z.infer<typeof writtenApprovals>

function settingsOf(own: Written, above: Written) {
  return {
    needed: own.needed ?? above.needed ?? usualApprovalSettings.needed,
    from: own.from ?? above.from,
    expires: own.expires ?? above.expires ?? usualApprovalSettings.expires,
    fallback: own.fallback.after === undefined ? above.fallback : own.fallback,
  }
}

/** Finds approvals that nobody could ever give, although each setting is valid. */
export function unanswerableIn(projects: readonly LooseProject[]): Fault[] {
  return projects.flatMap((project, index) => {
    const roles = rolesSchema.safeParse(project.roles, readOnce).data
    const whole = writtenApprovals.parse(project.approvals, readOnce)
    const faultsAt = (own: Written, path: Path) => {
      const settings = settingsOf(own, whole)
      return [tooFew(own, settings, roles, path), tooLate(own, settings, path)].filter((fault) => fault !== null)
    }
    return [
      ...faultsAt(whole, ['projects', index, 'approvals']),
      ...project.endpoints.flatMap(({ approvals }, at) =>
        faultsAt(writtenApprovals.parse(approvals, readOnce), ['projects', index, 'endpoints', at, 'approvals']),
      ),
    ]
  })
}

/** Reports a place only if it sets how many or who: a policy without approvers may be intended. */
function tooFew(
  own: Written,
  { needed, from, fallback }: ReturnType<typeof settingsOf>,
  roles: Roles | undefined,
  path: Path,
): Fault | null {
  if ((own.needed === undefined && own.from === undefined) || needed === unread || from === unread) return null
  const may = from ?? (roles && [...roles.approver, ...roles.admin])
  if (may === undefined) return null
  const all = [...may, ...fallback.to]
  const people = new Set(all.map(memberText))
  if (all.some(({ kind }) => kind !== 'user') || people.size >= needed) return null
  const key = own.needed === undefined ? 'from' : 'needed'
  const who = { count: people.size, people: [...people].join(', ') }
  return faultAt([...path, key], say('policyFile.tooFew', { key, needed: `${needed}`, ...who }))
}

function tooLate(own: Written, { expires, fallback }: ReturnType<typeof settingsOf>, path: Path): Fault | null {
  const { after } = fallback
  if ((own.fallback.after === undefined && own.expires === undefined) || after === unread || expires === unread)
    return null
  if (after === undefined || after < expires) return null
  return faultAt(
    [...path, ...(own.fallback.after === undefined ? ['expires'] : ['fallback', 'after'])],
    say('policyFile.tooLate', { after: { lasting: after }, expires: { lasting: expires } }),
  )
}

export type Path = readonly PropertyKey[]

/** A mistake at a place in the file. `says` continues after `file:line`. */
export interface Fault {
  readonly path: Path
  readonly says: Words
}

/** Makes a fault whose sentence begins with the name of its place. */
export function faultAt(path: Path, says: Words): Fault {
  return { path, says: [nameOf(path), says] }
}

/** `projects[0].roles.viewer[1]`. */
function nameOf(path: Path): Words {
  if (path.length === 0) return say('policyFile.file')
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('')
}

/** Offsets of values such as *-dev, which YAML takes for an alias. One that is only * is a mistake of syntax. */
export function unknownAliases(document: Document): readonly number[] {
  const offsets: number[] = []
  visit(document, {
    Alias(_, node) {
      if (node.source !== '' && node.range && !node.resolve(document)) offsets.push(node.range[0])
    },
  })
  return offsets
}

/** Returns the offset of a path in the text: of its key, or of the nearest node above it. */
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
