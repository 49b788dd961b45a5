import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { Newer, readAs, written } from '../../../core/model/formats.ts'
import type { Anchor, Anchors, Head } from '../../../core/ports/audit.ts'
import { turnToAnchor } from '../connection/leader-turns.ts'
import type { Ground } from '../integrity/context.ts'

const anchor = z.object({ at: z.number(), seq: z.int().positive(), mac: z.string() })

/** Every anchor that stands in the project's file, oldest first; none without one. A line cut by a crash is left out. */
export async function anchorsIn(directory: string | undefined, project: string): Promise<readonly Anchor[]> {
  if (directory === undefined) return []
  const text = await readFile(fileOf(directory, project), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => anchorIn(line) ?? [])
}

/**
 * Anchors in a file that only grows, on a disk of ours, and in Redis as far as workers must not repeat each other.
 * Without a directory the channel is the only witness.
 */
export function createAnchors(
  { redis, keys, signer }: Pick<Ground, 'redis' | 'keys' | 'signer'>,
  project: string,
  directory: string | undefined,
): Anchors {
  return {
    turn: () => turnToAnchor(redis, keys),

    async newest() {
      const stored = await redis.get(keys.anchored)
      const told = stored === null ? [] : toldIn(signer.read(['anchored'], stored))
      const all = [...(await anchorsIn(directory, project)), ...told]
      return all.reduce<Head | null>((best, one) => (best === null || one.seq >= best.seq ? one : best), null)
    },

    async note(one) {
      if (directory !== undefined) await append(fileOf(directory, project), written('head', one))
      const { seq, mac } = one
      await redis.set(keys.anchored, signer.sign(['anchored'], written('head', { seq, mac })))
    },
  }
}

/** Adds lines to a file, made where it is missing; they are on the disk when this resolves. */
async function append(path: string, lines: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(`${lines}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

function fileOf(directory: string, project: string): string {
  return join(directory, `${project}.anchors.jsonl`)
}

/** Null for what is no line of ours, or one of a newer version: it proves nothing here. */
function anchorIn(line: string): Anchor | null {
  try {
    return anchor.safeParse(readAs('head', line)).data ?? null
  } catch {
    return null
  }
}

/** One of a newer format proves nothing here; the audit itself is still read from where it says it ends. */
function toldIn(text: string): readonly Head[] {
  try {
    return [readAs('head', text)]
  } catch (error) {
    if (error instanceof Newer) return []
    throw error
  }
}
