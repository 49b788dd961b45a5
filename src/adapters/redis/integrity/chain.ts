import type { ChainableCommander, Redis } from 'ioredis'
import { jsonIn, Newer, numbered, readAs, valueAs, written } from '../../../core/model/formats.ts'
import { type Change, type Gap, keyOf } from '../../../core/model/records.ts'
import { type Event, isEnded, type Request } from '../../../core/model/request.ts'
import type { Actor } from '../../../core/model/roles.ts'
import { say } from '../../../core/model/words.ts'
import type { AuditLink, Head, ProvenEntry } from '../../../core/ports/audit.ts'
import { type Clock, Tampered } from '../../../core/ports/services.ts'
import { answersOf } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { deflated, inflated, type Signer } from './sign.ts'

/** The beginning of a chain that was never pruned. */
export const beginning: Head = { seq: 0, mac: '' }

/** An entry that is about to be written, with its text as it is stored. */
export type NewEntry = ReturnType<typeof entryOf>

/**
 * Makes an entry, with all about the request that an auditor will ask for. `policy`: the version at that time;
 * `of.version`: the request's version after this entry. `follows`: the head before it, if that may no longer be stored.
 */
export function entryOf(
  decided: { readonly project: string; readonly policy: string | undefined },
  { at, what, by, for: absent, detail, seen }: Event,
  of: Pick<Request, 'id'> & Partial<Request> & { readonly version?: number },
  change?: Change,
  follows?: Head,
) {
  const { id: request, version, line, actor, via, through, place, status, endpoint, digest } = of
  // Records are written here as they are stored, so that both texts can be compared.
  const put = change?.put?.map((record) => numbered('record', record))
  const about = { request, version, line, actor, via, through, place, status, endpoint, digest }
  const changes = change && { ...change, ...(put && { put }) }
  const entry = { ...decided, at, what, by, for: absent, detail, seen, ...about, change: changes, follows }
  return { text: deflated(written('entry', entry)), entry: entry as Entry }
}

/** Links these texts to a head, one after another. */
export function linked(signer: Signer, head: Head, texts: readonly string[]): readonly AuditLink[] {
  const links: AuditLink[] = []
  for (const text of texts) links.push(signer.link(links.at(-1) ?? head, text))
  return links
}

/** Reads where a chain begins. A text that is not ours counts as none: the pruned entries are lost. Throws Newer. */
export function beginningIn(signer: Signer, stored: string | null): Head {
  const isOurs = stored !== null && signer.isOurs(['beginning'], stored)
  return isOurs ? readAs('head', signer.read(['beginning'], stored)) : beginning
}

/** Where a project's texts are stored, and what signs them. */
export interface SignedPlace {
  readonly redis: Redis
  readonly keys: Keys
  readonly signer: Signer
}

/** Reads links, and in the same transaction the head after which the stored ones begin. Throws Newer. */
export async function linksIn(
  { redis, keys, signer }: SignedPlace,
  read: (reading: ChainableCommander, audit: string) => ChainableCommander,
): Promise<{ readonly start: Head; readonly links: readonly AuditLink[] }> {
  const answers = await answersOf(read(redis.multi().get(keys.beginning), keys.audit))
  const [stored, found] = answers as [string | null, [string, string[]][]]
  return { start: beginningIn(signer, stored), links: found.map(linkIn) }
}

/** Reads a stored link. The id of our own entries is their number; any other id gives NaN. */
export function linkIn([id, [, mac = '', , text = '']]: readonly [string, readonly string[]]): AuditLink {
  const [seq, part] = id.split('-')
  return { seq: part === '0' ? Number(seq) : Number.NaN, mac, text }
}

/** The fields of an entry that are read again. `at`: ms since 1970. */
export interface Entry extends Partial<Omit<ProvenEntry, 'at'>>, Pick<ProvenEntry, 'at'> {
  readonly actor?: Actor
  readonly version?: number
  readonly follows?: Head
}

