import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Environment, given } from '../env/environment.ts'

/** The text of a file, or null where there is none. */
export type ReadFile = (path: string) => string | null

export interface PolicySource {
  readonly path: string
  readonly text: string
}

/** The policy file: the one that is named, else `lamplighter.yaml` if it is there. Undefined: none, or not readable (noted). */
export function policySourceOf(env: Environment, readFile: ReadFile, mistakes: string[]): PolicySource | undefined {
  const named = given(env, 'LAMPLIGHTER_CONFIG')
  const path = named ?? 'lamplighter.yaml'
  try {
    const text = readFile(path)
    if (text !== null) return { path, text }
    if (named)
      mistakes.push(
        `LAMPLIGHTER_CONFIG names ${path}, and no such file is there. Write its path, or unset the variable.`,
      )
  } catch {
    mistakes.push(unreadable(path))
  }
  return undefined
}

export function unreadable(path: string): string {
  return `${path} cannot be read. Check that it is a file and that this process may read it.`
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Changes with the text of the file; twelve characters. */
export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
