import { Newer, written as numbered, readAs } from '../../../core/model/formats.ts'
import { type Change, keyOf, type Rec, type Records } from '../../../core/model/records.ts'
import type { Head, Link } from '../../../core/ports/audit.ts'
import { Tampered } from '../../../core/ports/services.ts'
import { added, type Root, weightOf } from './root.ts'
import type { Signer } from './sign.ts'

/** All records as they stand under a root: signed texts by key, and what they say. */
export interface Kept {
  readonly version: number
  readonly sum: bigint
  readonly stored: ReadonlyMap<string, string>
  /** Of those that this process can read; newer ones stand among the texts all the same. */
  readonly records: Records
  /** Keys of those that the key before has signed: the next change signs them anew. */
  readonly old: ReadonlySet<string>
}

const nothing: Kept = { version: 0, sum: 0n, stored: new Map(), records: new Map(), old: new Set() }

/** Texts by key; null is none any more. */
type Texts = readonly (readonly [key: string, text: string | null])[]

/** What is written of a change: signed texts by key, and keys to take away. */
export interface Written {
  readonly put: readonly (readonly [string, string])[]
  readonly drop: readonly string[]
}

export const noChange: Written = { put: [], drop: [] }

/**
 * The records behind all fields of the hash; one whose text is as it was `before` is the very same value, and so are all
 * of them where nothing has changed. Throws Tampered unless they are exactly those of the root.
 */
export function keptUnder(signer: Signer, root: Root, fields: Record<string, string>, before: Kept = nothing): Kept {
  const gone = [...before.stored.keys()].filter((key) => !Object.hasOwn(fields, key))
  const kept = caughtUp(signer, root, before, [...gone.map((key) => [key, null] as const), ...Object.entries(fields)])
  if (kept !== undefined) return kept
  throw new Tampered('Records in Redis (protections, freezes, stand-ins) are missing, or old ones were put back.')
}

/**
 * Those before with other texts in the place of some; undefined unless they are then exactly those of the root, which
 * also says that there were no others to replace. Throws Tampered where a text is not ours.
 */
export function caughtUp(signer: Signer, root: Root, before: Kept, texts: Texts): Kept | undefined {
  const kept = replaced(signer, root.version, before, texts, true)
  return kept.stored.size === root.count && kept.sum === root.sum ? kept : undefined
}

/** Those that can still be believed one by one, where the whole cannot. */
export function salvaged(signer: Signer, version: number, fields: Record<string, string>): Kept {
  return replaced(signer, version, nothing, Object.entries(fields), false)
}

function replaced(signer: Signer, version: number, before: Kept, texts: Texts, strictly: boolean): Kept {
  const other = texts.filter(([key, text]) => (before.stored.get(key) ?? null) !== text)
  if (other.length === 0 && version === before.version) return before
  const next = copyOf(before)
  for (const [key, text] of other) {
    next.leave(key)
    const record = text === null ? undefined : believed(signer, key, text, strictly)
    if (text !== null && record !== undefined) next.take(key, text, record, signer.isOld(['record', key], text))
  }
  return next.as(version)
}

/** Undefined where it is not ours; null where it is, and only a newer process knows what it says. */
function believed(signer: Signer, key: string, text: string, strictly: boolean): Rec | null | undefined {
  try {
    return readAs<Rec>('record', signer.read(['record', key], text))
  } catch (error) {
    if (error instanceof Newer) return null
    if (strictly || !(error instanceof Tampered)) throw error
    return undefined
  }
}

/** To be changed; what it was made from stays as it is. */
function copyOf(kept: Kept) {
  const [stored, records, old] = [new Map(kept.stored), new Map(kept.records), new Set(kept.old)]
  const [left, taken]: [string[], string[]] = [[], []]
  return {
    leave(key: string): void {
      const text = stored.get(key)
      if (text === undefined) return
      left.push(text)
      stored.delete(key)
      records.delete(key)
      old.delete(key)
    },
    take(key: string, text: string, record: Rec | null, isOld = false): void {
      taken.push(text)
      stored.set(key, text)
      if (record !== null) records.set(key, record)
      if (isOld) old.add(key)
    },
    as: (version: number): Kept => {
      const sum = added(kept.sum, weightOf(taken) - weightOf(left))
      return { version, sum, stored, records, old }
    },
  }
}

/** A change as it is written, and the records as they are then. */
export function changed(
  signer: Signer,
  kept: Kept,
  { put = [], drop = [] }: Change,
): { readonly written: Written; readonly next: Kept } {
  const next = copyOf(kept)
  for (const key of drop) next.leave(key)
  const again = [...kept.old].filter((key) => !drop.includes(key)).flatMap((key) => kept.records.get(key) ?? [])
  const texts = [...again, ...put].map((record) => {
    const key = keyOf(record)
    const text = signer.sign(['record', key], numbered('record', record))
    next.leave(key)
    next.take(key, text, record)
    return [key, text] as const
  })
  return { written: { put: texts, drop }, next: next.as(kept.version + 1) }
}

/** Keys of the records that entries of the audit have changed; of none from the first that does not follow a head on. Throws Newer. */
export function touchedIn(signer: Signer, head: Head, entries: readonly Link[]): readonly string[] {
  const touched = new Set<string>()
  let last = head
  for (const entry of entries) {
    if (!signer.isLink(entry.mac, last.mac, entry.seq, entry.text)) break
    last = entry
    if (!entry.text.includes('"change"')) continue
    const { change } = readAs<{ readonly change?: Change }>('entry', entry.text)
    for (const record of change?.put ?? []) touched.add(keyOf(record))
    for (const key of change?.drop ?? []) touched.add(key)
  }
  return [...touched]
}