/** Reads an entry. A text that is no entry has no fields. Throws Newer. */
export function entryIn(text: string): Entry {
  const found = jsonIn(inflated(text))
  return { at: 0, ...(typeof found === 'object' && found !== null && valueAs<Partial<Entry>>('entry', found)) }
}

/** Returns which of these heads a link follows, or the head that it names, as only the first one after a loss does. */
export function followed(signer: Signer, link: AuditLink, heads: readonly Head[]): Head | undefined {
  const follows = (head: Head): boolean => signer.follows(link, head)
  const found = heads.find(follows)
  if (found !== undefined || !inflated(link.text).includes('"follows"')) return found
  const { follows: named } = entryIn(link.text)
  return named !== undefined && follows(named) ? named : undefined
}

const eventFields = ['at', 'what', 'by', 'for', 'detail', 'seen'] as const

/** Returns an entry's event about a request; none if the entry is gone or about another. Throws Tampered, Newer. */
export async function eventAt(place: SignedPlace, id: string, seq: number): Promise<readonly Event[]> {
  const { start, links } = await linksIn(place, (reading, audit) => reading.xrange(audit, `${seq - 1}-0`, `${seq}-0`))
  const link = links.find((one) => one.seq === seq)
  if (link === undefined) return []
  if (followed(place.signer, link, [...links, start]) === undefined) throw missing(seq)
  const entry = readAs<Event & Entry>('entry', inflated(link.text))
  if (entry.request !== id) return []
  const event = Object.fromEntries(eventFields.flatMap((name) => (name in entry ? [[name, entry[name]]] : [])))
  return [event as unknown as Event]
}

/** Returns the gaps that an admin accepted by ending a lockdown. 0.1.0 stored one, from the first gap to the last. */
export function lossesIn({ change }: Entry): readonly Gap[] {
  return change?.acknowledges?.gaps ?? []
}

export const entriesAtOnce = 1_000
/** How many requests and records are cached. A full cache is cleared, and read again when it is needed. */
const most = 100_000
/** Allows for clocks that differ, and for entries that have the time of an earlier press. ms. */
const margin = 60_000

export type Trail = ReturnType<typeof createTrail>

