import type { Redis } from 'ioredis'
import { jsonIn, Newer, plainly, readAs, written } from '../../../core/model/formats.ts'
import { type Event, isEnded, type Press, type Request } from '../../../core/model/request.ts'
import type { Memory } from '../../../core/ports/request-store.ts'
import { type Store, Tampered } from '../../../core/ports/services.ts'
import type { Strangers } from '../../../features/history/audit-rounds.ts'
import { answersOf } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { turnAt } from '../connection/leader-turns.ts'
import { eventAt } from '../integrity/chain.ts'
import type { StoreContext } from '../integrity/proof.ts'
import { deflated, inflated, macLength, type Signer } from '../integrity/sign.ts'

/** Returns a request's stored text, signed for its version. An ended one is packed without what the audit has. */
export function requestText(signer: Signer, request: Request, version: number): string {
  const text = isEnded(request.status)
    ? deflated(written('request', { ...request, digest: undefined }))
    : written('request', request)
  return signer.sign(['request', request.id, version], text)
}

/** Throws Tampered, Newer. */
function requestIn(signer: Signer, id: string, version: unknown, stored: unknown): Request {
  return readAs('request', inflated(signer.read(['request', id, Number(version)], String(stored))))
}

/** Null if it is forgotten. The text may be an old copy: only `claim` proves the newest. Throws Tampered, Newer. */
export async function loadRequest({ redis, keys, signer }: StoreContext, id: string): Promise<Request | null> {
  const [version, text] = await redis.hmget(keys.request(id), 'version', 'text')
  return typeof text === 'string' ? requestIn(signer, id, version, text) : null
}

/** The same for one of many requests: null also for one in a newer format. Throws Tampered. */
export async function loadReadable(context: StoreContext, id: string): Promise<Request | null> {
  try {
    return await loadRequest(context, id)
  } catch (error) {
    if (error instanceof Newer) return null
    throw error
  }
}

/** Loads those of many requests that are still stored and that this process can read. Throws Tampered. */
export async function loadAll(context: StoreContext, ids: readonly string[]): Promise<readonly Request[]> {
  const found = await Promise.all(ids.map((id) => loadReadable(context, id)))
  return found.filter((request) => request !== null)
}

export type StoredState = ReturnType<typeof stateIn>

/** Reads the answer of the claim script after `yours`. Throws Tampered, Newer. */
export function stateIn(signer: Signer, id: string, fields: readonly unknown[]) {
  const [version, text, posts, starts, presses] = fields
  return {
    version: Number(version),
    request: requestIn(signer, id, version, text),
    posts: posts === '' ? null : postsIn(signer, id, String(posts)),
    starts: Number(starts),
    presses: (presses as readonly string[]).map((press) => readAs<Press>('press', signer.read(['press', id], press))),
  }
}

/** Throws if this process cannot read the posts, because it could not update those messages. */
function postsIn(signer: Signer, id: string, stored: string): string {
  const text = inflated(signer.read(['posts', id], stored))
  readAs('posts', text)
  return text
}

/** Returns the endpoint that an untrusted text seems to be about, or ''. */
export function endpointIn(stored: string): string {
  const about = jsonIn(stored.slice(macLength)) as { readonly endpoint?: { readonly id?: unknown } } | null | undefined
  const id = about?.endpoint?.id
  return typeof id === 'string' ? id : ''
}

/** More than a project has open at once, even if all its endpoints are about to stop, and how many are read at once. */
const [mostOpen, readAtOnce] = [5_000, 200]

/** Returns open operations, oldest first: each has a next check, so the wake set is their index. */
export function openRequests(context: StoreContext): Store['open'] {
  const { redis, keys } = context
  const isOpen = ({ kind, status }: Request) => kind === 'operation' && !isEnded(status)
  async function loadOpen(id: string): Promise<Request | null> {
    try {
      return await loadReadable(context, id)
    } catch (error) {
      // Until a claim sets it aside, nothing that reads all open requests works, not even the end of a lockdown.
      if (error instanceof Tampered) await redis.zadd(keys.wake, 'XX', '0', id)
      throw error
    }
  }
  return async () => {
    const ids = await redis.zrange(keys.wake, '0', String(mostOpen - 1))
    const found: Request[] = []
    for (let from = 0; from < ids.length; from += readAtOnce) {
      const some = await Promise.all(ids.slice(from, from + readAtOnce).map(loadOpen))
      found.push(...some.filter((request) => request !== null).filter(isOpen))
    }
    return found.toSorted((a, b) => a.receivedAt - b.receivedAt)
  }
}

/** Reads ended requests. The move that ends a request adds it to the index, which lasts as long as the request. */
export function createPast(
  context: StoreContext,
): Pick<Memory, 'past' | 'recentOn' | 'eventsOf'> & Pick<Store, 'postsOf' | 'replyUrlOf'> {
  const { redis, keys, signer, readAt } = context
  return {
    async past(since, skip, most) {
      const ids = await redis.zrevrangebyscore(keys.past, '+inf', since, 'LIMIT', skip, most)
      return { requests: await loadAll(context, ids), more: ids.length === most }
    },
    async recentOn(endpoint) {
      const ids = await redis.lrange(keys.recent(endpoint), 0, 9)
      return (await loadAll(context, ids)).filter((request) => request.endpoint?.id === endpoint)
    },
    async eventsOf(id) {
      const entries = await redis.hget(keys.request(id), 'entries')
      const found = await Promise.all((entries?.split(',') ?? []).map((seq) => eventAt(context, id, Number(seq))))
      return found.flat().toSorted((a, b) => a.at - b.at)
    },
    async postsOf(id) {
      const stored = await redis.hget(keys.request(id), 'posts')
      return stored === null ? null : postsIn(signer, id, stored)
    },
    replyUrlOf: (id) => readAt(keys.reply(id), ['reply', id], (text) => plainly('reply', text)),
  }
}

/** Long enough for Slack to recover from an outage. ms. */
const life = 2 * 3_600_000

/** Keeps files on their way to a person beside the request, which is read and written too often to carry them. */
export function createFiles({ redis, keys, signer, readAt }: StoreContext): Pick<Memory, 'keepFiles' | 'fileOf'> {
  return {
    async keepFiles(id, texts) {
      await Promise.all(
        texts.map((text, at) => redis.set(keys.file(`${id}:${at}`), signer.sign(['file', id, at], text), 'PX', life)),
      )
    },
    fileOf: (id, at) => readAt(keys.file(`${id}:${at}`), ['file', id, at], (text) => plainly('file', text)),
  }
}

/** How many lines to read at once. */
const mostRead = 1_000

/** Each event was written by the move that ended the stranger's request, or answered their press. */
export function strangersIn(redis: Redis, keys: Keys, signer: Signer): Strangers {
  return {
    turn: turnAt(redis, keys, 'strangers').take,
    async read() {
      const stored = await redis.lrange(keys.strangers, 0, mostRead - 1)
      const forget = () => answersOf(stored.reduce((all, one) => all.lrem(keys.strangers, 1, one), redis.multi()))
      // An unsigned event is ignored, because its author could also have deleted the others.
      const ours = stored.filter((one) => signer.isOurs(['stranger'], one))
      return { sent: ours.map((one) => readAs<Event>('event', signer.read(['stranger'], one))), forget }
    },
  }
}
