import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Check } from '../../../core/model/answer.ts'
import type { Acknowledgement, Audit, Head, Link, Prune } from '../../../core/ports/audit.ts'
import type { Clock } from '../../../core/ports/services.ts'
import { entriesAfter, firstLine, lineOf, timeOf } from './export.ts'

/** How long entries are kept, ms. */
const kept = 400 * 24 * 3_600_000

/** Where entries of a project go that are too old at an instant (ms since 1970). */
export interface Pruning {
  readonly project: string
  readonly directory: string
  readonly now: number
}

/**
 * Moves old entries into a file of their own, and leaves a signed checkpoint as the new beginning; the last entry
 * always stays, and so does a gap whose acknowledgement stays, so that each file is proven by itself. Nothing is
 * forgotten before its file is on the disk. The path, or null when there was nothing to move. Only for a chain that was
 * found well, with these `acknowledged` gaps.
 */
export async function prune(
  audit: Audit,
  { project, directory, now }: Pruning,
  acknowledged: readonly Acknowledgement[],
): Promise<string | null> {
  const start = await audit.start()
  const last = await lastBefore(audit, start, now - kept, acknowledged)
  if (last === null) return null
  const path = join(directory, `${project}.audit.${start.seq + 1}-${last.seq}.jsonl`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Another may be at it as well: whichever is whole last takes the name, and both say the same.
  const half = `${path}.${randomUUID()}`
  try {
    await write(half, segment(audit, project, start, last))
    await rename(half, path)
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
  await sync(directory)
  await audit.prune(last)
  return path
}

/** Prunes a project by a clock; null where there is no directory to move anything to. */
export function prunerOf(
  audit: Audit,
  clock: Pick<Clock, 'now'>,
  project: string,
  directory: string | undefined,
): Prune | null {
  if (directory === undefined) return null
  return (acknowledged) => prune(audit, { project, directory, now: clock.now() }, acknowledged)
}

/** Whether what is old is moved out of the audit, at an instant (ms since 1970), and how it would be. */
export async function pruneCheck(audit: Audit, directory: string | undefined, now: number): Promise<Check> {
  const name = 'Audit'
  const fault = directory === undefined ? null : await faultOf(directory)
  if (fault !== null) {
    const says = `LAMPLIGHTER_AUDIT_DIR cannot be written to (${fault}): make room there, and let workers write to it. Until then heads of the audit are only posted, and nothing is moved there.`
    return { name, well: false, says }
  }
  if (directory !== undefined)
    return { name, well: true, says: 'Entries older than 400 days are moved out once a day.' }
  const [oldest] = await audit.read((await audit.start()).seq + 1, 1)
  const says =
    'Entries older than 400 days stay in Redis: set LAMPLIGHTER_AUDIT_DIR to a directory that lasts, and workers move them there once a day; npm start -- audit prune does it at once.'
  return { name, well: oldest === undefined || timeOf(oldest) >= now - kept, says }
}

/** Why nothing can be written there; null where something just was. */
async function faultOf(directory: string): Promise<string | null> {
  const probe = join(directory, `.${randomUUID()}.probe`)
  try {
    await mkdir(directory, { recursive: true })
    await writeFile(probe, 'x'.repeat(4_096), { flag: 'wx', mode: 0o600, flush: true })
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

async function* segment(audit: Audit, project: string, start: Head, last: Head): AsyncGenerator<string> {
  yield firstLine(project, start)
  for await (const link of entriesAfter(audit, start)) {
    if (link.seq > last.seq) return
    yield lineOf(link)
  }
}

/** The lines are on the disk when this resolves. */
async function write(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const line of lines) await file.write(`${line}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A file's name is on the disk only with its directory. */
async function sync(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The last entry that is old enough and has another after it. */
async function lastBefore(
  audit: Audit,
  start: Head,
  before: number,
  acknowledged: readonly Acknowledgement[],
): Promise<Link | null> {
  let last: Link | null = null
  let next: Link | null = null
  for await (const link of entriesAfter(audit, start)) {
    if (next !== null && !splits(next, acknowledged)) last = next
    if (timeOf(link) >= before) return last
    next = link
  }
  return last
}

/** Whether a cut behind an entry would take a gap from its acknowledgement. */
function splits({ seq }: Head, acknowledged: readonly Acknowledgement[]): boolean {
  return acknowledged.some((gap) => gap.from <= seq && seq < gap.seq)
}
