import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { readAs, written } from '../../../core/model/formats.ts'
import type { Anchor, Anchors, Head } from '../../../core/ports/audit.ts'
import { takeTurn } from '../connection/leader-turns.ts'
import type { StoreContext } from '../context.ts'

/** Redis keeps no time. */
const anchor = z.object({ at: z.number().default(0), seq: z.int().positive(), mac: z.string() })

/** Every anchor that stands in the project's file, oldest first; none without one. A line cut by a crash is left out. */
export async function anchorsIn(directory: string | undefined, project: string): Promise<readonly Anchor[]> {
  if (directory === undefined) return []
  const text = await readFile(fileOf(directory, project), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
    throw error
  })
  return text.split('\n').flatMap(headsIn)
}

/** Anchors in a file that only grows, on a disk of ours. Without a directory the channel is the only witness. */
export function createAnchors(
  { redis, keys, signer }: Pick<StoreContext, 'redis' | 'keys' | 'signer'>,
  project: string,
  directory: string | undefined,
): Anchors {
  return {
    turn: () => takeTurn(redis, keys, 'anchored'),

    async newest() {
      const stored = await redis.get(keys.anchored)
      const told = stored === null ? [] : headsIn(signer.read(['anchored'], stored))
      const all = [...(await anchorsIn(directory, project)), ...told]
      return all.reduce<Head | null>((best, one) => (best === null || one.seq >= best.seq ? one : best), null)
    },

    async note(one) {
      if (directory !== undefined) {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await appendFile(fileOf(directory, project), `${written('head', one)}\n`, { mode: 0o600, flush: true })
      }
      const { seq, mac } = one
      await redis.set(keys.anchored, signer.sign(['anchored'], written('head', { seq, mac })))
    },
  }
}

function fileOf(directory: string, project: string): string {
  return join(directory, `${project}.anchors.jsonl`)
}

/** Empty if it is no head of ours, or one of a newer version: it proves nothing here. */
function headsIn(line: string): readonly Anchor[] {
  try {
    return [anchor.parse(readAs('head', line))]
  } catch {
    return []
  }
}
