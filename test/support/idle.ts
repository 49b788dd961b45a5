import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { startTown, type Town, type TownOptions } from './town.ts'

/** As the town's own, and its replicas may be looked at. */
export const watchedPolicy = `
operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    signals: { allow_private: true }
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN, group:S0OPS]
      approver: [user:U0BEN]
      admin: []
`

export interface Watchtower {
  readonly town: Town
  /** Lets minutes pass, and waits until everybody has been looked at after them. */
  readonly looks: (...minutes: readonly number[]) => Promise<void>
  stop(): Promise<void>
}

/** A town whose worker looks whether endpoints are used, right from its start. */
export async function startWatchtower(options: TownOptions = {}): Promise<Watchtower> {
  const town = await startTown({ policy: watchedPolicy, watched: true, ...options })
  const redis = new Redis(inject('redisUrl'))
  const key = (name: string): string => `{${town.prefix}:default}:${name}`
  let before = ''

  async function looked(): Promise<void> {
    for (;;) {
      const [kept, turn] = await Promise.all([redis.hgetall(key('readings')), redis.exists(key('pursuits:turn:watch'))])
      const text = JSON.stringify(kept)
      if (turn === 0 && text !== '{}' && text !== before) {
        before = text
        return
      }
      await wait(15)
    }
  }

  await looked()
  return {
    town,
    async looks(...minutes) {
      for (const some of minutes) {
        await town.minutesPass(some)
        await looked()
      }
    },
    async stop() {
      redis.disconnect()
      await town.stop()
    },
  }
}
