import type { Redis } from 'ioredis'
import type { Actor } from '../../../core/model/actor.ts'
import { Newer, numbered, readAs, valueAs, written } from '../../../core/model/formats.ts'
import { type Change, type Gap, keyOf } from '../../../core/model/records.ts'
import { type Event, isEnded, type Request } from '../../../core/model/request.ts'
import type { AuditLink, Head } from '../../../core/ports/audit.ts'
import { type Clock, Tampered } from '../../../core/ports/services.ts'
import { answersOf } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import type { Signer } from './sign.ts'

/** Where a chain begins that was never pruned. */
export const beginning: Head = { seq: 0, mac: '' }

/**
 * An entry's text: what happened, what it changed, and everything about the request that an auditor will ask for.
 * `policy`: the version that held; `about.version`: of the request as this entry left it. `follows`: the head it is
 * linked to, if that may no longer be stored.
 */
export function entryOf(
  { project, policy }: { readonly project: string; readonly policy: string | undefined },
  { at, what, by, for: absent, detail, seen }: Event,
  about?: Pick<Request, 'id'> & Partial<Request> & { readonly version?: number },
  change?: Change,
  follows?: Head,
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
  // Records are written here as they are stored, so that the two can be compared.
  const put = change?.put?.map((record) => numbered('record', record))
  const changed = change && { ...change, ...(put && { put }) }
  const of = { project, policy, at, what, by, for: absent, detail, seen }
  return written('entry', { ...of, ...request, change: changed, follows })
}

/** The links that these texts become after a head. */
export function linked(signer: Signer, head: Head, texts: readonly string[]): readonly AuditLink[] {
  const links: AuditLink[] = []
  for (const text of texts) {
    const { seq, mac } = links.at(-1) ?? head
    links.push({ seq: seq + 1, mac: signer.link(mac, seq + 1, text), text })
  }
  return links
}

/** Where a chain begins, as it is stored: after the last entry that was pruned. Throws Tampered, Newer. */
export function beginningIn(signer: Signer, stored: string | null): Head {
  return stored === null ? beginning : readAs('head', signer.read(['beginning'], stored))
}

/** The id of an entry of ours is its number; anything else gets NaN. */
export function linkIn([id, [, mac = '', , text = '']]: readonly [string, readonly string[]]): AuditLink {
  const [seq, part] = id.split('-')
  return { seq: part === '0' ? Number(seq) : Number.NaN, mac, text }
}

/** The fields of an entry that are read again. `at`: ms since 1970. */
export interface Entry {
  readonly at: number
  readonly by?: Actor
  readonly actor?: Actor
  readonly request?: string
  readonly version?: number
  readonly change?: Change
  readonly follows?: Head
}

/** Throws Newer. A text that is no JSON has no fields. */
export function entryIn(text: string): Entry {
  const found = jsonIn(text)
  return typeof found === 'object' && found !== null ? { at: 0, ...valueAs<Partial<Entry>>('entry', found) } : { at: 0 }
}

/** The head that an entry says it follows: only the first one after a loss does. */
export function headNamedIn({ text }: AuditLink): readonly Head[] {
  if (!text.includes('"follows"')) return []
  const { follows } = entryIn(text)
  return follows === undefined ? [] : [follows]
}

/** Undefined if it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The range of entries that an admin accepted as lost by ending a lockdown. Earlier versions stored each gap. */
export function lossIn({ change }: Entry): Pick<Gap, 'from' | 'to'> | undefined {
  const gaps = change?.acknowledges?.gaps ?? []
  if (gaps.length === 0) return undefined
  return { from: Math.min(...gaps.map(({ from }) => from)), to: Math.max(...gaps.map(({ to }) => to)) }
}

/** Entries read at once. */
const page = 1_000
/** Requests and records remembered; beyond that all is forgotten, and read again when it is needed. */
const most = 100_000
/** Clocks of processes differ, and what people did is noted with the time at which they did it. ms. */
const margin = 60_000

/** What the audit says about requests and records, as far as this process has read or written it. */
export interface Trail {
  /** Adds entries that this process has just written itself, after a head. */
  readonly wrote: (base: Head, links: readonly AuditLink[]) => void
  /** Keys of the records changed by later entries than this one, up to a head. Undefined if it cannot know all of them. */
  changedAfter(seq: number, head: Head): Promise<readonly string[] | undefined>
  /**
   * Checks that a claimed request is as the audit left it: a replayed old text also has a valid signature. Throws
   * Tampered if a later entry is about the request, and Newer if only a newer process can tell. False if an
   * admin has since accepted a loss of entries, so that nobody can tell. `root`: the head at the time of the claim.
   */
  readonly prove: (root: Head, version: number, request: Request) => Promise<boolean>
}

