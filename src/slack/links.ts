import type { WebClient } from '@slack/web-api'
import type { Store } from '../lifecycle/ports.ts'
import { readPosts } from './posts.ts'

/** The address of a request's card, or null while it has none. */
export function linksTo(client: WebClient, store: Pick<Store, 'postsOf'>): (request: string) => Promise<string | null> {
  return async (request) => {
    const { card } = readPosts(await store.postsOf(request)).byKey
    if (card?.ts === undefined) return null
    try {
      const { permalink } = await client.chat.getPermalink({ channel: card.channel, message_ts: card.ts })
      return permalink ?? null
    } catch {
      // A link is a kindness: without it the sentence still names the other request.
      return null
    }
  }
}
