import type { Audit, Head, Link, Verdict } from '../lifecycle/audit.ts'
import { lookThrough } from './link.ts'
import type { Signer } from './signed.ts'

/** Entries read at once. */
const page = 1_000

/** All entries after a head, oldest first. */
export async function* entriesAfter(audit: Pick<Audit, 'read'>, start: Head): AsyncGenerator<Link> {
  for (let from = start.seq + 1; ; ) {
    const links = await audit.read(from, page)
    const last = links.at(-1)
    if (last === undefined) return
    yield* links
    from = last.seq + 1
  }
}

/** The first line of an export: what its entries follow. */
export function firstLine(project: string, after: Head): string {
  return JSON.stringify({ project, after: { seq: after.seq, mac: after.mac } })
}

/** A line of an export: the entry as it was signed, inside. */
export function lineOf({ seq, mac, text }: Link): string {
  return `{"seq":${seq},"mac":${JSON.stringify(mac)},"entry":${text}}`
}

/** When an entry was written, ms since 1970. */
export function timeOf({ text }: Link): number {
  return (JSON.parse(text) as { readonly at: number }).at
}

/** An export as it is read again. */
export interface Exported {
  readonly project: string
  readonly after: Head
  readonly lines: readonly string[]
}

/** Throws SyntaxError for what is no export. */
export function readExport(text: string): Exported {
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '')
  return { ...(JSON.parse(first) as Pick<Exported, 'project' | 'after'>), lines }
}

/** Looks through one export. Throws SyntaxError where a line is none. */
export function verifyExport(signer: Signer, { after, lines }: Exported, anchors: readonly Head[]): Verdict {
  const look = lookThrough(signer, {
    start: after,
    anchors: anchors.filter(({ seq }) => seq <= after.seq + lines.length),
  })
  for (const line of lines) {
    const { seq, mac, entry } = JSON.parse(line) as Head & { readonly entry: unknown }
    // Entries were written by JSON.stringify, so written again they are the same text.
    look.feed({ seq, mac, text: JSON.stringify(entry) })
  }
  return look.end()
}
