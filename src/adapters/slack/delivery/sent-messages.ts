import { createHash } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import { readAs, written } from '../../../core/model/formats.ts'
import type { HeldGroup } from '../../../core/ports/request-store.ts'
import type { ClaimedRequest, Store } from '../../../core/ports/services.ts'
import type { Message } from '../kit/blocks.ts'

export interface Post {
  /** `sending`: it left, or was about to; nobody knows whether it arrived. `waiting`: it certainly has not left. */
  readonly state: 'sending' | 'waiting' | 'posted' | 'given up'
  readonly channel: string
  readonly ts?: string
  readonly digest?: string
  /** When it was first tried, ms since 1970. */
  readonly since: number
  readonly tries: number
  readonly notBefore?: number
  /** Progress may be edited in from this time on, ms; ends do not wait for it. */
  readonly calmUntil?: number
  /** It was sent a second time, and nobody knows of that copy either. */
  readonly repeated?: true
}

interface Posts {
  readonly byKey: Readonly<Record<string, Post>>
  /** How many places have refused the card. */
  readonly detour: number
  /** How often the card was deleted and posted again. */
  readonly restarts: number
}

export type SentMessages = ReturnType<typeof ledgerOf>

/**
 * The messages of one request as remembered with it. What was posted, or is about to be, is written before anything
 * else happens; an edit, which may be made twice, is written with what follows.
 */
export function ledgerOf(held: Pick<ClaimedRequest, 'posts' | 'savePosts'>) {
  let posts = readPosts(held.posts)

  async function save(next: Posts, when?: 'later'): Promise<void> {
    await held.savePosts(written('posts', next), when)
    posts = next
  }

  return {
    get detour() {
      return posts.detour
    },
    get restarts() {
      return posts.restarts
    },
    of: (key: string) => posts.byKey[key],
    put: (key: string, post: Post, when?: 'later') => save({ ...posts, byKey: { ...posts.byKey, [key]: post } }, when),
    /** The card's place is closed: on to the next. */
    turn: () => save({ ...posts, byKey: without(posts, (key) => key === 'card'), detour: posts.detour + 1 }),
    /** The card was deleted: it and what belongs in its thread start over. */
    startOver: () =>
      save({
        ...posts,
        byKey: without(posts, (key, { state }) => /^(card$|ask\.)/.test(key) || (key === 'end' && state !== 'posted')),
        restarts: posts.restarts + 1,
      }),
  }
}

/** The same where requests share their card: it is remembered with their group, all else with the request. */
export function sharingCard(own: SentMessages, group: HeldGroup): SentMessages {
  const shared = ledgerOf(group)
  return {
    get detour() {
      return shared.detour
    },
    get restarts() {
      return shared.restarts
    },
    of: (key) => (key === 'card' ? shared : own).of(key),
    put: (key, post, when) => (key === 'card' ? shared : own).put(key, post, when),
    turn: () => shared.turn(),
    startOver: async () => {
      await shared.startOver()
      await own.startOver()
    },
  }
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

/** The address of a message; null while there is none. */
export type AddressOf = (post: Post | undefined) => Promise<string | null>

/** The address of a request's card, or of another message of it; null while there is none. */
export type MessageLink = (request: string, key?: string) => Promise<string | null>

/** Addresses remembered, since they stay as they are; beyond that all are forgotten, and asked for again. */
const mostKnown = 1_000

export function addressesFrom(client: WebClient): AddressOf {
  const known = new Map<string, string>()
  return async (post) => {
    if (post?.ts === undefined) return null
    const at = `${post.channel} ${post.ts}`
    const before = known.get(at)
    if (before !== undefined) return before
    try {
      const { permalink } = await client.chat.getPermalink({ channel: post.channel, message_ts: post.ts })
      if (known.size >= mostKnown) known.clear()
      if (permalink !== undefined) known.set(at, permalink)
      return permalink ?? null
    } catch {
      // A link is a kindness: without it the sentence still names the other request.
      return null
    }
  }
}

export function linksTo(
  client: WebClient,
  store: Pick<Store, 'postsOf'>,
  addressOf: AddressOf = addressesFrom(client),
): MessageLink {
  return async (request, key = 'card') => addressOf(readPosts(await store.postsOf(request)).byKey[key])
}
