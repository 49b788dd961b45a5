import type { Change } from '../domain/records.ts'
import type { Event, Request } from '../domain/request.ts'
import type { Head, Link, Verdict } from '../lifecycle/audit.ts'
import type { Signer } from './signed.ts'

/** Where a chain begins that was never cut. */
export const beginning: Head = { seq: 0, mac: '' }

type About = Pick<Request, 'id'> & Partial<Request>

/** An entry's text: what happened, what it changed, and everything about the request that an auditor will ask for. */
export function entryOf(
  project: string,
  { at, what, by, detail, seen }: Event,
  about?: About,
  change?: Change,
): string {
  const request = about && {
    request: about.id,
    line: about.line,
    actor: about.actor,
    via: about.via,
    place: about.place,
    status: about.status,
    endpoint: about.endpoint,
    digest: about.digest,
    policy: about.policy,
  }
  return JSON.stringify({ project, at, what, by, detail, seen, ...request, change })
}

/** The links that these texts become after a head. */
export function linked(signer: Signer, head: Head, texts: readonly string[]): readonly Link[] {
  const links: Link[] = []
  for (const text of texts) {
    const { seq, mac } = links.at(-1) ?? head
    links.push({ seq: seq + 1, mac: signer.link(mac, seq + 1, text), text })
  }
  return links
}

/** Looks through a chain, link by link; keeps no more than where it is. */
export interface Look {
  feed(link: Link): void
  /** `head`: what the chain is said to end with, where something says so. */
  end(head?: Head): Verdict
}

/**
 * Finds what was edited, deleted, inserted or moved, and a tail that was cut off up to the newest anchor: a head that
 * was noted elsewhere. `start` is what the chain goes on from. Whoever holds the key could still write another chain
 * after the newest anchor, and a tail cut off with its head leaves no trace there.
 */
export function lookThrough(signer: Signer, start: Head, anchors: readonly Head[]): Look {
  const anchored = new Map(anchors.map(({ seq, mac }) => [seq, mac]))
  const newest = Math.max(0, ...anchored.keys())
  let last = start
  let fault = faultOf(start)

  /** An anchor from before the start has been pruned with its entry. */
  function faultOf({ seq, mac }: Head): string | null {
    const noted = anchored.get(seq)
    return noted === undefined || noted === mac ? null : `Entry ${seq} is not the one that was anchored.`
  }

  return {
    feed({ seq, mac, text }) {
      if (fault !== null) return
      const next = last.seq + 1
      if (seq !== next) fault = `Entry ${next} is missing, or not in its place.`
      else if (!signer.isLink(mac, last.mac, seq, text))
        fault = `Entry ${seq} was changed, or does not follow the one before.`
      else fault = faultOf({ seq, mac })
      if (fault === null) last = { seq, mac }
    },
    end(head) {
      if (fault === null && newest > last.seq)
        fault = `Everything after entry ${last.seq} is missing; ${newest} was anchored.`
      if (fault === null && head !== undefined && (head.seq !== last.seq || head.mac !== last.mac))
        fault = `The chain ends with entry ${last.seq}, and should with ${head.seq}.`
      if (fault !== null)
        return { well: false, says: `${fault} What comes before it is as it was written.`, head: last }
      return { well: true, says: proven(last.seq, start.seq, newest), head: last }
    },
  }
}

function proven(last: number, first: number, newest: number): string {
  if (last === first) return 'There are no entries.'
  const whole = `Entries ${first + 1} to ${last} are as they were written`
  return newest >= last
    ? `${whole}.`
    : `${whole}; unproven after seq ${Math.max(newest, first)}: no later anchor was given.`
}
