import type { Gap } from '../../../core/model/records.ts'
import type { Acknowledgement, Head, Link, Verdict } from '../../../core/ports/audit.ts'
import { instant, withInstants } from '../../../core/time/format.ts'
import { gapText, spanText } from '../../../features/safeguards/damage.ts'
import { acknowledgementsIn, covers, followedBy } from '../integrity/chain.ts'
import type { Signer } from '../integrity/sign.ts'

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
  let wrong: { readonly says: string; readonly seq: number } | undefined
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
  function leap(to: Head, { says, seq }: NonNullable<typeof wrong>): void {
    const same = to.seq === last.seq && to.mac === last.mac
    const from = same ? last.seq + 1 : Math.min(last.seq + 1, to.seq)
    const before = from > last.seq ? { before: last.mac } : {}
    const there = seq === to.seq && from < to.seq ? ({ there: true } as const) : {}
    faults = [...faults, { gap: { from, to: to.seq, mac: to.mac, ...before, ...there }, says }]
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
      if (found === undefined) wrong ??= { says: faultOf(link, last.seq + 1), seq: link.seq }
      else {
        if (wrong !== undefined || found.seq !== last.seq || found.mac !== last.mac)
          leap(found, wrong ?? { says: faultOf(link, last.seq + 1), seq: link.seq })
        wrong = undefined
        reach(link)
        acknowledge(link)
      }
      before = link
      return found !== undefined
    },

    end() {
      const end = Math.max(start.seq, head.seq, ...anchored)
      const verb = last.seq + 1 === end ? 'is' : 'are'
      const cut = last.seq < end ? `${capital(spanText(last.seq + 1, end))} ${verb} missing.` : undefined
      const tail = wrong?.says ?? cut
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
      return { well: true, says: `${proven(start.seq, last.seq, provenTo, acknowledged)}${told}`, ...common }
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
        ` ${capital(gapText(gap))}: lost or not as written, acknowledged by ${by.user} at ${instant(at)} in entry ${seq}.`,
      ),
    )
    .join('')
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** "Entries 1 to 19 and 32 to 120 are as they were written": all after `first`, but for what somebody stands for. */
function proven(first: number, last: number, newest: number, gaps: readonly Gap[]): string {
  if (last === first) return 'There are no entries.'
  const spans: string[] = []
  let from = first + 1
  for (const gap of [...gaps.toSorted((a, b) => a.from - b.from), { from: last + 1, to: last + 1 }]) {
    if (from < gap.from) spans.push(from === gap.from - 1 ? `${from}` : `${from} to ${gap.from - 1}`)
    from = Math.max(from, gap.to + 1)
  }
  const whole = `Entries ${listed(spans)} are as they were written`
  return newest >= last ? `${whole}.` : `${whole}; unproven after seq ${newest}: no later anchor was given.`
}

function listed(spans: readonly string[]): string {
  return spans.length < 2 ? spans.join('') : `${spans.slice(0, -1).join(', ')} and ${spans.at(-1)}`
}
