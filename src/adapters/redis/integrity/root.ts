import type { Redis } from 'ioredis'
import { readAs, written } from '../../../core/model/formats.ts'
import type { Head } from '../../../core/ports/audit.ts'
import { Tampered } from '../../../core/ports/services.ts'
import type { Keys } from '../connection/keys.ts'
import { answersOf, linkIn } from './chain.ts'
import { macLength, type Signer } from './sign.ts'

/**
 * What holds a project's proofs together, in one signed text: how far the audit has come, and which records there are.
 * `sum` adds up the MACs of all records (a multiset hash: Clarke et al., "Incremental Multiset Hash Functions", 2003),
 * so that a change costs the same however many there are, and none can be taken away, added or put back unseen.
 */
export interface Root extends Head {
  /** Counts the changes of records. */
  readonly version: number
  readonly count: number
  readonly sum: bigint
}

/** With the text that Redis has of it. */
export interface Stored extends Root {
  readonly stored: string
}

/** Before anything was written. */
export const noRoot: Stored = { seq: 0, mac: '', version: 0, count: 0, sum: 0n, stored: '' }

export function writeRoot(signer: Signer, root: Root): Stored {
  return { ...root, stored: signer.sign(['root'], written('root', { ...root, sum: root.sum.toString(16) })) }
}

/** Throws Tampered, Newer. */
export function readRoot(signer: Signer, stored: string): Stored {
  if (stored === '') return noRoot
  const { sum, ...rest } = readAs<Omit<Root, 'sum'> & { readonly sum: string }>('root', signer.read(['root'], stored))
  return { ...rest, sum: BigInt(`0x${sum}`), stored }
}

/**
 * Whether what is stored was signed with a key of ours. A root that was tampered with is no other key: the newest
 * entry of the audit is ours. Where nothing is stored an empty root is left, so that another key is told from the first
 * day on.
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

/**
 * The MACs that stored records begin with, added up as numbers: word by word, since big numbers by the thousand cost as
 * much as half of the proof. A word of 32 bits has room for two million of them.
 */
export function weightOf(stored: readonly string[]): bigint {
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

export function added(sum: bigint, weight: bigint): bigint {
  return BigInt.asUintN(256, sum + weight)
}
