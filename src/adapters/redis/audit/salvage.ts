import type { Redis } from 'ioredis'
import { Newer, readAs, valueAs } from '../../../core/model/formats.ts'
import { type Change, keyOf, type Rec, type Records } from '../../../core/model/records.ts'
import type { Damage, Head } from '../../../core/ports/audit.ts'
import type { Keys } from '../connection/keys.ts'
import { type Script, scriptOn } from '../connection/script.ts'
import type { Known } from '../integrity/known.ts'
import type { Answer } from '../integrity/proof.ts'
import { salvaged } from '../integrity/records.ts'
import { readRoot, type Stored, writeRoot } from '../integrity/root.ts'
import * as scripts from '../integrity/scripts.ts'
import type { Signer } from '../integrity/sign.ts'

/**
 * Makes what can still be believed the truth after a loss, so that the lock can be written on it: the records that
 * this process knows, or else those that are signed each by itself, and the audit from the furthest entry that anybody
 * has seen or noted, so that no number is given twice. What is missing stays missing, and every look through the audit
 * says so.
 */
export function salvagerOn(
  redis: Redis,
  keys: Keys,
  signer: Signer,
  known: Known,
): (noted: readonly Head[]) => Promise<Stored | undefined> {
  const mend: Script = scriptOn(redis, 'lamplighterMend', scripts.mend)

  function versionIn(stored: string): number {
    try {
      return readRoot(signer, stored).version
    } catch {
      return 0
    }
  }

  return async (noted) => {
    const [stored, fields, newest] = await Promise.all([
      redis.get(keys.root),
      redis.hgetall(keys.records),
      redis.xrevrange(keys.audit, '+', '-', 'COUNT', 1),
    ])
    const { root, kept } = known
    const version = Math.max(root.version, versionIn(stored ?? '')) + 1
    const rescued = kept === undefined ? salvaged(signer, version, fields) : { ...kept, version }
    const { seq, mac } = further([root, ...noted], newest[0])
    const next = writeRoot(signer, { seq, mac, version, count: rescued.stored.size, sum: rescued.sum })
    const args = [stored ?? '', next.stored, ...[...rescued.stored].flat()]
    const [answer] = (await mend([keys.root, keys.records], args)) as Answer
    if (answer !== 'moved') return undefined
    known.wrote(next, rescued)
    return next
  }
}

/** Redis takes no entry before its last one, whoever has written that. */
function further(known: readonly Head[], newest: readonly [string, readonly string[]] | undefined): Head {
  const seen = known.reduce((best, one) => (one.seq > best.seq ? one : best))
  const [id, [, mac = '']] = newest ?? ['', []]
  const seq = Number(id.split('-')[0])
  return Number.isSafeInteger(seq) && seq > seen.seq ? { seq, mac } : seen
}

/** What the records should be by the entries of the audit, one after the other. */
export interface Ledger {
  /** An entry's text, that is as it was written. */
  enter(text: string): void
  against(records: Records): Pick<Damage, 'gone' | 'other'>
}

/**
 * Every change of records stands in an entry. What is older than the oldest entry it knows nothing of, and of what
 * somebody has acknowledged no more than that somebody has.
 */
export function createLedger(): Ledger {
  /** Null: was taken away. */
  const laid = new Map<string, Rec | null>()

  return {
    enter(text) {
      if (!text.includes('"change"')) return
      const { change } = readAs<{ readonly change?: Change }>('entry', text)
      for (const key of change?.acknowledges?.records ?? []) laid.delete(key)
      for (const key of change?.drop ?? []) laid.set(key, null)
      for (const record of recordsIn(change)) laid.set(keyOf(record), record)
    },
    against(records) {
      const known = [...laid]
      return {
        gone: known.flatMap(([key, record]) => (record !== null && !records.has(key) ? [record] : [])),
        other: known.flatMap(([key, record]) => {
          const there = records.get(key)
          return there === undefined || JSON.stringify(there) === JSON.stringify(record) ? [] : [there]
        }),
      }
    },
  }
}

/** In today's format, as the records themselves are read; those that only a newer process knows are its to look after. */
function recordsIn({ put = [] }: Change = {}): readonly Rec[] {
  return put.flatMap((record) => {
    try {
      return [valueAs<Rec>('record', record)]
    } catch (error) {
      if (error instanceof Newer) return []
      throw error
    }
  })
}
