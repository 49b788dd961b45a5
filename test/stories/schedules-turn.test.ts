import { Redis } from 'ioredis'
import { expect, inject, onTestFinished, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { asks } from '../support/ops.ts'
import { startTown } from '../support/town.ts'

test('A rule made while another worker checks the rules is checked right afterwards', async () => {
  const town = await startTown()
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(async () => {
    redis.disconnect()
    await town.stop()
  })
  const ana = town.slack.as('U0ANA')
  const turn = `{${town.prefix}:default}:pursuits:turn:rules`
  await redis.set(turn, 'of another worker', 'PX', 60_000)
  await asks(ana, 'start my-tts for 4h', 'Starting my-tts until')
  expect(effects(town)).toEqual([])
  await redis.del(turn)
  await ana.sees('Started my-tts to run until', { in: 'ops' })
})
