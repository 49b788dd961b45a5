import type { Redis } from 'ioredis'
import { Newer, readAs, written } from '../../../core/model/formats.ts'
import { type Change, keyOf, type Records, type StoredRecord } from '../../../core/model/records.ts'
import type { AuditLink, Head } from '../../../core/ports/audit.ts'
import { Tampered } from '../../../core/ports/services.ts'
import { answersOf } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { linkIn } from './chain.ts'
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
  try {
    signer.read(['root'], String(root))
    return true
  } catch (error) {
    if (!(error instanceof Tampered)) throw error
    const [newest, before] = (entries as [string, string[]][]).map(linkIn)
    return newest !== undefined && signer.isLink(newest.mac, before?.mac ?? '', newest.seq, newest.text)
  }
}

/** All records of one root: signed texts by key, and what they say. */
export interface StoredRecords {
  readonly version: number
  readonly sum: bigint
  readonly stored: ReadonlyMap<string, string>
  /** Those that this process can read; newer ones are among the texts all the same. */
  readonly records: Records
  /** Keys of those that an earlier key has signed: the next change signs them anew. */
  readonly old: ReadonlySet<string>
}

export const noRecords: StoredRecords = { version: 0, sum: 0n, stored: new Map(), records: new Map(), old: new Set() }

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
  const found = replaced(signer, root.version, before, texts, all)
  return found.stored.size === root.count && found.sum === root.sum ? found : undefined
}

function replaced(signer: Signer, version: number, before: StoredRecords, texts: Texts, all?: 'all'): StoredRecords {
  const fields = new Set(texts.map(([key]) => key))
  const gone = all === undefined ? [] : [...before.stored.keys()].filter((key) => !fields.has(key))
  const other = texts.filter(([key, text]) => (before.stored.get(key) ?? null) !== text)
  if (gone.length + other.length === 0 && version === before.version) return before
  const next = copyOf(before)
  for (const key of gone) next.remove(key)
  for (const [key, text] of other) {
    next.remove(key)
    if (text !== null) next.add(key, text, recordIn(signer, key, text), signer.isOld(['record', key], text))
  }
  return next.as(version)
}

/** Those whose own signature is right, where they cannot be believed as a whole. */
export function believable(signer: Signer, fields: Readonly<Record<string, string>>): StoredRecords {
  const ours = Object.entries(fields).filter(([key, text]) => {
    try {
      return recordIn(signer, key, text) !== undefined
    } catch {
      return false
    }
  })
  return replaced(signer, 0, noRecords, ours)
}

/** Null if only a newer process can read it. Throws Tampered. */
function recordIn(signer: Signer, key: string, text: string): StoredRecord | null {
  try {
    return readAs<StoredRecord>('record', signer.read(['record', key], text))
  } catch (error) {
    if (error instanceof Newer) return null
    throw error
  }
}

/** To be changed; the records it was made from stay as they are. */
function copyOf(before: StoredRecords) {
  const [stored, records, old] = [new Map(before.stored), new Map(before.records), new Set(before.old)]
  const [removed, added]: [string[], string[]] = [[], []]
  return {
    remove(key: string): void {
      const text = stored.get(key)
      if (text === undefined) return
      removed.push(text)
      stored.delete(key)
      records.delete(key)
      old.delete(key)
    },
    add(key: string, text: string, record: StoredRecord | null, isOld = false): void {
      added.push(text)
      stored.set(key, text)
      if (record !== null) records.set(key, record)
      if (isOld) old.add(key)
    },
    as: (version: number): StoredRecords => {
      const sum = BigInt.asUintN(256, before.sum + macSum(added) - macSum(removed))
      return { version, sum, stored, records, old }
    },
  }
}

/** A change as it is written, and the records as they are then. */
export function changed(
  signer: Signer,
  before: StoredRecords,
  { put = [], drop = [] }: Change,
): { readonly texts: Texts; readonly next: StoredRecords } {
  const next = copyOf(before)
  for (const key of drop) next.remove(key)
  const again = [...before.old].filter((key) => !drop.includes(key)).flatMap((key) => before.records.get(key) ?? [])
  const signed = [...again, ...put].map((record) => {
    const key = keyOf(record)
    const text = signer.sign(['record', key], written('record', record))
    next.remove(key)
    next.add(key, text, record)
    return [key, text] as const
  })
  return { texts: [...drop.map((key) => [key, null] as const), ...signed], next: next.as(before.version + 1) }
}

/**
 * The MACs that stored records begin with, added up as numbers: word by word, since big numbers by the thousand cost as
 * much as half of the proof. A word of 32 bits has room for two million of them.
 */
function macSum(stored: readonly string[]): bigint {
  const words = new Float64Array(8)
  const mac = Buffer.alloc(32)
  for (const text of stored) {
    mac.write(text.slice(0, macLength), 'base64url')
    words.forEach((word, at) => {
      words[at] = word + mac.readUInt32BE(at * 4)
    })
  }
  return words.reduce((sum, word) => (sum << 32n) + BigInt(word), 0n)
}

/** The arguments of a write's script: nothing is written unless the root is still the expected one. */
export interface Proven {
  readonly expected: string
  readonly next: string
  readonly links: readonly AuditLink[]
  /** Of records. */
  readonly texts: Texts
}

/**
 * The part of a script that writes entries and records with their root, unless the root is no longer the one they were
 * proven for. From `at`: expected root ('-' if there is nothing to prove), next root, how many links and records, then
 * those; '' is the text of a deleted record. From `key`: root, audit, records. Only XADD can still be refused: it is first.
 */
export const proving = `
local function behind(at, key)
  local root = ARGV[at] ~= '-' and (redis.call('GET', KEYS[key]) or '')
  return root and root ~= ARGV[at] and {'behind', root}
end
local function prove(at, key)
  if ARGV[at] == '-' then return at + 1 end
  local last = at + 4
  for _ = 1, tonumber(ARGV[at + 2]) do
    redis.call('XADD', KEYS[key + 1], ARGV[last] .. '-0', 'mac', ARGV[last + 1], 'text', ARGV[last + 2])
    last = last + 3
  end
  for _ = 1, tonumber(ARGV[at + 3]) do
    if ARGV[last + 1] == '' then redis.call('HDEL', KEYS[key + 2], ARGV[last])
    else redis.call('HSET', KEYS[key + 2], ARGV[last], ARGV[last + 1]) end
    last = last + 2
  end
  redis.call('SET', KEYS[key], ARGV[at + 1])
  return last
end
`

/** As `proving` reads it; '-' if there is nothing to prove. */
export function provenArgs(proven: Proven | undefined): readonly (string | number)[] {
  if (proven === undefined) return ['-']
  const { expected, next, links, texts } = proven
  const entries = links.flatMap(({ seq, mac, text }) => [seq, mac, text])
  return [expected, next, links.length, texts.length, ...entries, ...texts.flatMap(([key, text]) => [key, text ?? ''])]
}
