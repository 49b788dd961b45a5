import type { Redis } from 'ioredis'
import { readAs, unlessNewer, written } from '../../../core/model/formats.ts'
import { type Change, keyOf, type Records, type StoredRecord } from '../../../core/model/records.ts'
import type { Head } from '../../../core/ports/audit.ts'
import { answersOf } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { beginning, linkIn } from './chain.ts'
import { macLength, type Signer } from './sign.ts'

/**
 * The one signed text that a project's proofs hang on: how far the audit has come, and which records there are. `sum`
 * adds up the MACs of all records (a multiset hash: Clarke et al., "Incremental Multiset Hash Functions", 2003), so
 * that a change costs the same however many there are, and none can be deleted, added or put back unseen.
 */
export interface Root extends Head {
  /** Counts the changes of records. */
  readonly version: number
  readonly count: number
  readonly sum: bigint
}

/** With the text that Redis has of it. */
export interface StoredRoot extends Root {
  readonly stored: string
}

/** Before anything was written. */
export const noRoot: StoredRoot = { seq: 0, mac: '', version: 0, count: 0, sum: 0n, stored: '' }

export function writeRoot(signer: Signer, root: Root): StoredRoot {
  return { ...root, stored: signer.sign(['root'], written('root', { ...root, sum: root.sum.toString(16) })) }
}

/** Throws Tampered, Newer. */
export function readRoot(signer: Signer, stored: string): StoredRoot {
  if (stored === '') return noRoot
  const { sum, ...rest } = readAs<Omit<Root, 'sum'> & { readonly sum: string }>('root', signer.read(['root'], stored))
  return { ...rest, sum: BigInt(`0x${sum}`), stored }
}

/**
 * Whether what is stored was signed with a key of ours. A root that was tampered with is no other key: the newest
 * entry of the audit is ours. If nothing is stored, an empty root is left, so that another key is noticed from the
 * first day on.
 */
export async function checkSigned(redis: Redis, keys: Keys, signer: Signer): Promise<boolean> {
  const { stored: _, ...empty } = noRoot
  const asking = redis.multi().set(keys.root, writeRoot(signer, empty).stored, 'NX').get(keys.root)
  const [, root, entries] = await answersOf(asking.xrevrange(keys.audit, '+', '-', 'COUNT', 2))
  if (signer.isOurs(['root'], String(root))) return true
  const [newest, before = beginning] = (entries as [string, string[]][]).map(linkIn)
  return newest !== undefined && signer.follows(newest, before)
}

/** All records of one root: signed texts by key, and what they say. */
export interface StoredRecords {
  readonly version: number
  readonly sum: bigint
  readonly stored: ReadonlyMap<string, string>
  /** Those that this process can read; newer ones are among the texts all the same. */
  readonly records: Records
}

export const noRecords: StoredRecords = { version: 0, sum: 0n, stored: new Map(), records: new Map() }

/** Texts by key; null: deleted. */
export type Texts = readonly (readonly [key: string, text: string | null])[]

/**
 * The records of a root: those before, with these texts in their place; a text that is the same stays the very same
 * value. `all`: there are no others. Undefined unless they are then exactly those of the root. Throws Tampered if a text
 * is not ours.
 */
export function recordsUnder(
  signer: Signer,
  root: Pick<Root, 'version' | 'count' | 'sum'>,
  before: StoredRecords,
  texts: Texts,
  all?: 'all',
): StoredRecords | undefined {
  const named = new Set(texts.map(([key]) => key))
  const others = all === undefined ? [] : [...before.stored.keys()].filter((key) => !named.has(key))
  const gone = others.map((key) => [key, null] as const)
  const differ = [...gone, ...texts].filter(([key, text]) => (before.stored.get(key) ?? null) !== text)
  const isSame = differ.length === 0 && root.version === before.version
  const found = isSame ? before : replaced(signer, root.version, before, differ)
  return found.stored.size === root.count && found.sum === root.sum ? found : undefined
}

/** Those that are well signed, where they cannot be believed as a whole. */
export function believable(signer: Signer, fields: Readonly<Record<string, string>>): StoredRecords {
  const ours = Object.entries(fields).filter(([key, text]) => signer.isOurs(['record', key], text))
  return replaced(signer, 0, noRecords, ours)
}

/** A change as it is written, and the records as they are then. Signs anew whatever an earlier key has signed. */
export function changed(
  signer: Signer,
  before: StoredRecords,
  { put = [], drop = [] }: Change,
): { readonly texts: Texts; readonly next: StoredRecords } {
  const again = [...before.records].flatMap(([key, record]) => {
    const isOld = signer.isOld(['record', key], before.stored.get(key) ?? '')
    return isOld && !drop.includes(key) ? [record] : []
  })
  const signed = [...again, ...put].map((record) => {
    const key = keyOf(record)
    return [key, signer.sign(['record', key], written('record', record))] as const
  })
  const texts = [...drop.map((key) => [key, null] as const), ...signed]
  return { texts, next: replaced(signer, before.version + 1, before, texts) }
}

/** The records before stay as they are. Throws Tampered. */
function replaced(signer: Signer, version: number, before: StoredRecords, texts: Texts): StoredRecords {
  const [stored, records] = [new Map(before.stored), new Map(before.records)]
  let { sum } = before
  for (const [key, text] of texts) {
    const read = (stored: string) => readAs<StoredRecord>('record', signer.read(['record', key], stored))
    const record = text === null ? null : unlessNewer(() => read(text), null)
    sum += macOf(text) - macOf(stored.get(key) ?? null)
    stored.delete(key)
    records.delete(key)
    if (text !== null) stored.set(key, text)
    if (record !== null) records.set(key, record)
  }
  return { version, sum: BigInt.asUintN(256, sum), stored, records }
}

/** The MAC that a stored record begins with, as a number. */
function macOf(text: string | null): bigint {
  return text === null ? 0n : BigInt(`0x${Buffer.from(text.slice(0, macLength), 'base64url').toString('hex')}`)
}
