import * as z from 'zod'
import { formatOf, jsonIn, numbered, unlessNewer } from '../../../core/model/formats.ts'
import type { Audit, AuditLink, AuditVerdict, Head } from '../../../core/ports/audit.ts'
import { entriesAtOnce, entryIn } from '../integrity/chain.ts'
import { inflated, type Signer } from '../integrity/sign.ts'
import { checkChain } from './verify.ts'

/** Reads all entries after a head, oldest first. */
export async function* entriesAfter(audit: Pick<Audit, 'read'>, start: Head): AsyncGenerator<AuditLink> {
  for (let from = start.seq + 1; ; ) {
    const links = await audit.read(from, entriesAtOnce)
    const last = links.at(-1)
    if (last === undefined) return
    yield* links
    from = last.seq + 1
  }
}

/** Writes the first line of an export: the head that its entries follow. */
export function firstLine(project: string, after: Head): string {
  return JSON.stringify(numbered('export', { project, after: { seq: after.seq, mac: after.mac } }))
}

/** Writes an entry as a line of an export, with its signed text if that is packed or not the same JSON. */
export function exportLine({ seq, mac, text }: AuditLink): string {
  const plain = inflated(text)
  if (!plain.startsWith('{') || JSON.stringify(jsonIn(plain)) !== plain) return JSON.stringify({ seq, mac, text })
  const signed = plain === text ? '' : `,"text":${JSON.stringify(text)}`
  return `{"seq":${seq},"mac":${JSON.stringify(mac)},"entry":${plain}${signed}}`
}

/** Returns when an entry was written, ms since 1970: 0 if it has no time, infinity if its format is newer. */
export function timeOf({ text }: AuditLink): number {
  return unlessNewer(() => entryIn(text).at, Number.POSITIVE_INFINITY)
}

function lineAs<T>(schema: z.ZodType<T>, line: string, at: number): T {
  const read = schema.safeParse(jsonIn(line))
  if (read.success) return read.data
  const what = at === 1 ? 'does not say of which project it is and what it follows' : 'is no entry'
  throw new NoExport(`Line ${at} ${what}: this is no export of the audit, or it was changed or cut off.`)
}

/** The entries of one project in an export. */
export interface Exported {
  readonly project: string
  readonly after: Head
  readonly lines: readonly string[]
  /** The number of the first line in the file. */
  readonly from: number
}

/** The text is not, or no longer, an export. The message is a sentence that begins with the line. */
export class NoExport extends Error {
  override readonly name = 'NoExport'
}

const head = { seq: z.int().min(0), mac: z.string() }
const firstSchema = z.object({ format: z.number().default(0), project: z.string(), after: z.object(head) })
const lineSchema = z.object({ ...head, entry: z.unknown().optional(), text: z.string().optional() })

/** Returns the parts of an export, by project. Throws NoExport. */
export function readExport(text: string): readonly Exported[] {
  const parts: (Exported & { readonly lines: string[] })[] = []
  for (const [nth, line] of text.split('\n').entries()) {
    const part = parts.at(-1)
    if (line === '' && nth > 0) continue
    if (part !== undefined && line.startsWith('{"seq":')) {
      part.lines.push(line)
      continue
    }
    const { format, ...of } = lineAs(firstSchema, line, nth + 1)
    if (format > formatOf('export'))
      throw new NoExport(
        `Line ${nth + 1} says that a newer version has written this (format ${format}): verify it with that one.`,
      )
    // A second part could hide that entries between the two are missing.
    if (parts.some(({ project }) => project === of.project))
      throw new NoExport(`Line ${nth + 1} begins project ${of.project} again: this was changed.`)
    parts.push({ ...of, lines: [], from: nth + 2 })
  }
  return parts
}

/** Verifies a part of an export. `noted`: anchors that may be newer. Throws NoExport if a line does not belong in one. */
export function verifyExport(
  signer: Signer,
  { after, lines, from }: Exported,
  noted: readonly Head[],
  anchors: readonly Head[] = [],
): AuditVerdict {
  const links = lines.map((line, at) => {
    const { entry, text, ...rest } = lineAs(lineSchema, line, at + from)
    // Entries were written by JSON.stringify, so writing them again gives the same text.
    const plain = JSON.stringify(entry) ?? ''
    if (text === undefined) return { ...rest, text: plain }
    // The entry beside a signed text must be what that text says.
    return { ...rest, text: entry === undefined || inflated(text) === plain ? text : '' }
  })
  const last = links.at(-1) ?? after
  const within = noted.filter(({ seq }) => seq <= last.seq)
  const look = checkChain(signer, { start: after, anchors: [...within, ...anchors] })
  for (const link of links) look.feed(link)
  return look.end()
}
