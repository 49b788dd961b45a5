import type { Redis } from 'ioredis'
import { keyOf, type Rec, type Records } from '../domain/records.ts'
import type { Event } from '../domain/request.ts'
import type { Store } from '../lifecycle/ports.ts'
import type { Keys } from './keys.ts'

/** What people have laid down: one field of a hash for each record. */
export function createRecords(redis: Redis, keys: Keys): Pick<Store, 'records' | 'write' | 'audit'> {
  async function append(events: readonly Event[]): Promise<void> {
    for (const event of events) await redis.xadd(keys.audit, '*', 'text', JSON.stringify(event))
  }
  return {
    async records(): Promise<Records> {
      const texts = await redis.hvals(keys.records)
      return new Map(texts.map((text) => JSON.parse(text) as Rec).map((record) => [keyOf(record), record]))
    },
    async write({ put = [], drop = [] }, events) {
      if (put.length > 0)
        await redis.hset(keys.records, ...put.flatMap((record) => [keyOf(record), JSON.stringify(record)]))
      if (drop.length > 0) await redis.hdel(keys.records, ...drop)
      await append(events)
    },
    audit: {
      head: async () => ({ seq: await redis.xlen(keys.audit), mac: '' }),
      async read(from, most) {
        const found = await redis.xrange(keys.audit, '-', '+', 'COUNT', from + most)
        return found.slice(from - 1).map(([, [, text = '']], at) => ({ seq: from + at, mac: '', text }))
      },
      verify: async () => ({
        well: false,
        says: 'Entries are not signed, so nothing can be proven.',
        head: { seq: await redis.xlen(keys.audit), mac: '' },
      }),
    },
  }
}
