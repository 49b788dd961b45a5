import { createHash } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import { readAs, written } from '../../../core/model/formats.ts'
import type { ClaimedGroup } from '../../../core/ports/request-store.ts'
import type { ClaimedRequest, Store } from '../../../core/ports/services.ts'
import { inTime } from '../../../core/requests/gateway.ts'
import type { Message } from '../kit/blocks.ts'
import { memoize } from '../web/failures.ts'

export interface Post {
  /** `sending`: the message may have arrived. `waiting`: it has certainly not been sent. */
  readonly state: 'sending' | 'waiting' | 'posted' | 'given up'
  readonly channel: string
  readonly ts?: string
  readonly digest?: string
  /** The time of the first attempt, ms since 1970. */
  readonly since: number
  readonly tries: number
  readonly notBefore?: number
  /** The earliest time for another progress edit, ms since 1970. Results do not wait for it. */
  readonly calmUntil?: number
  /** A second copy was sent, and it is unknown whether that one arrived. */
  readonly repeated?: true
}

interface Posts {
  readonly byKey: Readonly<Record<string, Post>>
  /** How many places have refused the card, or the answer. */
  readonly detour: number
  /** How often the card was deleted and posted again. */
  readonly restarts: number
}

export type SentMessages = Omit<ReturnType<typeof ledgerOf>, 'refuse'>

/** The messages that go elsewhere if their channel is closed. */
export const mayTurn: ReadonlySet<string> = new Set(['card', 'answer'])

/** A post is recorded before and after it is sent; an edit may be made twice, so it is saved with the next change. */
export function ledgerOf(claim: Pick<ClaimedRequest, 'posts' | 'savePosts'>) {
  let posts = readPosts(claim.posts)

  async function save(next: Posts, when?: 'later'): Promise<void> {
    await claim.savePosts(written('posts', next), when)
    posts = next
  }

  return {
    /** The id of a card that other requests have too. */
    sharedAs: undefined as string | undefined,
    /** Whether the card has left its first place, or was given up. */
    get isRefused() {
      return posts.detour > 0 || posts.byKey['card']?.state === 'given up'
    },
    get detour() {
      return posts.detour
    },
    get restarts() {
      return posts.restarts
    },
    of: (key: string) => posts.byKey[key],
    put: (key: string, post: Post, when?: 'later') => save({ ...posts, byKey: { ...posts.byKey, [key]: post } }, when),
    /** Records that the card's channel is closed. */
    refuse: () => save({ ...posts, detour: posts.detour + 1 }),
    /** Moves the card or the answer to its next place, because the current one is closed. */
    turn: () => save({ ...posts, byKey: without(posts, (key) => mayTurn.has(key)), detour: posts.detour + 1 }),
    /** Keeps the card as an old one, so that it is posted anew. */
    renew: (card: Post) => save({ ...posts, byKey: { ...without(posts, (key) => key === 'card'), 'card.old': card } }),
    /** Forgets the deleted card and the messages of its thread, so that they are posted again. */
    startOver: () =>
      save({
        ...posts,
        byKey: without(posts, (key, { state }) => /^(card$|ask\.)/.test(key) || (key === 'end' && state !== 'posted')),
        restarts: posts.restarts + 1,
      }),
  }
}

/**
 * Keeps a shared card with its group and all other messages with the request. `refusals`: how many places refused the
 * card before; `all`: the card of all owners, which never moves.
 */
export function sharingCard(
  own: SentMessages,
  group: ClaimedGroup,
  refusals: number | 'all',
  sharedAs: string,
): SentMessages {
  const shared = ledgerOf(group)
  return {
    sharedAs,
    get isRefused() {
      return shared.isRefused
    },
    get detour() {
      return refusals === 'all' ? 0 : Math.max(refusals, shared.detour)
    },
    get restarts() {
      return shared.restarts
    },
    of: (key) => (key.startsWith('card') ? shared : own).of(key),
    put: (key, post, when) => (key.startsWith('card') ? shared : own).put(key, post, when),
    turn: () => (refusals === 'all' ? shared.refuse() : shared.turn()),
    renew: (card) => shared.renew(card),
    startOver: async () => {
      await shared.startOver()
      await own.startOver()
    },
  }
}

/** Whether the reply with the end was refused where the card is. An edit notifies nobody, but a card elsewhere does. */
export function isEndRefused(ledger: SentMessages): boolean {
  const [card, end] = [ledger.of('card'), ledger.of('end')]
  const isRefused = end?.state === 'given up' && end.tries > 0 && end.repeated !== true
  return isRefused && card?.state === 'posted' && card.channel === end.channel
}

export function readPosts(text: string | null): Posts {
  return text === null ? { byKey: {}, detour: 0, restarts: 0 } : readAs('posts', text)
}

function without(posts: Posts, gone: (key: string, post: Post) => boolean): Posts['byKey'] {
  return Object.fromEntries(Object.entries(posts.byKey).filter(([key, post]) => !gone(key, post)))
}

export function messageDigest(message: Message): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 16)
}

/** The permalink of a message, or null if it has none. */
export type AddressOf = (post: Post | undefined) => Promise<string | null>

/** The permalink of a request's card; null if there is none. */
export type MessageLink = (request: string) => Promise<string | null>

export function addressesFrom(client: WebClient): AddressOf {
  const linkAt = memoize(performance, async (at) => {
    const [channel = '', ts = ''] = at.split(' ')
    return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink ?? null
  })
  return async (post) => {
    if (post?.ts === undefined) return null
    // A permalink never changes. It is optional, so a late one is only there the next time.
    return inTime(linkAt(`${post.channel} ${post.ts}`, Number.POSITIVE_INFINITY), null)
  }
}

export function linksTo(store: Pick<Store, 'postsOf'>, addressOf: AddressOf): MessageLink {
  return async (request) => addressOf(readPosts(await store.postsOf(request)).byKey['card'])
}
