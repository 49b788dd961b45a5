import { setTimeout as wait } from 'node:timers/promises'
import type { Change, Records } from '../../../core/model/records.ts'
import type { Head, Link } from '../../../core/ports/audit.ts'
import { linked } from './chain.ts'
import type { Known } from './known.ts'
import { changed, noChange, type Written } from './records.ts'
import { type Stored, writeRoot } from './root.ts'
import type { Signer } from './sign.ts'

/** Others may be writing as well, but somebody always gets through. */
const mostTries = 50

/** What has to be proven of a write. */
export interface Provable {
  /** Texts of the entries. */
  readonly entries: readonly string[]
  readonly change?: Change | undefined
  /** Those it was decided on: it is written under no others. */
  readonly records?: Records | undefined
}

/** What the script of a write is told: it writes nothing unless the root is still the one that was expected. */
export interface Proven extends Written {
  readonly expected: string
  readonly next: string
  readonly links: readonly Link[]
}

/** A script's answer; `behind` comes with the root as it stands. `outdated`: other records hold by now, nothing was sent. */
export type Answer = readonly [kind: string, ...string[]]

export interface Proof {
  /** Sends a write with its proof, again where others were faster. The last answer. */
  carry(provable: Provable, send: (proven: Proven) => Promise<Answer>): Promise<Answer>
  /** Another root is to be counted on from now on; without one the next write looks first. */
  readonly turn: (root: Stored | undefined) => void
}

/**
 * The proofs of what this process writes. Several writes may be under way at once: each is made for the root that the
 * one before it will leave, since Redis runs what one connection sends in the order it was sent.
 */
export function createProof(known: Known, signer: Signer, wrote: (base: Head, links: readonly Link[]) => void): Proof {
  /** The root as it will be once everything sent has been done; another `course` each time that was wrong. */
  let tail: Stored | undefined
  let course = 0

  function turn(root: Stored | undefined): void {
    tail = root
    course += 1
  }

  /** What would be written for a base, or undefined while its records are not at hand. */
  function planned(base: Stored, { entries, change }: Provable) {
    const from = change === undefined ? undefined : known.under(base)
    if (change !== undefined && from === undefined) return undefined
    const links = linked(signer, base, entries)
    const { seq, mac } = links.at(-1) ?? base
    const { written, next } = from && change ? changed(signer, from, change) : { written: noChange, next: undefined }
    const { version, sum } = next ?? base
    const root = writeRoot(signer, { seq, mac, version, count: next?.stored.size ?? base.count, sum })
    return { root, from, next, proven: { expected: base.stored, next: root.stored, links, ...written } }
  }

  /** One try. Between taking the tail and sending nothing else may be sent. */
  async function attempt(provable: Provable, send: (proven: Proven) => Promise<Answer>): Promise<Answer> {
    if (tail === undefined) {
      const found = await known.load()
      tail ??= found
    }
    const base = tail
    const decidedOn = provable.records === undefined ? base.version : known.versionOf(provable.records)
    if (decidedOn < base.version) return ['outdated']
    // Records newer than the tail were written by another process, and were read here since.
    const plan = decidedOn > base.version ? undefined : planned(base, provable)
    if (plan === undefined) {
      turn(await known.load())
      return ['behind']
    }
    const mine = course
    const read = known.reading()
    tail = plan.root
    let after: Stored | undefined
    try {
      const answer = await send(plan.proven)
      const [kind, stored = ''] = answer
      after = kind === 'moved' ? plan.root : kind === 'behind' ? read(stored) : base
      if (kind === 'moved') wrote(base, plan.proven.links)
      if (kind === 'moved' && plan.root.seq >= known.root.seq && plan.root.version >= known.root.version)
        known.wrote(plan.root, known.kept === plan.from ? (plan.next ?? known.kept) : known.kept)
      return answer
    } finally {
      // Whoever finds out first corrects the course for all that were sent on it.
      if (after !== plan.root && mine === course) turn(after)
    }
  }

  return {
    async carry(provable, send) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        if (tries > 2) await wait(Math.random() * Math.min(100, 2 ** tries))
        const answer = await attempt(provable, send)
        if (answer[0] !== 'behind') return answer
      }
      throw new Error('Too many write to the audit at once. Nothing was written; try again in a moment.')
    },
    turn,
  }
}

/** As the scripts read them; '-' when there is nothing to prove. */
export function provenArgs(proven: Proven | undefined): readonly (string | number)[] {
  if (proven === undefined) return ['-']
  const { expected, next, links, put, drop } = proven
  const counts = [links.length, put.length, drop.length]
  return [expected, next, ...counts, ...links.flatMap(({ seq, mac, text }) => [seq, mac, text]), ...drop, ...put.flat()]
}
