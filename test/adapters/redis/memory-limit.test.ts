import { type Redis, ReplyError } from 'ioredis'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { measureRoom, roomCheck, watchRoom } from '../../../src/adapters/redis/connection/health.ts'
import type { Words } from '../../../src/core/model/words.ts'
import { createLog } from '../../../src/log.ts'
import { english, inEnglish } from '../../support/words.ts'
import { openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

function saying(text: string): Redis {
  return { info: async () => text } as unknown as Redis
}

function using(bytes: number, most: number): Redis {
  return saying(`# Memory\r\nused_memory:${bytes}\r\nused_memory_rss:1\r\nmaxmemory:${most}\r\nmaxmemory_human:0B\r\n`)
}

async function shareOf(redis: Redis): Promise<number | null> {
  const room = await measureRoom(redis)
  onTestFinished(() => room.stop())
  return room.share()
}

test('the share of memory in use refers to maxmemory, and is null if that is unset or not shown', async () => {
  expect(await shareOf(using(72, 100))).toBe(0.72)
  expect(await shareOf(using(72, 0))).toBeNull()
  const forbidding = { info: () => Promise.reject(new ReplyError('NOPERM no permissions to run info')) }
  expect(await shareOf(forbidding as unknown as Redis)).toBeNull()
})

test('memory is measured every 15 s, one query at a time', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answers: ((text: string) => void)[] = []
  const info = vi.fn(() => new Promise<string>((answer) => answers.push(answer)))
  const measuring = measureRoom({ info } as unknown as Redis)
  answers.at(-1)?.('used_memory:50\r\nmaxmemory:100\r\n')
  const room = await measuring
  onTestFinished(() => room.stop())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(info).toHaveBeenCalledTimes(2)
  answers.at(-1)?.('used_memory:90\r\nmaxmemory:100\r\n')
  await vi.advanceTimersByTimeAsync(15_000)
  expect(room.share()).toBe(0.9)
  expect(info).toHaveBeenCalledTimes(3)
})

test('doctor shows memory use, and from 70% on says what to do', async () => {
  expect(inEnglish(await roomCheck(using(69, 100)))).toEqual({
    name: 'Memory',
    well: true,
    says: '69% of maxmemory is in use.',
  })
  expect(inEnglish(await roomCheck(using(70, 100)))).toMatchObject({
    well: false,
    says: ['70% of maxmemory is in use.', expect.stringMatching(/^Raise maxmemory, .*At 85%/)],
  })
  expect(inEnglish(await roomCheck(saying('')))).toMatchObject({ well: true })
})

test('one of two workers announces once that memory is at 70%, and once that it is below 60%', async () => {
  const told: string[] = []
  const announce = async (says: readonly Words[]) => void told.push(says.map(english).join('\n'))
  const worker = { announce, project: 'default', log: createLog({ level: 'silent' }) }
  async function all(share: number | null): Promise<readonly string[]> {
    await Promise.all([1, 2].map(() => watchRoom(worker, share, fixture.redis, fixture.keys)))
    return told.splice(0)
  }
  expect(await all(0.69)).toEqual([])
  expect(await all(0.71)).toEqual([
    expect.stringMatching(/^Redis is nearly full: 71% of its maxmemory is in use\. Raise/),
  ])
  for (const share of [0.9, 0.69, 0.61, null, 0.7]) expect(await all(share)).toEqual([])
  expect(await all(0.59)).toEqual(['Redis has room again: 59% of its maxmemory is in use.'])
  expect(await all(0.5)).toEqual([])
  expect(await all(0.7)).toHaveLength(1)
})

test('another worker announces full memory if the first one dies before it does', async () => {
  const mark = `${fixture.keys.doctor}:full`
  let life = 0
  async function announce(): Promise<undefined> {
    life = await fixture.redis.pttl(mark)
  }
  await watchRoom(
    { announce, project: 'default', log: createLog({ level: 'silent' }) },
    0.9,
    fixture.redis,
    fixture.keys,
  )
  expect(life).toBeGreaterThan(0)
  expect(await fixture.redis.pttl(mark)).toBe(-1)
})
