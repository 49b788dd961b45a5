import * as z from 'zod'
import { formatOf, Newer, numbered, valueAs } from '../../../core/model/formats.ts'
import type { Audit, Head, Link, Verdict } from '../../../core/ports/audit.ts'
import { spanOf } from '../../../core/time/format.ts'
import type { Signer } from '../integrity/sign.ts'
import { lookThrough } from './verify.ts'

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
  return JSON.stringify(numbered('export', { project, after: { seq: after.seq, mac: after.mac } }))
}

/** A line of an export: the entry as it was signed, inside; or its text, where somebody has made that no entry. */
export function lineOf({ seq, mac, text }: Link): string {
  return entryIn(text) === undefined
    ? JSON.stringify({ seq, mac, text })
    : `{"seq":${seq},"mac":${JSON.stringify(mac)},"entry":${text}}`
}

/** When an entry was written, ms since 1970; 0 where it does not say, and never of a newer format. */
export function timeOf({ text }: Link): number {
  try {
    return valueAs<{ readonly at?: number }>('entry', entryIn(text) ?? {}).at ?? 0
  } catch (error) {
    if (error instanceof Newer) return Number.POSITIVE_INFINITY
    throw error
  }
}

/** Undefined for what was never written as one: a line break inside would make two lines of it. */
function entryIn(text: string): { readonly at?: number } | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    const same = typeof entry === 'object' && entry !== null && JSON.stringify(entry) === text
    return same ? (entry as { readonly at?: number }) : undefined
  } catch {
    return undefined
  }
}

function lineAs<T>(schema: z.ZodType<T>, line: string, at: number): T {
  const read = schema.safeParse(valueIn(line))
  if (read.success) return read.data
  const what = at === 1 ? 'does not say of which project it is and what it follows' : 'is no entry'
  throw new NoExport(`Line ${at} ${what}: this is no export of the audit, or it was changed or cut off.`)
}

function valueIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** An export as it is read again. */
export interface Exported {
  readonly project: string
  readonly after: Head
  readonly lines: readonly string[]
}

/** It was never an export, or is one no more; the message is a sentence that begins with the line. */
export class NoExport extends Error {
  override readonly name = 'NoExport'
}

const head = { seq: z.int().min(0), mac: z.string() }
const firstSchema = z.object({ format: z.number().default(0), project: z.string(), after: z.object(head) })
const lineSchema = z.object({ ...head, entry: z.unknown().optional(), text: z.string().optional() })

/** Throws NoExport. */
export function readExport(text: string): Exported {
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '')
  const { format, ...of } = lineAs(firstSchema, first, 1)
  if (format > formatOf('export'))
    throw new NoExport(`Line 1 says that a newer version has written this (format ${format}): verify it with that one.`)
  return { ...of, lines }
}

/** Looks through one export. Throws NoExport where a line is none of one. */
export function verifyExport(signer: Signer, { after, lines }: Exported, anchors: readonly Head[]): Verdict {
  const links = lines.map((line, at) => {
    const { entry, text, ...rest } = lineAs(lineSchema, line, at + 2)
    // Entries were written by JSON.stringify, so written again they are the same text.
    return { ...rest, text: text ?? JSON.stringify(entry) ?? '' }
  })
  const last = links.at(-1) ?? after
  const look = lookThrough(signer, { start: after, anchors: anchors.filter(({ seq }) => seq <= last.seq) })
  for (const link of links) look.feed(link)
  return look.end()
}

/** What follows the word of `npm start -- audit …`. */
export interface Options {
  readonly file?: string
  /** ms */
  readonly since?: number
  readonly anchors: readonly Head[]
}

/** `wrong`: a sentence about a word that cannot be read. */
export function readOptions(words: readonly string[]): Options | { readonly wrong: string } {
  const [word, value = '', ...more] = words
  if (word === undefined) return { anchors: [] }
  if (!word.startsWith('--')) return { ...readOptions(words.slice(1)), file: word }
  const rest = readOptions(more)
  if (word === '--since') {
    const since = spanOf(value)
    return since === null ? { wrong: `--since takes a length, for example 30d, not “${value}”.` } : { ...rest, since }
  }
  if (word !== '--anchor') return { wrong: `There is no ${word}.` }
  const [, seq, mac] = /^(\d{1,15}):([\w-]{43})$/.exec(value) ?? []
  if (seq === undefined || mac === undefined)
    return {
      wrong: `--anchor takes the number of an entry and its MAC of 43 characters with a colon between, as the operations channel has them, not “${value}”.`,
    }
  return 'wrong' in rest ? rest : { ...rest, anchors: [...rest.anchors, { seq: Number(seq), mac }] }
}
