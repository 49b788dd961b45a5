import { Redis } from 'ioredis'
import { afterEach, beforeEach, inject, test } from 'vitest'
import { keysOf, tagOf } from '../../src/store/keys.ts'
import { startTown, type Town } from '../support/town.ts'

/** ana is an admin, ben only operates. */
const policy = `
operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [user:U0BEN]
      admin: [user:U0ANA]
`

let town: Town
let redis: Redis
beforeEach(async () => {
  town = await startTown({ policy, env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  redis = new Redis(inject('redisUrl'))
})
afterEach(async () => {
  redis.disconnect()
  await town.stop()
})

test('a lockdown and a freeze stand in doctor, and the thaw that ends the one tells of the other', async () => {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await ana.types('ops', '/endpoint protect my-llm because="customers"')
  await ana.sees('Protected my-llm', { in: 'ops' })
  await ana.types('ops', '/endpoint freeze because="release week"')
  await ana.sees('Froze automation', { in: 'ops' })
  await ana.types('ops', '/endpoint doctor')
  await ana.sees('Automation is frozen until somebody thaws it.', { in: 'ops' })
  await town.calm()

  await redis.del(keysOf(tagOf(town.prefix, 'default')).root)
  await ana.types('ops', '/endpoint protect my-tts because="customers"')
  await ana.sees('All changes of project default are stopped', { in: 'ops' })
  await ana.types('ops', '/endpoint doctor')
  await ana.sees('An admin ends this with /endpoint thaw.', { in: 'ops' })
  await ben.types('ops', '/endpoint explain thaw')
  await ben.sees('only an admin ends that', { in: 'ops' })
  await ana.types('ops', '/endpoint thaw')
  await ana.sees('Ended the lockdown. Changes can be asked for again. Automation stays frozen', { in: 'ops' })
})
