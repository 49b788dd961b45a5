import type { Redis } from 'ioredis'
import { readAs, unlessNewer, written } from '../../../core/model/formats.ts'
import { type Change, keyOf, type Records, type StoredRecord } from '../../../core/model/records.ts'
import type { Head } from '../../../core/ports/audit.ts'
import { answersOf } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { beginning, linkIn } from './chain.ts'
import { macLength, type Signer } from './sign.ts'

/**
 * The signed text on which all proofs of a project rest: how far the audit has come, and which records there are. `sum`
 * adds up the MACs of all records (a multiset hash: Clarke et al., "Incremental Multiset Hash Functions", 2003), so
 * that a change costs the same for any number of records, and none can be deleted, added or put back unnoticed.
 */
export interface Root extends Head {
  /** Counts the changes of records. */
  readonly version: number
  readonly count: number
  readonly sum: bigint
  /** The text in Redis. */
  readonly stored: string
}

/** The root before anything is written. */
export const noRoot: Root = { seq: 0, mac: '', version: 0, count: 0, sum: 0n, stored: '' }

export function writeRoot(signer: Signer, { seq, mac, version, count, sum }: Omit<Root, 'stored'>): Root {
  const text = written('root', { seq, mac, version, count, sum: sum.toString(16) })
  return { seq, mac, version, count, sum, stored: signer.sign(['root'], text) }
}

/** Throws Tampered, Newer. */
export function readRoot(signer: Signer, stored: string): Root {
  if (stored === '') return noRoot
  const text = signer.read(['root'], stored, 'all')
  const { sum, ...rest } = readAs<Omit<Root, 'sum' | 'stored'> & { readonly sum: string }>('root', text)
  return { ...rest, sum: BigInt(`0x${sum}`), stored }
}

/**
 * Whether our key signed what is stored: a record, and the root or the newest entry. Leaves a root where nothing is
 * stored. A lockdown keeps only our own records, so all of them under another key are a wrong key, not a forgery.
 */
export async function checkSigned(redis: Redis, keys: Keys, signer: Signer): Promise<boolean> {
  const asking = redis.multi().set(keys.root, writeRoot(signer, noRoot).stored, 'NX').get(keys.root)
  const [, root, entries] = await answersOf(asking.xrevrange(keys.audit, '+', '-', 'COUNT', 2))
  const records = Object.entries(await redis.hgetall(keys.records))
  const isOthers = records.length > 0 && !records.some(([key, text]) => signer.isOurs(['record', key], text))
  if (isOthers || signer.isOurs(['root'], String(root))) return !isOthers
  const [newest, before = beginning] = (entries as [string, string[]][]).map(linkIn)
  return newest !== undefined && signer.follows(newest, before)
}

/** All records of one root: their signed texts by key, and the records that they hold. */
export interface StoredRecords {
  readonly version: number
  readonly sum: bigint
  readonly stored: ReadonlyMap<string, string>
  /** The records that this process can read. Newer ones are only among the texts. */
  readonly records: Records
}

export const noRecords: StoredRecords = { version: 0, sum: 0n, stored: new Map(), records: new Map() }

/** Texts by key; null: deleted. */
export type Texts = readonly (readonly [key: string, text: string | null])[]

/**
 * Returns the records of a root: those before, with these texts in their place (`all`: and no others). Undefined unless
 * the result is exactly what the root says. Throws Tampered if a text is not ours.
 */
export function recordsUnder(
  signer: Signer,
  root: Pick<Root, 'version' | 'count' | 'sum'>,
  before: StoredRecords,
  texts: Texts,
  all?: 'all',
): StoredRecords | undefined {
  const others = new Set(all === undefined ? [] : before.stored.keys())
  for (const [key] of texts) others.delete(key)
  const gone = [...others].map((key) => [key, null] as const)
  const differ = [...gone, ...texts].filter(([key, text]) => (before.stored.get(key) ?? null) !== text)
  const isSame = differ.length === 0 && root.version === before.version
  const found = isSame ? before : replaced(signer, root.version, before, differ)
  return found.stored.size === root.count && found.sum === root.sum ? found : undefined
}

/** Returns the records that are correctly signed, for when their root cannot be believed. */
export function believable(signer: Signer, fields: Readonly<Record<string, string>>): StoredRecords {
  const ours = Object.entries(fields).filter(([key, text]) => signer.isOurs(['record', key], text))
  return replaced(signer, 0, noRecords, ours)
}

/** Returns the texts of a change and the records after it. It signs again what an earlier key signed. */
export function changed(signer: Signer, before: StoredRecords, { put = [], drop = [] }: Change) {
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

/** Returns new records and leaves `before` unchanged. Throws Tampered. */
function replaced(signer: Signer, version: number, before: StoredRecords, texts: Texts): StoredRecords {
  const [stored, records] = [new Map(before.stored), new Map(before.records)]
  let { sum } = before
  for (const [key, text] of texts) {
    const record =
      text === null ? null : unlessNewer(() => readAs<StoredRecord>('record', signer.read(['record', key], text)), null)
    sum += macOf(text) - macOf(stored.get(key) ?? null)
    stored.delete(key)
    records.delete(key)
    if (text !== null) stored.set(key, text)
    if (record !== null) records.set(key, record)
  }
  return { version, sum: BigInt.asUintN(256, sum), stored, records }
}

function macOf(text: string | null): bigint {
  return text === null ? 0n : BigInt(`0x${Buffer.from(text.slice(0, macLength), 'base64url').toString('hex')}`)
}
