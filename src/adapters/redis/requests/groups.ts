import { randomUUID } from 'node:crypto'
import type { Groups } from '../../../core/ports/request-store.ts'
import { LeaseLost } from '../../../core/ports/services.ts'
import { orLeaseLost, releaserOn, scriptOn } from '../connection/calls.ts'
import type { StoreContext } from '../context.ts'
import * as scripts from './scripts.ts'
import { loadReadable } from './state.ts'

/** More lines than that nobody reads in one message. */
const mostTogether = 20
/** Longer than any request of a rule is open. ms. */
const life = 2 * 24 * 3_600_000
/** Longer than Slack is waited for. ms. */
const leaseMs = 30_000

/** Who is in a group is not signed: it decides nothing but which message a request is shown in. */
export function createGroups(context: StoreContext): Groups {
  const { redis, keys, signer } = context
  const savePosts = scriptOn(redis, 'lamplighterSavePosts', scripts.savePosts)
  const release = releaserOn(redis)

  async function requestsOf(group: string) {
    const [name = '', part] = group.split('#')
    const ids = Object.entries(await redis.hgetall(keys.group(name))).flatMap(([id, at]) => (at === part ? [id] : []))
    const found = await Promise.all(ids.map((id) => loadReadable(context, id)))
    return found
      .filter((one) => one !== null)
      .filter((one) => one.group === group)
      .toSorted((a, b) => a.receivedAt - b.receivedAt || a.id.localeCompare(b.id, 'en'))
  }

  return {
    async joinGroup(name, id) {
      const key = keys.group(name)
      await redis.hsetnx(key, id, Math.floor((await redis.hlen(key)) / mostTogether))
      await redis.pexpire(key, life)
      return `${name}#${await redis.hget(key, id)}`
    },
    async holdGroup(group) {
      const [card, lease, token] = [keys.group(`${group}:card`), keys.lease(`group:${group}`), randomUUID()]
      if ((await redis.set(lease, token, 'PX', leaseMs, 'NX')) !== 'OK') return null
      const stored = await redis.hget(card, 'posts')
      return {
        requests: await requestsOf(group),
        posts: stored === null ? null : signer.read(['posts', group], stored),
        async savePosts(posts) {
          const saved = await orLeaseLost(savePosts([card, lease], [token, signer.sign(['posts', group], posts)]))
          if (saved !== 1) throw new LeaseLost('Somebody else shows this group now.')
          await redis.pexpire(card, life)
        },
        release: () => release(lease, token),
      }
    },
  }
}
