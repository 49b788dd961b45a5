import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Sentence, say } from '../../core/model/words.ts'
import { asText } from '../../core/words/render.ts'
import { type Environment, readVariable } from '../env/environment.ts'

/** The text of a file; null if there is none. */
export type ReadFile = (path: string) => string | null

/** The file that is named, or else `lamplighter.yaml`. Undefined if there is none, or if it cannot be read (noted). */
export function policySourceOf(env: Environment, readFile: ReadFile, mistakes: string[]) {
  const named = readVariable(env, 'LAMPLIGHTER_CONFIG')
  const path = named ?? 'lamplighter.yaml'
  try {
    const text = readFile(path)
    if (text !== null) return { path, text }
    if (named)
      mistakes.push(
        `LAMPLIGHTER_CONFIG names ${path}, and no such file is there. Write its path, or unset the variable.`,
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

/** Changes with the text of the file; twelve characters. */
export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
