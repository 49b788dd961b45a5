import { readAs, unlessNewer, written } from '../../../core/model/formats.ts'
import type { AuditLink, Head } from '../../../core/ports/audit.ts'
import type { AuditStep, EventPorts, WebhookState } from '../../../core/ports/events.ts'
import { answersOf } from '../connection/calls.ts'
import type { StoreContext } from '../context.ts'
import { beginningIn, followed, linkIn } from '../integrity/chain.ts'
import { inflated } from '../integrity/deflated.ts'

/** Follows the audit for those who are told of events, and remembers how far each of them has come. */
export function createEventTrail({
  redis,
  keys,
  signer,
}: Pick<StoreContext, 'redis' | 'keys' | 'signer'>): Pick<EventPorts, 'after' | 'stateOf' | 'saveState'> {
  /** A link's MAC is over the one before it, so whoever has not the key can make none that follows. */
  function stepOf(link: AuditLink, priors: readonly Head[]): AuditStep {
    function entry(): AuditStep['entry'] {
      const isOurs = followed(signer, link, priors) !== undefined
      return isOurs ? readAs('entry', inflated(link.text)) : 'unproven'
    }
    return { seq: link.seq, entry: unlessNewer(entry, 'newer') }
  }

  return {
    async after(seq, most) {
      const asking = redis
        .multi()
        .get(keys.beginning)
        .xrange(keys.audit, `${seq}-0`, '+', 'COUNT', most + 1)
      const [stored, found] = (await answersOf(asking)) as [string | null, [string, string[]][]]
      const links = found.map(linkIn).filter((link) => !Number.isNaN(link.seq))
      const start = beginningIn(signer, stored)
      return links
        .map((link, at) => stepOf(link, [links[at - 1] ?? start, start]))
        .filter((step) => step.seq > seq)
        .slice(0, most)
    },
    async stateOf(webhook) {
      const text = await redis.hget(keys.events, webhook)
      return text === null ? null : readAs<WebhookState>('webhook', text)
    },
    async saveState(webhook, delivery) {
      await redis.hset(keys.events, webhook, written('webhook', delivery))
    },
  }
}
