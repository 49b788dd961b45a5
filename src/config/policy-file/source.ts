import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { asText } from '../../core/words/render.ts'
import { type Environment, readVariable } from '../env/environment.ts'
import type { Path } from './lint.ts'
import type { EventSecrets, Project } from './projects.ts'
import { type NamedGroup, type PolicyText, readPolicy } from './read.ts'
import { type PolicyFile, versionOf } from './schema.ts'

/** Returns the text of a file; null if there is none. */
export type ReadFile = (path: string) => string | null

/** Reads the named file, or `lamplighter.yaml`. Undefined if there is none, or if it can't be read. */
export function policySourceOf(env: Environment, readFile: ReadFile, mistakes: string[]) {
  const named = readVariable(env, 'LAMPLIGHTER_CONFIG')
  const path = named ?? 'lamplighter.yaml'
  try {
    const text = readFile(path)
    if (text !== null) return { path, text }
    if (named)
      mistakes.push(
        `LAMPLIGHTER_CONFIG names ${path}, which doesn’t exist. Write the path of the policy file, or unset the variable.`,
      )
  } catch {
    mistakes.push(asText(unreadable(path), 'en'))
  }
  return undefined
}

export function unreadable(path: string): Sentence {
  return say('policyFile.unreadable', { path })
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The policy file in force, and the projects made from it. */
export interface CurrentPolicy {
  readonly policySource: string | null
  /** Changes with the text of the file; `none` without one. */
  readonly policyVersion: string
  readonly operationsChannel?: string | undefined
  readonly auditChannel?: string | undefined
  readonly groups: readonly NamedGroup[]
  readonly projects: readonly Pick<Project, 'name' | 'channels' | 'policy' | 'variables'>[]
  /** The secrets of webhooks; absent in a process that sends no events. */
  readonly eventSecrets?: EventSecrets | undefined
}

export type Reread = ReturnType<typeof reread>

/** Returns the file's text, or a sentence that says why it can't be read. */
export async function textOr(path: string): Promise<string | Sentence> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isGone ? say('policyFile.gone', { path }) : unreadable(path)
  }
}

export function reread(path: string, text: string | Sentence, current: CurrentPolicy) {
  if (typeof text !== 'string') return { kind: 'refused', sentences: [text] } as const
  const version = versionOf(text)
  if (version === current.policyVersion) return { kind: 'same' } as const
  const { policy, mistakes, groups, at } = readPolicy(path, text)
  const sentences = policy === undefined ? mistakes : needsRestart(policy, current, at)
  if (policy === undefined || sentences.length > 0) return { kind: 'refused', sentences } as const
  return { kind: 'changed', version, policy, groups } as const
}

/** Finds changes that need a restart: connections, keys and queues of a project are made at startup. */
function needsRestart({ projects }: PolicyFile, current: CurrentPolicy, at: PolicyText['at']): Words[] {
  const restart = (path: Path, what: 'gone' | 'new' | 'variable', name: string) => [
    at(path),
    say('policyFile.restart', { what, name: JSON.stringify(name) }),
  ]
  const gone = current.projects
    .filter(({ name }) => projects.every((entry) => entry.name !== name))
    .map(({ name }) => restart(['projects'], 'gone', name))
  const changed = projects.flatMap((entry, index) => {
    const before = current.projects.find(({ name }) => name === entry.name)
    if (before === undefined) return [restart(['projects', index, 'name'], 'new', entry.name)]
    const { variables } = before
    const moved = [
      { path: ['base_url_env'], differs: entry.base_url_env !== variables.base_url_env },
      { path: ['api_key_env'], differs: entry.api_key_env !== variables.api_key_env },
      { path: ['signals', 'key_env'], differs: entry.signals?.key_env !== variables.signals?.key_env },
    ]
    return moved.flatMap(({ path, differs }) =>
      differs ? [restart(['projects', index, ...path], 'variable', entry.name)] : [],
    )
  })
  return [...gone, ...changed, ...(current.eventSecrets?.shared(projects) ?? [])]
}
