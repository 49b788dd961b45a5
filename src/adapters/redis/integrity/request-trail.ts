import type { Redis } from 'ioredis'
import { Newer, readAs } from '../../../core/model/formats.ts'
import type { Gap } from '../../../core/model/records.ts'
import { isEnded, type Request } from '../../../core/model/request.ts'
import type { Head, Link } from '../../../core/ports/audit.ts'
import { type Clock, Tampered } from '../../../core/ports/services.ts'
import type { Keys } from '../connection/keys.ts'
import { acknowledgementsIn, answersOf, beginningIn, followedBy, linkIn } from './chain.ts'
import type { Signer } from './sign.ts'

/** Entries read at once. */
const page = 1_000
/** Of so many requests; beyond that all is forgotten, and read again where it is needed. */
const most = 100_000
/** Clocks of processes differ, and what people did is noted with the time at which they did it. ms. */
const margin = 60_000

/** What the audit says of the requests that this process goes on with. */
export interface Trail {
  /** Entries that this process has just written itself, after a head. */
  readonly wrote: (base: Head, links: readonly Link[]) => void
  /**
   * Throws Tampered when a request that was claimed is not as the audit left it: an old text is as well signed as the
   * newest. False when nobody can know, since entries were lost and an admin stands for that. Throws Newer when
   * only a newer process can know. `root`: where the audit
   * ended at the claim.
   */
  readonly prove: (root: Head, version: number, request: Request) => Promise<boolean>
}

/** Follows the audit from where this process began, and looks further back for requests that are older than that. */
export function createTrail(redis: Redis, keys: Keys, signer: Signer, clock: Pick<Clock, 'now'>): Trail {
  /** The newest version of each request that stands in the entries after `first`, up to `last`. */
  const versions = new Map<string, number>()
  /** That somebody stands for, in those entries. */
  let gaps: readonly Gap[] = []
  /** Why nothing can be said by those entries. */
  let newer: Newer | undefined
  let first: Head | undefined
  let last: Head | undefined
  /** What was received after this has no entry before those. ms since 1970. */
  let since = Number.POSITIVE_INFINITY
  /** The earliest of those. ms since 1970. */
  let oldest = Number.POSITIVE_INFINITY
  let reading: Promise<unknown> = Promise.resolve()

  function begin(head: Head): void {
    versions.clear()
    newer = undefined
    gaps = []
    oldest = Number.POSITIVE_INFINITY
    first = head
    last = head
    since = clock.now() + margin
  }

  /** When it happened, ms since 1970. */
  function learn(link: Link): number {
    const { request, version = 0, at } = entryIn(link.text)
    if (request !== undefined) versions.set(request, Math.max(version, versions.get(request) ?? 0))
    if (at !== Number.POSITIVE_INFINITY) gaps = [...gaps, ...acknowledgementsIn(link).map(({ gap }) => gap)]
    oldest = Math.min(oldest, at)
    return at
  }

  /** Of one that only a newer process can read nobody here knows what it is about, nor when it was. */
  function entryIn(text: string): { readonly request?: string; readonly version?: number; readonly at: number } {
    try {
      return readAs('entry', text)
    } catch (error) {
      if (!(error instanceof Newer)) throw error
      newer = error
      return { at: Number.POSITIVE_INFINITY }
    }
  }

  function advance(to: Link): void {
    learn(to)
    last = to
    if (versions.size > most) begin(to)
  }

  async function follow(head: Head): Promise<void> {
    if (last === undefined) begin(head)
    for (let from = last; from !== undefined && from.seq < head.seq; from = last) {
      const found = await redis.xrange(keys.audit, `${from.seq + 1}-0`, `${head.seq}-0`, 'COUNT', page)
      for (const link of found.map(linkIn)) {
        // Meanwhile some may have been written here.
        if (last !== undefined && link.seq <= last.seq) continue
        if (last === undefined || !follows(link, last)) break
        advance(link)
      }
      if (last !== from) continue
      // Said once: what is behind a loss must not be held against it for ever.
      last = undefined
      throw missing(from.seq + 1)
    }
  }

  function follows({ seq, mac, text }: Link, before: Head): boolean {
    return seq === before.seq + 1 && signer.isLink(mac, before.mac, seq, text)
  }

  /**
   * Back to the newest entry of a request, or to where what was received then (ms since 1970) can have none: a whole
   * page is older. False where a loss lies between, and nobody can know.
   */
  async function lookBack(id: string, received: number): Promise<boolean> {
    const at = received - margin
    while (first !== undefined && since > at && !versions.has(id)) {
      const from: Head = first
      const { start, links } = await before(from)
      const read: number[] = []
      let to = from
      let whole = true
      for (const [nth, link] of links.entries()) {
        const prior = links[nth + 1] ?? (links.length < page ? start : undefined)
        if (link.seq <= start.seq || prior === undefined) break
        const followed = link.mac === to.mac && [prior, ...followedBy(link)].find((head) => follows(link, head))
        whole = Boolean(followed)
        if (!followed) break
        read.push(learn(link))
        to = followed
      }
      // Unless all was forgotten meanwhile.
      if (first === from) first = to
      const short = links.length < page && to.seq > start.seq
      if (!whole || short || (to.seq === start.seq && to.mac !== start.mac)) {
        if (versions.has(id) || oldest < received) return true
        if (gaps.some((gap) => gap.to === to.seq && gap.mac === to.mac)) return false
        throw missing(to.seq)
      }
      if (first !== to) continue
      if (to.seq <= start.seq) since = Number.NEGATIVE_INFINITY
      else if (read.every((one) => one < at)) since = at
    }
    return true
  }

  /** The newest first, with the one of the head. */
  async function before({ seq }: Head): Promise<{ readonly start: Head; readonly links: readonly Link[] }> {
    const asking = redis.multi().get(keys.beginning).xrevrange(keys.audit, `${seq}-0`, '-', 'COUNT', page)
    const [stored, found] = (await answersOf(asking)) as [string | null, [string, string[]][]]
    return { start: beginningIn(signer, stored), links: found.map(linkIn) }
  }

  return {
    wrote(base, links) {
      if (last?.seq === base.seq && last.mac === base.mac) for (const link of links) advance(link)
    },

    async prove(root, version, { id, kind, status, receivedAt, line, endpoint, actor }) {
      // Nothing is called any more for what has ended, and never for a question.
      if (kind !== 'operation' || isEnded(status)) return true
      const looking = reading
        .catch(() => undefined)
        .then(() => follow(root))
        .then(() => lookBack(id, receivedAt))
      reading = looking
      if (!(await looking)) return false
      if (newer !== undefined) throw newer
      const newest = versions.get(id)
      if (newest === undefined ? version > 1 && status !== 'received' : newest > version)
        throw putBack({ line, endpoint, actor })
      return true
    },
  }
}

/** The text is well signed, so it can be told whose it is. */
function putBack({
  line,
  endpoint,
  actor,
}: Pick<Request, 'line' | 'actor'> & { endpoint: Request['endpoint'] }): Tampered {
  const on = endpoint === undefined || line.includes(endpoint.name) ? '' : ` on ${endpoint.name}`
  return new Tampered(
    `In Redis an old state of the request “${line}”${on} by ${actor.user} was put back: the audit has gone on from there.`,
  )
}

function missing(seq: number): Tampered {
  return new Tampered(`The audit in Redis has lost entry ${seq}, or it was changed.`)
}
