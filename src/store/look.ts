import { gapText } from '../domain/damage.ts'
import { instant, withInstants } from '../domain/instant.ts'
import type { Gap } from '../domain/records.ts'
import type { Acknowledgement, Head, Link, Verdict } from '../lifecycle/audit.ts'
import { acknowledgementsIn, covers, followedBy } from './acknowledged.ts'
import type { Signer } from './signed.ts'

/** Looks through a chain, link by link; keeps no more than where it is, and what was amiss. */
export interface Look {
  /** Whether this link is as it was written. */
  feed(link: Link): boolean
  end(): Verdict
}

/** What a chain is held against. */
export interface Against {
  /** What its first entry follows. */
  readonly start: Head
  /** Heads that were noted elsewhere. */
  readonly anchors: readonly Head[]
  /** What was said to be its last entry before it was read; others may have come since. */
  readonly head?: Head
}

interface Fault {
  readonly gap: Gap
  readonly says: string
}

/**
 * Finds what was edited, deleted, inserted or moved, and a tail that was cut off up to the newest anchor. Whoever holds
 * the key could still have written another chain after that, and a tail cut off with its head leaves no trace there.
 *
 * Behind a fault it goes on with the first link that can be shown to follow something, since a link's MAC is over the
 * one before it: that fault is a gap with two ends. Only a later entry of this very chain can acknowledge it, by naming
 * it; so nobody without the key can, and no acknowledgement holds for any other place.
 */
export function lookThrough(signer: Signer, { start, anchors, head = start }: Against): Look {
  const noted = new Map<number, Set<string>>()
  for (const { seq, mac } of [...anchors, head]) noted.set(seq, (noted.get(seq) ?? new Set()).add(mac))
  const anchored = new Set(anchors.map(({ seq }) => seq))
  const acknowledged: Acknowledgement[] = []
  let faults: readonly Fault[] = []
  /** The last that is as it was written, the link that came last, and what was wrong with those in between. */
  let last = start
  let before: Head = start
  let wrong: string | undefined
  let provenTo = start.seq
  reach(start)

  function reach({ seq, mac }: Head): void {
    last = { seq, mac }
    const others = [...(noted.get(seq) ?? [])].filter((one) => one !== mac)
    if (others.length === 0 && anchored.has(seq)) provenTo = seq
    const says = `Entry ${seq} is not the one that was noted.`
    faults = [...faults, ...others.map((other) => ({ gap: { from: seq, to: seq, mac, noted: other }, says }))]
  }

  /** What a link follows; undefined where nothing shows that. */
  function followed(link: Link): Head | undefined {
    const seq = link.seq - 1
    const follows = (one: Head): boolean => one.seq === seq && signer.isLink(link.mac, one.mac, link.seq, link.text)
    // All but the first is for what comes behind a fault.
    if (follows(last)) return last
    if (!(seq >= last.seq)) return undefined
    const heads = [...(noted.get(seq) ?? [])].map((mac) => ({ seq, mac }))
    return [before, ...heads, ...followedBy(link)].find(follows)
  }

  /** What lies between the last that was proven and what a link follows. */
  function leap(to: Head, says: string): void {
    const same = to.seq === last.seq && to.mac === last.mac
    const from = same ? last.seq + 1 : Math.min(last.seq + 1, to.seq)
    const before = from > last.seq ? { before: last.mac } : {}
    faults = [...faults, { gap: { from, to: to.seq, mac: to.mac, ...before }, says }]
    if (!same) reach(to)
  }

  function acknowledge(link: Link): void {
    for (const { gap, ...who } of acknowledgementsIn(link)) {
      const meant = faults.filter((fault) => fault.gap.to < link.seq && covers(gap, fault.gap))
      acknowledged.push(...meant.map((fault) => ({ ...fault.gap, ...who })))
      faults = faults.filter((fault) => !meant.includes(fault))
    }
  }

  return {
    feed(link) {
      const found = followed(link)
      if (found === undefined) wrong ??= faultOf(link, last.seq + 1)
      else {
        if (wrong !== undefined || found.seq !== last.seq || found.mac !== last.mac)
          leap(found, wrong ?? faultOf(link, last.seq + 1))
        wrong = undefined
        reach(link)
        acknowledge(link)
      }
      before = link
      return found !== undefined
    },

    end() {
      const end = Math.max(start.seq, head.seq, ...anchored)
      const cut = last.seq < end ? `Entries ${last.seq + 1} to ${end} are missing.` : undefined
      const tail = wrong ?? cut
      const gaps = faults.map(({ gap }) => gap)
      const common = { head: last, gaps, acknowledged }
      const told = toldOf(acknowledged)
      const [first] = faults
      const says = [...new Set([...faults.map((fault) => fault.says), ...(tail === undefined ? [] : [tail])])]
      if (says.length > 0) {
        const more = says.length > mostSaid ? ` There are ${says.length - mostSaid} more such places.` : ''
        const goes = tail === undefined && first !== undefined ? ` It goes on as written to entry ${last.seq}.` : ''
        const fore = 'What comes before it is as it was written.'
        return { well: false, says: `${says.slice(0, mostSaid).join(' ')}${more} ${fore}${goes}${told}`, ...common }
      }
      return { well: true, says: `${proven(last.seq, start.seq, provenTo)}${told}`, ...common }
    },
  }
}

/** Of faults. */
const mostSaid = 5

function faultOf({ seq }: Link, next: number): string {
  return seq === next
    ? `Entry ${seq} was changed, or does not follow the one before.`
    : `Entry ${next} is missing, or not in its place.`
}

function toldOf(acknowledged: readonly Acknowledgement[]): string {
  return acknowledged
    .map(({ by, at, seq, ...gap }) =>
      withInstants(
        ` But for ${gapText(gap)}: missing or not as written, acknowledged by ${by.user} at ${instant(at)} in entry ${seq}.`,
      ),
    )
    .join('')
}

function proven(last: number, first: number, newest: number): string {
  if (last === first) return 'There are no entries.'
  const whole = `Entries ${first + 1} to ${last} are as they were written`
  return newest >= last ? `${whole}.` : `${whole}; unproven after seq ${newest}: no later anchor was given.`
}
