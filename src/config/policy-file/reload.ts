import { readFile, stat } from 'node:fs/promises'
import type { Project } from './projects.ts'
import { type NamedGroup, type PolicyText, readPolicy } from './read.ts'
import type { PolicyFile } from './schema.ts'
import { unreadable, versionOf } from './source.ts'

/** The policy file as it is in force, and the projects made from it. */
export interface CurrentPolicy {
  readonly policySource: string | null
  /** Changes with the text of the file; `none` without one. */
  readonly policyVersion: string
  readonly operationsChannel?: string | undefined
  readonly auditChannel?: string | undefined
  readonly groups: readonly NamedGroup[]
  readonly projects: readonly Pick<Project, 'name' | 'channels' | 'policy' | 'variables'>[]
}

export type Reread =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'changed'
      readonly version: string
      readonly policy: PolicyFile
      readonly groups: readonly NamedGroup[]
    }
  /** `text` identifies the refused text. */
  | { readonly kind: 'refused'; readonly text: string; readonly sentences: readonly string[] }

/** Changes whenever the file is written, replaced, removed or made unreadable. */
export async function fileStamp(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path)
    return `${mtimeMs} ${size} ${ino}`
  } catch (error) {
    return `away ${reasonOf(error)}`
  }
}

/** Reads the file and compares it with the text in force. */
export async function reread(path: string, current: CurrentPolicy): Promise<Reread> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const says =
      reasonOf(error) === 'ENOENT'
        ? `${path} is gone. Put it back, or stop Lamplighter if nobody is to use it.`
        : unreadable(path)
    return { kind: 'refused', text: says, sentences: [says] }
  }
  const version = versionOf(text)
  if (version === current.policyVersion) return { kind: 'same' }
  const sentences: string[] = []
  const { policy, groups, at } = readPolicy(path, text, sentences)
  if (policy !== undefined) sentences.push(...needsRestart(policy, current, at))
  if (policy === undefined || sentences.length > 0) return { kind: 'refused', text: version, sentences }
  return { kind: 'changed', version, policy, groups }
}

/** Changes that take a restart, since connections, keys and queues of each project are made at the start. */
function needsRestart({ projects }: PolicyFile, current: CurrentPolicy, at: PolicyText['at']): string[] {
  const remedy = 'Start Lamplighter again to take it over, or write what stood there.'
  const gone = current.projects
    .filter(({ name }) => projects.every((entry) => entry.name !== name))
    .map(({ name }) => `${at(['projects'])} has no project ${JSON.stringify(name)} any more. ${remedy}`)
  const changed = projects.flatMap((entry, index) => {
    const before = current.projects.find(({ name }) => name === entry.name)
    if (before === undefined) {
      const place = at(['projects', index, 'name'])
      return [`${place} is a project that is new: ${JSON.stringify(entry.name)}. ${remedy}`]
    }
    const { variables } = before
    const moved = [
      { path: ['base_url_env'], differs: entry.base_url_env !== variables.base_url_env },
      { path: ['api_key_env'], differs: entry.api_key_env !== variables.api_key_env },
      { path: ['signals', 'key_env'], differs: entry.signals?.key_env !== variables.signals?.key_env },
    ]
    return moved.flatMap(({ path, differs }) =>
      differs ? [`${at(['projects', index, ...path])} names another variable than at the start. ${remedy}`] : [],
    )
  })
  return [...gone, ...changed]
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
