import { readFileSync } from 'node:fs'
import { type Document, isPair, isScalar, LineCounter, parseDocument, visit, type YAMLError } from 'yaml'
import type * as z from 'zod'
import type { Member } from '../../core/model/roles.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { unlessItFails } from '../../core/text/unless-it-fails.ts'
import { asText } from '../../core/words/render.ts'
import { type Environment, readVariable } from '../env/environment.ts'
import { duplicatesIn, type Fault, faultAt, offsetOf, type Path, unanswerableIn, unknownAliases } from './lint.ts'
import { misnamedIn, type PolicyFile, type ProjectVariables, policySchema } from './schema.ts'
import { looseProjectsIn, nearMiss, readOnce } from './schema-words.ts'
import { teamFaultsIn } from './to-policy.ts'

/** An id of Slack, and the key that it is written under. */
interface NamedId {
  readonly key: string
  readonly kind: Exclude<Member['kind'], 'everyone'>
  readonly id: string
  /** Where it is: `lamplighter.yaml:9`. */
  readonly at: string
}

/** A value in place of a Slack id, perhaps a name. */
interface WrittenName {
  readonly written: string
  readonly kinds: readonly Exclude<Member['kind'], 'everyone'>[]
  readonly at: string
}

export interface PolicyText {
  /** Undefined if there were mistakes. */
  readonly policy: PolicyFile | undefined
  /** Each begins with `file:line`. */
  readonly mistakes: readonly Words[]
  /** One for each mention of a person, a group or a channel. */
  readonly ids: readonly NamedId[]
  /** One for each mistake in place of an id. */
  readonly names: readonly WrittenName[]
  /** Present even if there were mistakes. */
  readonly namings: readonly ProjectVariables[]
  /** Returns `file:line` for a path, or for the nearest node above it. */
  readonly at: (path: Path) => string
}

/** Returns the text of a file; null if there is none. */
export type ReadFile = (path: string) => string | null

/** Reads the named file, or `lamplighter.yaml`. Undefined if there is none, or if it can't be read. */
export function policySourceOf(env: Environment, readFile: ReadFile, mistakes: string[]) {
  const named = readVariable(env, 'LAMPLIGHTER_CONFIG')
  const path = named ?? 'lamplighter.yaml'
  const text = textAt(path, readFile)
  if (typeof text === 'string') return { path, text }
  if (text !== null) mistakes.push(...inEnglish([text]))
  else if (named)
    mistakes.push(
      `LAMPLIGHTER_CONFIG names ${path}, which doesn’t exist. Write the path of the policy file, or unset the variable.`,
    )
  return undefined
}

/** Returns the text of a file, null if there is none, or a sentence that says that it can't be read. */
export function textAt(path: string, readFile: ReadFile = readIfThere): string | null | Sentence {
  return unlessItFails(() => readFile(path), say('policyFile.unreadable', { path }))
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Renders mistakes for the terminal and the log. */
export function inEnglish(mistakes: readonly Words[] = []): readonly string[] {
  return mistakes.map((one) => asText(one, 'en'))
}

export function readPolicy(file: string, text: string): PolicyText {
  const lines = new LineCounter()
  // Pretty errors quote the text around the fault, which may be a misplaced secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const placeOf = (offset: number) => `${file}:${lines.linePos(offset).line || 1}`
  const at = (path: Path) => placeOf(offsetOf(document, path))
  // Reading fails if an alias has no anchor, which is reported, or if there are too many aliases.
  const content = unlessItFails((): unknown => document.toJS({ maxAliasCount: 20 }), undefined)
  const projects = looseProjectsIn(content)
  const wrong: Words[] = document.errors.map((error) => [placeOf(error.pos[0]), syntaxFault(error)])
  for (const offset of unknownAliases(document)) wrong.push([placeOf(offset), say('policyFile.star')])
  if (wrong.length > 0) return { policy: undefined, mistakes: wrong, ids: [], names: [], namings: projects, at }
  const read = policySchema.safeParse(content, readOnce)
  const faults = [
    ...(read.error?.issues ?? []).flatMap(sentencesOf),
    ...duplicatesIn(projects),
    ...misnamedIn(projects),
    ...unanswerableIn(projects),
    ...teamFaultsIn(projects),
  ]
  const sorted = faults.toSorted((one, other) => offsetOf(document, one.path) - offsetOf(document, other.path))
  const mistakes = sorted.map(({ path, says }) => [at(path), says, ...commentAt(document, path)])
  const policy = faults.length === 0 ? read.data : undefined
  const names = faults.flatMap(({ path }) => nameAt(document, path, at(path)))
  return { policy, mistakes, ids: idsIn(document, placeOf), names, namings: projects, at }
}

function syntaxFault({ code, message }: YAMLError): Words {
  if (code === 'BAD_ALIAS') return say('policyFile.star')
  if (code === 'TAB_AS_INDENT') return say('policyFile.tab')
  if (code === 'DUPLICATE_KEY') return say('policyFile.twiceKey')
  if (code === 'MULTIPLE_DOCS') return say('policyFile.secondDocument')
  return say('policyFile.syntax', { message: message.replace(/[.;].*$/s, '') })
}

/** An empty value with a comment may have been meant as a value: `#ops`. */
function commentAt(document: Document, path: Path): readonly Words[] {
  const node = document.getIn(path, true)
  return isScalar(node) && node.value === null && node.comment ? [say('policyFile.comment')] : []
}

function sentencesOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== 'unrecognized_keys') return [faultAt(issue.path, JSON.parse(issue.message) as Words)]
  const known = JSON.parse(issue.message) as readonly string[]
  const what = issue.path.at(-1) === 'roles' ? 'role' : 'key'
  const says = say('policyFile.unknownKey', { what, known: known.join(', ') })
  return issue.keys.map((key) => faultAt([...issue.path, key], [says, ...nearMiss(key, known)]))
}

function nameAt(document: Document, path: Path, at: string): WrittenName[] {
  const written = document.getIn(path)
  const where = path.filter((key) => typeof key === 'string').join('.')
  const isChannel = /^(operations_channel|audit_channel|projects\.channels)$/.test(where)
  const isMember = /\.(roles\.\w+|tokens|workflows|from|fallback\.to)$/.test(where)
  if (typeof written !== 'string' || !(isChannel || isMember)) return []
  // An id where it doesn't belong, or twice.
  if ((isChannel ? /^(?:\*|[CGD][A-Z0-9]+)$/ : /^channel:[CG]/).test(written)) return []
  return [{ written, kinds: isChannel ? ['channel'] : ['user', 'group'], at }]
}

function idsIn(document: Document, placeOf: (offset: number) => string): NamedId[] {
  const ids: NamedId[] = []
  visit(document, {
    Scalar(key, node, path) {
      const holder = path.findLast((one) => isPair(one))
      const isChannel = key !== 'key' && /^(operations_channel|audit_channel|channels)$/.test(String(holder?.key))
      const text = `${isChannel ? 'channel:' : ''}${String(node.value)}`
      const [, kind, id] = /^(user|group|channel):([A-Z][A-Z0-9]+)$/.exec(text) ?? []
      if (kind !== undefined && id !== undefined && node.range)
        ids.push({ kind: kind as NamedId['kind'], id, key: String(holder?.key), at: placeOf(node.range[0]) })
    },
  })
  return ids
}
