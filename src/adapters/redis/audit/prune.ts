import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Check } from '../../../core/model/answer.ts'
import { say } from '../../../core/model/words.ts'
import type { Acknowledgement, Audit, AuditLink, Head, Prune } from '../../../core/ports/audit.ts'
import type { Clock } from '../../../core/ports/services.ts'
import { program } from '../../../core/text/program.ts'
import { entriesAfter, exportLine, firstLine, timeOf } from './export.ts'

/** How long entries are kept, ms. */
const kept = 400 * 24 * 3_600_000

/**
 * Moves entries that are too old by a clock into a file of their own in a directory, and leaves a signed checkpoint as
 * the new beginning; the last entry always stays, and so does a loss if the entry that accepts it stays, so that each
 * file is proven by itself. Nothing is forgotten before its file is on the disk. Returns its path, or null if there was
 * nothing to move. Only for a chain that was found well, with its accepted losses. Null without a directory.
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
    // Another may be at it as well: whichever is whole last takes the name, and both say the same.
    const half = `${path}.${randomUUID()}`
    try {
      await writeFile(half, segment(audit, project, start, last), { flag: 'wx', mode: 0o600, flush: true })
      await rename(half, path)
    } finally {
      await rm(half, { force: true })
    }
    // A file's name is on the disk only with its directory.
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

/** The last entry that is old enough and has another after it, and does not part a loss from its acceptance. */
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

/** Whether what is old is moved out of the audit, at an instant (ms since 1970), and how it would be. */
export async function pruneCheck(audit: Audit, directory: string | undefined, now: number): Promise<Check> {
  const name = say('check.audit')
  const fault = directory === undefined ? null : await faultOf(directory)
  if (fault !== null) return { name, well: false, says: say('audit.unwritable', { why: fault }) }
  if (directory !== undefined) return { name, well: true, says: say('audit.moved', { program }) }
  const [oldest] = await audit.read((await audit.start()).seq + 1, 1)
  return { name, well: oldest === undefined || timeOf(oldest) >= now - kept, says: say('audit.kept', { program }) }
}

/** Why nothing can be written there; null where something just was. */
async function faultOf(directory: string): Promise<string | null> {
  const probe = join(directory, `.${randomUUID()}.probe`)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(probe, 'x'.repeat(4_096), { flag: 'wx', mode: 0o600, flush: true })
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}