/** Follows the audit from the first head it is asked about, and reads further back for requests older than that. */
export function createTrail(redis: Redis, keys: Keys, signer: Signer, clock: Pick<Clock, 'now'>): Trail {
  /** From the entries after `first` up to `last`: the newest version of each request, the newest entry of each record. */
  const versions = new Map<string, number>()
  const records = new Map<string, number>()
  let first: Head | undefined
  let last: Head | undefined
  /** Requests received later than this have no entry up to `first`. ms since 1970. */
  let since = 0
  /** The earliest time in those entries, and that of the newest accepted loss. ms since 1970. */
  let oldest = 0
  let accepted = 0
  let reading: Promise<unknown> = Promise.resolve()

  function begin({ seq, mac }: Head): void {
    versions.clear()
    records.clear()
    first = { seq, mac }
    last = first
    since = clock.now() + margin
    oldest = Number.POSITIVE_INFINITY
    accepted = Number.NEGATIVE_INFINITY
  }

  function learn({ seq, text }: AuditLink): { readonly at: number; readonly isLoss: boolean } {
    const entry = entryIn(text)
    const { request, version = 0, at, change } = entry
    if (request !== undefined) versions.set(request, Math.max(version, versions.get(request) ?? 0))
    for (const key of [...(change?.put ?? []).map(keyOf), ...(change?.drop ?? [])])
      records.set(key, Math.max(seq, records.get(key) ?? 0))
    const isLoss = lossIn(entry) !== undefined
    if (isLoss) accepted = Math.max(accepted, at)
    oldest = Math.min(oldest, at)
    return { at, isLoss }
  }

  function advance(link: AuditLink): void {
    learn(link)
    last = link
    if (versions.size + records.size > most) begin(link)
  }

  function follows({ seq, mac, text }: AuditLink, before: Head): boolean {
    return seq === before.seq + 1 && signer.isLink(mac, before.mac, seq, text)
  }

  async function readOn(head: Head): Promise<void> {
    if (last === undefined) begin(head)
    for (let from = last; from !== undefined && from.seq < head.seq; from = last) {
      const found = await redis.xrange(keys.audit, `${from.seq + 1}-0`, `${head.seq}-0`, 'COUNT', page)
      for (const link of found.map(linkIn)) {
        // Some may have been written here meanwhile.
        if (last !== undefined && link.seq <= last.seq) continue
        if (last === undefined || !follows(link, last)) break
        advance(link)
      }
      if (last === from) throw missing(from.seq + 1)
    }
  }

  /** Reads back to the request, an accepted loss, or a whole older page: a minute's entries are in any order. */
  async function lookBack(id: string, received: number): Promise<void> {
    while (first !== undefined && since > received - margin && received >= accepted && !versions.has(id)) {
      const from: Head = first
      const asking = redis.multi().get(keys.beginning).xrevrange(keys.audit, `${from.seq}-0`, '-', 'COUNT', page)
      const [stored, found] = (await answersOf(asking)) as [string | null, [string, string[]][]]
      // All was forgotten meanwhile.
      if (first !== from) continue
      const start = beginningIn(signer, stored)
      const links = found.map(linkIn)
      let to = from
      const read: ReturnType<typeof learn>[] = []
      for (const [nth, link] of links.entries()) {
        const prior = links[nth + 1] ?? (links.length < page ? start : undefined)
        if (prior === undefined || link.seq <= start.seq || link.mac !== to.mac) break
        const head = [prior, ...headNamedIn(link)].find((one) => follows(link, one))
        if (head === undefined) break
        read.push(learn(link))
        to = head
        if (read.at(-1)?.isLoss === true) break
      }
      first = { seq: to.seq, mac: to.mac }
      const end = links.length < page || to.seq <= start.seq ? start : links.at(-1)
      if (read.at(-1)?.isLoss === true) since = Number.NEGATIVE_INFINITY
      else if (to.seq >= start.seq && (to.seq !== end?.seq || to.mac !== end.mac)) {
        if (versions.has(id) || oldest < received) return
        throw missing(to.seq)
      } else if (end === start) since = Number.NEGATIVE_INFINITY
      else if (read.every(({ at }) => at < received - margin)) since = received - margin
    }
  }

  /** One after the other, since each reads on from where the one before it has come to. */
  function inTurn(read: () => Promise<void>): Promise<void> {
    const done = reading.catch(() => undefined).then(read)
    reading = done
    return done
  }

  return {
    wrote(base, links) {
      if (last?.seq === base.seq && last.mac === base.mac) for (const link of links) advance(link)
    },

    async changedAfter(seq, head) {
      try {
        await inTurn(() => readOn(head))
      } catch (error) {
        if (error instanceof Tampered || error instanceof Newer) return undefined
        throw error
      }
      if (first === undefined || seq < first.seq) return undefined
      return [...records].flatMap(([key, newest]) => (newest > seq ? [key] : []))
    },

    async prove(root, version, request) {
      const { id, kind, status, receivedAt } = request
      // Nothing is called any more for a request that has ended, and never for a query.
      if (kind !== 'operation' || isEnded(status)) return true
      await inTurn(async () => {
        try {
          await readOn(root)
        } catch (error) {
          // Said once: later requests have nothing to do with this loss.
          if (error instanceof Tampered) last = undefined
          throw error
        }
        await lookBack(id, receivedAt)
      })
      const newest = versions.get(id)
      if (newest === undefined && receivedAt < accepted) return false
      if (newest === undefined ? version > 1 && status !== 'received' : newest > version) throw putBack(request)
      return true
    },
  }
}

/** The text is well signed, so it can be told whose it is. */
function putBack({ line, endpoint, actor }: Request): Tampered {
  const on = endpoint === undefined || line.includes(endpoint.name) ? '' : ` on ${endpoint.name}`
  return new Tampered(
    `In Redis an old state of the request “${line}”${on} by ${actor.user} was put back: the audit has gone on from there.`,
  )
}

function missing(seq: number): Tampered {
  return new Tampered(`The audit in Redis has lost entry ${seq}, or it was changed.`)
}
