import type { Redis } from 'ioredis'
import { readAs } from '../../../core/model/formats.ts'
import type { Event } from '../../../core/model/request.ts'
import { Tampered } from '../../../core/ports/services.ts'
import type { Strangers } from '../../../features/history/audit-rounds.ts'
import { answersOf } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'
import { takeTurn } from '../connection/leader-turns.ts'
import type { Signer } from '../integrity/sign.ts'

/** Read at once. */
const most = 1_000

/** Each was written by the move that ended their request, or answered their press. */
export function strangersIn(redis: Redis, keys: Keys, signer: Signer): Strangers {
  /** What cannot be believed tells nothing: who wrote it could as well have taken the others away. */
  function eventsIn(stored: string): readonly Event[] {
    try {
      return [readAs<Event>('event', signer.read(['stranger'], stored))]
    } catch (error) {
      if (error instanceof Tampered) return []
      throw error
    }
  }

  return {
    turn: () => takeTurn(redis, keys, 'strangers'),
    async read() {
      const stored = await redis.lrange(keys.strangers, 0, most - 1)
      const forget = () => answersOf(stored.reduce((all, one) => all.lrem(keys.strangers, 1, one), redis.multi()))
      return { sent: stored.flatMap(eventsIn), forget }
    },
  }
}
