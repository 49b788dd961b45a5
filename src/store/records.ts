import { type Change, keyOf, type Rec, type Records } from '../domain/records.ts'
import { Tampered } from '../lifecycle/ports.ts'
import { added, type Root, weightOf } from './root.ts'
import type { Signer } from './signed.ts'

/** All records as they stand under a root: signed texts by key, and what they say. */
export interface Kept {
  readonly version: number
  readonly sum: bigint
  readonly stored: ReadonlyMap<string, string>
  readonly records: Records
  /** Keys of those that the key before has signed: the next change signs them anew. */
  readonly old: readonly string[]
}

/** What is written of a change: signed texts by key, and keys to take away. */
export interface Written {
  readonly put: readonly (readonly [string, string])[]
  readonly drop: readonly string[]
}

export const noChange: Written = { put: [], drop: [] }

/**
 * The records behind the fields of the hash; one whose text is as it was `before` is the very same value. Throws Tampered
 * unless they are exactly those of the root.
 */
export function keptUnder(
  signer: Signer,
  { version, count, sum }: Root,
  fields: Record<string, string>,
  before?: Kept,
): Kept {
  const kept = keptOf(signer, version, believed(signer, Object.entries(fields), true, before), before)
  if (kept.stored.size === count && kept.sum === sum) return kept
  throw new Tampered('Records in Redis (protections, freezes, stand-ins) are missing, or old ones were put back.')
}

/** Those that can still be believed one by one, where the whole cannot. */
export function salvaged(signer: Signer, version: number, fields: Record<string, string>): Kept {
  return keptOf(signer, version, believed(signer, Object.entries(fields), false))
}

type Believed = readonly (readonly [string, string, Rec])[]

function believed(
  signer: Signer,
  fields: readonly (readonly [string, string])[],
  strictly: boolean,
  before?: Kept,
): Believed {
  return fields.flatMap(([key, stored]) => {
    const known = before?.stored.get(key) === stored ? before.records.get(key) : undefined
    if (known !== undefined) return [[key, stored, known] as const]
    try {
      return [[key, stored, JSON.parse(signer.read(['record', key], stored)) as Rec] as const]
    } catch (error) {
      if (strictly || !(error instanceof Tampered)) throw error
      return []
    }
  })
}

function keptOf(signer: Signer, version: number, all: Believed, before?: Kept): Kept {
  const old = (key: string, stored: string) =>
    before?.stored.get(key) === stored ? before.old.includes(key) : signer.isOld(['record', key], stored)
  return {
    version,
    sum: all.reduce((sum, [, stored]) => added(sum, weightOf(stored)), 0n),
    stored: new Map(all.map(([key, stored]) => [key, stored])),
    records: new Map(all.map(([key, , record]) => [key, record])),
    old: all.flatMap(([key, stored]) => (old(key, stored) ? [key] : [])),
  }
}

/** A change as it is written, and the records as they are then. */
export function changed(
  signer: Signer,
  kept: Kept,
  { put = [], drop = [] }: Change,
): { readonly written: Written; readonly next: Kept } {
  const [stored, records] = [new Map(kept.stored), new Map(kept.records)]
  let { sum } = kept
  function leave(key: string): void {
    const old = stored.get(key)
    if (old !== undefined) sum = added(sum, -weightOf(old))
    stored.delete(key)
    records.delete(key)
  }
  for (const key of drop) leave(key)
  const again = kept.old.flatMap((key) => records.get(key) ?? [])
  const texts = [...again, ...put].map((record) => {
    const key = keyOf(record)
    const text = signer.sign(['record', key], JSON.stringify(record))
    leave(key)
    sum = added(sum, weightOf(text))
    stored.set(key, text)
    records.set(key, record)
    return [key, text] as const
  })
  return { written: { put: texts, drop }, next: { version: kept.version + 1, sum, stored, records, old: [] } }
}