/** Keeps what the audit says about requests and records, from the first head on; further back for older requests. */
export function createTrail(place: SignedPlace, clock: Pick<Clock, 'now'>) {
  /** From the entries after `first` up to `last`: the newest version of each request, the newest entry of each record. */
  const versions = new Map<string, number>()
  const records = new Map<string, number>()
  let first = beginning
  let last: Head | undefined
  /** Requests received later than this have no entry up to `first`. ms since 1970. */
  let since = 0
  /** The earliest time in those entries, and the time of the newest accepted loss. ms since 1970. */
  let oldest = 0
  let accepted = 0
  let reading: Promise<void> = Promise.resolve()

  function begin(head: Head): Head {
    versions.clear()
    records.clear()
    first = head
    since = clock.now() + margin
    oldest = Number.POSITIVE_INFINITY
    accepted = Number.NEGATIVE_INFINITY
    return head
  }

  function learn(seq: number, entry: Entry): Entry {
    const { request, version = 0, at, change } = entry
    if (request !== undefined) versions.set(request, Math.max(version, versions.get(request) ?? 0))
    for (const key of [...(change?.put ?? []).map(keyOf), ...(change?.drop ?? [])])
      records.set(key, Math.max(seq, records.get(key) ?? 0))
    if (lossesIn(entry).length > 0) accepted = Math.max(accepted, at)
    oldest = Math.min(oldest, at)
    return entry
  }

  /** Learns from a page of entries back from a believed head. Returns the head it reached, and the fault if stuck. */
  async function readBack(from: Head, end?: Head) {
    const range = [`${from.seq}-0`, `${(end?.seq ?? 0) + 1}-0`] as const
    const { start, links } = await linksIn(place, (reading, audit) =>
      reading.xrevrange(audit, ...range, 'COUNT', entriesAtOnce),
    )
    // A beginning after the head is left over from a lost chain.
    const floor = end ?? (start.seq > from.seq ? beginning : start)
    const entries: Entry[] = []
    let to = from
    const priors = [...links.slice(1), ...(links.length < entriesAtOnce ? [floor] : [])]
    for (const [nth, prior] of priors.entries()) {
      const link = links[nth]
      if (link?.mac !== to.mac || to.seq <= floor.seq) break
      const before = followed(place.signer, link, [prior])
      if (before === undefined) return { to, entries, isEnd: false, lost: missing(prior.seq + 1 || to.seq) }
      entries.push(learn(link.seq, entryIn(link.text)))
      to = before
    }
    const isEnd = to.seq === floor.seq && to.mac === floor.mac
    const goesOn = links.length === entriesAtOnce && entries.length === entriesAtOnce - 1 && to.seq > floor.seq
    return { to, entries, isEnd, ...(!isEnd && !goesOn && { lost: missing(to.seq) }) }
  }

  async function readOn(head: Head): Promise<void> {
    if (last === undefined || versions.size + records.size > most) last = begin(head)
    const end = last
    for (let to = head; to.seq > end.seq; ) {
      const read = await readBack(to, end)
      if (read.lost !== undefined) throw new Tampered(read.lost.says, 'all')
      to = read.to
    }
    // This process may have written more meanwhile.
    if (head.seq > last.seq) last = head
  }

  /** Reads back to the request, or until a whole page is older, because entries of one minute are in any order. */
  async function lookBack(id: string, received: number): Promise<void> {
    while (since > received - margin && !versions.has(id)) {
      const { to, entries, isEnd, lost } = await readBack(first)
      first = to
      if (isEnd) since = Number.NEGATIVE_INFINITY
      else if (lost === undefined) {
        if (entries.every(({ at }) => at < received - margin)) since = received - margin
      } else if (versions.has(id) || oldest < received || received < accepted) return
      else throw lost
    }
  }

  /** Runs reads one after another, because each continues where the last one stopped. */
  function inTurn(read: () => Promise<void>): Promise<void> {
    reading = reading.catch(() => undefined).then(read)
    return reading
  }

  return {
    /** Adds entries that this process has just written between two heads. */
    wrote(base: Head, head: Head, entries: readonly NewEntry[]): void {
      if (last?.seq !== base.seq || last.mac !== base.mac) return
      for (const [nth, { entry }] of entries.entries()) learn(base.seq + 1 + nth, entry)
      last = head
    },

    /** Returns the keys of records changed after this entry, up to a head, or undefined if it cannot know all. */
    async changedAfter(seq: number, head: Head): Promise<readonly string[] | undefined> {
      try {
        await inTurn(() => readOn(head))
      } catch (error) {
        if (error instanceof Tampered || error instanceof Newer) return undefined
        throw error
      }
      if (seq < first.seq) return undefined
      return [...records].flatMap(([key, newest]) => (newest > seq ? [key] : []))
    },

    /**
     * Checks that a claimed request is as the audit left it at the head `root`. Throws Tampered if a later entry is
     * about it, Newer if only a newer process can read that. False: unknown, since an admin accepted a loss.
     */
    async prove(root: Head, version: number, request: Request): Promise<boolean> {
      const { id, kind, status, receivedAt } = request
      // An ended request makes no more calls, and a query never changes anything.
      if (kind !== 'operation' || isEnded(status)) return true
      await inTurn(async () => {
        try {
          await readOn(root)
        } catch (error) {
          // This is reported once, because later requests have nothing to do with the loss.
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

/** The text is correctly signed, so its requester is known. */
function putBack({ line, endpoint, actor }: Request): Tampered {
  const name = endpoint === undefined || line.includes(endpoint.name) ? '' : endpoint.name
  const on = name === '' ? 'none' : 'one'
  return new Tampered(say('lockdown.putBack', { line, on, name, by: { person: actor } }))
}

function missing(seq: number): Tampered {
  return new Tampered(say('lockdown.lostEntry', { entry: `${seq}` }))
}
