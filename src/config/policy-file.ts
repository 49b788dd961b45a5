import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, type YAMLError } from 'yaml'
import * as z from 'zod'
import { didYouMean } from './mistakes.ts'
import { keysAt, policySchema } from './policy-schema.ts'

export type PolicyFile = z.infer<typeof policySchema>

type Path = readonly PropertyKey[]

/** A text of YAML and where things stand in it. `at` gives `file:line` of a path, or of the nearest thing above it. */
export interface PolicyText {
  /** Undefined when there were mistakes. */
  readonly policy: PolicyFile | undefined
  at(path: Path): string
}

/** Reads the policy file. Notes every mistake as a sentence that begins with `file:line`. */
export function readPolicy(file: string, text: string, mistakes: string[]): PolicyText {
  const lines = new LineCounter()
  // Pretty errors quote the text around the fault, which may hold a secret in the wrong place.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (path: Path) => `${file}:${lines.linePos(offsetOf(document, path)).line || 1}`
  if (document.errors.length > 0) {
    mistakes.push(
      ...document.errors.map((error) => `${file}:${lines.linePos(error.pos[0]).line} ${syntaxFault(error)}`),
    )
    return { policy: undefined, at }
  }
  const content = contentOf(document)
  const read = policySchema.safeParse(content)
  const faults = [...(read.error?.issues ?? []).flatMap(sentencesOf), ...clashesIn(content)]
  mistakes.push(...faults.map(({ path, says }) => `${at(path)} ${says}`))
  return { policy: faults.length === 0 ? read.data : undefined, at }
}

function syntaxFault({ code, message }: YAMLError): string {
  if (code === 'TAB_AS_INDENT') return 'is indented with a tab. YAML takes spaces only: write two spaces per level.'
  if (code === 'DUPLICATE_KEY') return 'has a key that stands above already. Keep one of the two.'
  return `is not YAML: ${message.replace(/[.;].*$/s, '')}. Check quotes, brackets, colons and indentation there.`
}

function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 })
  } catch {
    // An alias without its anchor, or too many of them: nothing that a policy needs.
    return undefined
  }
}

interface Fault {
  readonly path: Path
  readonly says: string
}

function sentencesOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, says: `${nameOf(issue.path)} ${issue.message}` }]
  const known = keysAt(issue.path)
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    says: `${nameOf([...issue.path, key])} is not a key of this file. Known here: ${known.join(', ')}.${didYouMean(key, known)}`,
  }))
}

const loose = z.object({
  projects: z.array(
    z.object({ name: z.unknown(), channels: z.array(z.unknown()).catch([]) }).catch({ name: null, channels: [] }),
  ),
})

/** What no single project can see: two of one name, or two that claim one channel. Looks at files with other faults too. */
function clashesIn(content: unknown): Fault[] {
  const projects = loose.safeParse(content).data?.projects ?? []
  const faults: Fault[] = []
  const names = new Map<unknown, number>()
  const claims = new Map<unknown, number>()
  for (const [index, { name, channels }] of projects.entries()) {
    if (typeof name === 'string' && names.has(name))
      faults.push({
        path: ['projects', index, 'name'],
        says: `names a second project ${JSON.stringify(name)}. Give each its own name.`,
      })
    names.set(name, index)
    for (const [place, channel] of channels.entries()) {
      const owner = claims.get(channel)
      if (owner !== undefined && owner !== index) {
        const says = `gives ${JSON.stringify(channel)} to a second project. A channel belongs to one: take it out of one of the two.`
        faults.push({ path: ['projects', index, 'channels', place], says })
      } else claims.set(channel, index)
    }
  }
  return faults
}

function nameOf(path: Path): string {
  if (path.length === 0) return 'the file'
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('')
}

/** Where the thing at the path begins: its key where it has one, else the nearest thing above that is there. */
function offsetOf(document: Document, path: Path): number {
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
