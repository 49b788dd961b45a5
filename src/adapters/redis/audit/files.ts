import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { readAs, written } from '../../../core/model/formats.ts'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { say } from '../../../core/model/words.ts'
import type { Acknowledgement, Anchor, Anchors, Audit, AuditLink, Head, Prune } from '../../../core/ports/audit.ts'
import type { Clock } from '../../../core/ports/services.ts'
import { program } from '../../../core/text/program.ts'
import { unlessItFails } from '../../../core/text/unless-it-fails.ts'
import { turnAt } from '../connection/leader-turns.ts'
import type { SignedPlace } from '../integrity/chain.ts'
import { entriesAfter, exportLine, firstLine, timeOf } from './export.ts'

/** The anchor in Redis has no time. */
const anchor = z.object({ at: z.number().default(0), seq: z.int().positive(), mac: z.string() })

/** Reads all anchors of the project's file, oldest first, except a line cut by a crash. None without a directory. */
export async function anchorsIn(directory: string | undefined, project: string): Promise<readonly Anchor[]> {
  if (directory === undefined) return []
  const text = await readFile(fileOf(directory, project), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
    throw error
  })
  return text.split('\n').flatMap(headsIn)
}

/** Keeps anchors in a file that only grows, on our own disk. Without a directory, the channel is the only witness. */
export function createAnchors(
  { redis, keys, signer }: SignedPlace,
  project: string,
  directory: string | undefined,
): Anchors {
  return {
    turn: turnAt(redis, keys, 'anchored').take,

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

/** Returns nothing for a line that is no head of ours or has a newer format: it proves nothing here. */
function headsIn(line: string): readonly Anchor[] {
  return unlessItFails(() => [anchor.parse(readAs('head', line))], [])
}

/** How long entries are kept, ms. */
const kept = 400 * 24 * 3_600_000

/**
 * Moves entries that are too old into a file of their own, and leaves a signed checkpoint as the new beginning. The
 * last entry always stays, and so does a loss if the entry that accepts it stays, so that each file proves itself.
 * Nothing is deleted before its file is on disk. Returns the path, or null if there was nothing to move. Only for a
 * chain that was verified, with its accepted losses. Null without a directory.
 */
export function prunerOf(
  audit: Audit,
  clock: Pick<Clock, 'now'>,
  project: string,
  directory: string | undefined,
): Prune | null {
  if (directory === undefined) return null
  return async (accepted) => {
    const start = await audit.start()
    const last = await lastBefore(audit, start, clock.now() - kept, accepted)
    if (last === null) return null
    const path = join(directory, `${project}.audit.${start.seq + 1}-${last.seq}.jsonl`)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    // Another process may write the same file. The last to finish takes the name, and both files are equal.
    const half = `${path}.${randomUUID()}`
    try {
      await writeFile(half, segment(audit, project, start, last), { flag: 'wx', mode: 0o600, flush: true })
      await rename(half, path)
    } finally {
      await rm(half, { force: true })
    }
    // The name of a file is only on disk once its directory is synced.
    const handle = await open(directory)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    await audit.prune(last)
    return path
  }
}

async function* segment(audit: Audit, project: string, start: Head, last: Head): AsyncGenerator<string> {
  yield `${firstLine(project, start)}\n`
  for await (const link of entriesAfter(audit, start)) {
    if (link.seq > last.seq) return
    yield `${exportLine(link)}\n`
  }
}

/** Finds the last old entry that is not the newest and does not separate a loss from its acceptance. */
async function lastBefore(audit: Audit, start: Head, before: number, accepted: readonly Acknowledgement[]) {
  let last: AuditLink | null = null
  let old: AuditLink | null = null
  for await (const link of entriesAfter(audit, start)) {
    const cut = old?.seq ?? 0
    if (!accepted.some(({ from, seq }) => from <= cut && cut < seq)) last = old
    if (timeOf(link) >= before) break
    old = link
  }
  return last
}

/** Checks whether old entries are moved out of the audit, and says how. `now`: ms since 1970. */
export async function pruneCheck(audit: Audit, directory: string | undefined, now: number): Promise<Check> {
  const name = say('check.audit')
  const fault = directory === undefined ? null : await faultOf(directory)
  if (fault !== null) return { name, well: false, says: say('audit.unwritable', { why: fault }) }
  if (directory !== undefined) return { name, well: true, says: say('audit.moved', { program }) }
  const [oldest] = await audit.read((await audit.start()).seq + 1, 1)
  const isOld = oldest !== undefined && timeOf(oldest) < now - kept
  return checkOf(name, isOld ? say('audit.kept', { program }) : null, say('audit.young', { program }))
}

/**
 * Returns why the directory cannot be written to, or null after a test write. A missing one is not made, because it
 * would belong to whoever runs the check: the directory above it is tried.
 */
async function faultOf(directory: string): Promise<string | null> {
  const probe = join(directory, `.${randomUUID()}.probe`)
  try {
    await writeFile(probe, 'x'.repeat(4_096), { flag: 'wx', mode: 0o600, flush: true })
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const above = dirname(directory)
    return code === 'ENOENT' && above !== directory ? faultOf(above) : code
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}
