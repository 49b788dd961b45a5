import type { Change } from '../domain/records.ts'
import type { Event, Request } from '../domain/request.ts'
import type { Head, Link, Verdict } from '../lifecycle/audit.ts'
import type { Signer } from './signed.ts'

/** Where a chain begins that was never cut. */
export const beginning: Head = { seq: 0, mac: '' }

/** `version`: of the request as this entry left it. */
type About = Pick<Request, 'id'> & Partial<Request> & { readonly version?: number }

/**
 * An entry's text: what happened, what it changed, and everything about the request that an auditor will ask for.
 * `policy`: the version that held.
 */
export function entryOf(
  { project, policy }: { readonly project: string; readonly policy: string | undefined },
  { at, what, by, for: absent, detail, seen }: Event,
  about?: About,
  change?: Change,
): string {
  const request = about && {
    request: about.id,
    version: about.version,
    line: about.line,
    actor: about.actor,
    via: about.via,
    place: about.place,
    status: about.status,
    endpoint: about.endpoint,
    digest: about.digest,
  }
  return JSON.stringify({ project, policy, at, what, by, for: absent, detail, seen, ...request, change })
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

/**
 * Finds what was edited, deleted, inserted or moved, and a tail that was cut off up to the newest anchor. Whoever holds
 * the key could still have written another chain after that, and a tail cut off with its head leaves no trace there.
 */
export function lookThrough(signer: Signer, { start, anchors, head = start }: Against): Look {
  const noted = new Map([head, ...anchors].map(({ seq, mac }) => [seq, mac]))
  const newest = Math.max(start.seq, ...anchors.map(({ seq }) => seq))
  let last = start
  let fault = faultOf(start)

  /** What was noted of entries before the start has been pruned with them. */
  function faultOf({ seq, mac }: Head): string | null {
    const other = noted.get(seq)
    return other === undefined || other === mac ? null : `Entry ${seq} is not the one that was noted.`
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
    end() {
      const end = Math.max(newest, head.seq)
      if (fault === null && last.seq < end) fault = `Entries ${last.seq + 1} to ${end} are missing.`
      if (fault !== null)
        return { well: false, says: `${fault} What comes before it is as it was written.`, head: last }
      return { well: true, says: proven(last.seq, start.seq, newest), head: last }
    },
  }
}

function proven(last: number, first: number, newest: number): string {
  if (last === first) return 'There are no entries.'
  const whole = `Entries ${first + 1} to ${last} are as they were written`
  return newest >= last ? `${whole}.` : `${whole}; unproven after seq ${newest}: no later anchor was given.`
}
