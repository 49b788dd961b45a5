import type { Redis } from 'ioredis'
import type { Head } from '../lifecycle/audit.ts'
import type { Keys } from './keys.ts'
import type { Known } from './known.ts'
import type { Answer } from './proof.ts'
import * as scripts from './proving.ts'
import { salvaged } from './records.ts'
import { readRoot, type Stored, writeRoot } from './root.ts'
import { type Script, scriptOn } from './script.ts'
import type { Signer } from './signed.ts'

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
