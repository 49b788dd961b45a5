import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Change, Records } from '../domain/records.ts'
import type { Head, Link } from '../lifecycle/audit.ts'
import { Tampered } from '../lifecycle/ports.ts'
import type { Keys } from './keys.ts'
import { linked } from './link.ts'
import { changed, type Kept, keptUnder, noChange, salvaged, type Written } from './records.ts'
import { noRoot, type Root, readRoot, type Stored, writeRoot } from './root.ts'
import type { Signer } from './signed.ts'

/** Others may be writing as well, but somebody always gets through. */
const mostTries = 50

/** What has to be proven of a write. */
export interface Claimed {
  /** Texts of the entries. */
  readonly entries: readonly string[]
  readonly change?: Change | undefined
}

/** What the script of a write is told: it writes nothing unless the root is still the one that was expected. */
export interface Proven extends Written {
  readonly expected: string
  readonly next: string
  readonly links: readonly Link[]
}

/** A script's answer; `behind` comes with the root as it stands. */
type Answer = readonly [kind: string, ...string[]]

export interface Proof {
  /** Sends a write with its proof, again where others were faster. The last answer. */
  carry(claimed: Claimed, send: (proven: Proven) => Promise<Answer>): Promise<Answer>
  readonly head: () => Promise<Head>
  readonly records: () => Promise<Records>
  /** Nothing older than this is believed from now on. */
  readonly expect: (head: Head) => void
  /** What can still be believed becomes the truth, after a loss: `mend` writes it. */
  salvage(mend: (expected: string, next: string, kept: Kept) => Promise<Answer>): Promise<void>
}

/**
 * The root of a project as this process knows it. Several writes may be under way at once: each is made for the root
 * that the one before it will leave, since Redis runs what one connection sends in the order it was sent.
 *
 * A root is as well signed as a newer one, so the newest is remembered. It remains that Redis put back as a whole is
 * not noticed by processes that were all started later; the anchors tell those.
 */
export function createProof(redis: Redis, keys: Keys, signer: Signer): Proof {
  /** The newest root that certainly was in Redis. */
  let known: Stored = noRoot
  let kept: Kept | undefined
  /** The root as it will be once everything sent has been done; a new `course` each time that was wrong. */
  let tail: Stored | undefined
  let course = 0

  function see(stored: string): Stored {
    const root = readRoot(signer, stored)
    const older = root.seq < known.seq || root.version < known.version
    const other = root.seq === known.seq && root.mac !== known.mac
    if (older || other || (root.version === known.version && root.sum !== known.sum))
      throw new Tampered(
        `Redis has lost data: the audit ends with entry ${root.seq}, and another ${known.seq} was seen.`,
      )
    known = root
    return root
  }

  async function load(): Promise<Stored> {
    const found = await redis
      .multi()
      .get(keys.root)
      .hgetall(keys.records)
      .xrevrange(keys.audit, '+', '-', 'COUNT', 1)
      .exec()
    const [stored, fields, newest] = (found ?? []).map(([error, value]) => {
      if (error !== null) throw error
      return value
    }) as [string | null, Record<string, string>, [string, string[]][]]
    const root = see(stored ?? '')
    const { seq, mac } = root
    const [id, [, last = ''] = []] = newest[0] ?? ['0-0']
    if (id !== `${seq}-0` || last !== mac)
      throw new Tampered(`The audit in Redis should end with entry ${seq}, and does not.`)
    kept = keptUnder(signer, root, fields)
    return root
  }

  function under({ version, sum }: Root): Kept | undefined {
    return kept?.version === version && kept.sum === sum ? kept : undefined
  }

  /** What would be written for a base, or undefined while its records are not known. */
  function planned(base: Stored, { entries, change }: Claimed) {
    const from = change === undefined ? undefined : under(base)
    if (change !== undefined && from === undefined) return undefined
    const links = linked(signer, base, entries)
    const { seq, mac } = links.at(-1) ?? base
    const { written, next } = from && change ? changed(signer, from, change) : { written: noChange, next: undefined }
    const { version, sum } = next ?? base
    const root = writeRoot(signer, { seq, mac, version, count: next?.stored.size ?? base.count, sum })
    return { root, from, next, proven: { expected: base.stored, next: root.stored, links, ...written } }
  }

  return {
    async carry(claimed, send) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        if (tries > 2) await wait(Math.random() * Math.min(100, 2 ** tries))
        if (tail === undefined) {
          const found = await load()
          tail ??= found
        }
        const base = tail
        const plan = planned(base, claimed)
        if (plan === undefined) {
          tail = await load()
          course += 1
          continue
        }
        const mine = course
        tail = plan.root
        let after: Stored | undefined
        try {
          const answer = await send(plan.proven)
          const [kind, stored = ''] = answer
          if (kind === 'moved') {
            if (plan.root.seq > known.seq || plan.root.version > known.version) known = plan.root
            if (plan.next !== undefined && kept === plan.from) kept = plan.next
            after = plan.root
            return answer
          }
          after = kind === 'behind' ? see(stored) : base
          if (kind !== 'behind') return answer
        } finally {
          if (after !== plan.root && mine === course) {
            tail = after
            course += 1
          }
        }
      }
      throw new Error('Too many write to the audit at once. Nothing was written; try again in a moment.')
    },

    async head() {
      const { seq, mac } = see((await redis.get(keys.root)) ?? '')
      return { seq, mac }
    },

    async records() {
      const root = see((await redis.get(keys.root)) ?? '')
      const found = under(root)
      if (found !== undefined) return found.records
      await load()
      return kept?.records ?? new Map()
    },

    expect({ seq, mac }) {
      if (seq > known.seq) known = { ...known, seq, mac }
    },

    async salvage(mend) {
      const [stored, fields, newest] = await Promise.all([
        redis.get(keys.root),
        redis.hgetall(keys.records),
        redis.xrevrange(keys.audit, '+', '-', 'COUNT', 1),
      ])
      const [last] = newest
      const end = last === undefined ? known : { seq: Number(last[0].split('-')[0]), mac: last[1][1] ?? '' }
      const { seq, mac } = end.seq > known.seq && Number.isSafeInteger(end.seq) ? end : known
      const version = Math.max(known.version, versionIn(stored)) + 1
      const rescued = kept === undefined ? salvaged(signer, version, fields) : { ...kept, version }
      const root = writeRoot(signer, { seq, mac, version, count: rescued.stored.size, sum: rescued.sum })
      const [answer] = await mend(stored ?? '', root.stored, rescued)
      tail = undefined
      course += 1
      if (answer !== 'moved') return
      known = root
      kept = rescued
    },
  }

  function versionIn(stored: string | null): number {
    try {
      return readRoot(signer, stored ?? '').version
    } catch {
      return 0
    }
  }
}
