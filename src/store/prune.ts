import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Audit, Head, Link } from '../lifecycle/audit.ts'
import { entriesAfter, firstLine, lineOf, timeOf } from './exported.ts'

/** How long entries are kept, ms. */
export const kept = 400 * 24 * 3_600_000

/**
 * Moves entries from before a time (ms since 1970) into a file of their own, and leaves a signed checkpoint as the new
 * beginning; the last entry always stays. Nothing is forgotten before its file is on the disk. The path, or null when
 * there was nothing to move.
 */
export async function prune(audit: Audit, project: string, directory: string, before: number): Promise<string | null> {
  const start = await audit.start()
  const last = await lastBefore(audit, start, before)
  if (last === null) return null
  const path = join(directory, `${project}.audit.${start.seq + 1}-${last.seq}.jsonl`)
  await mkdir(directory, { recursive: true })
  const file = await open(path, 'w', 0o600)
  try {
    await file.write(`${firstLine(project, start)}\n`)
    for await (const link of entriesAfter(audit, start)) {
      if (link.seq > last.seq) break
      await file.write(`${lineOf(link)}\n`)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await audit.prune(last)
  return path
}

/** The last entry that is old enough and has another after it. */
async function lastBefore(audit: Audit, start: Head, before: number): Promise<Link | null> {
  let [last, next]: (Link | null)[] = [null, null]
  for await (const link of entriesAfter(audit, start)) {
    last = next ?? null
    if (timeOf(link) >= before) return last
    next = link
  }
  return last ?? null
}
