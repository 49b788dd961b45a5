import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import type { Log, Received } from '../../src/lifecycle/ports.ts'
import { createWorkers } from '../../src/queue/worker.ts'
import { tagOf } from '../../src/store/keys.ts'

const stored: Promise<Received> = Promise.resolve({ kind: 'stored', workers: true })

let tag: string
let warned: string[]
beforeEach(() => {
  tag = tagOf(`t${randomBytes(6).toString('hex')}`, 'default')
  warned = []
})

/** Workers whose work goes on until it is let go, and what they have begun. */
function workers() {
  const ids: string[] = []
  let letGo = (): void => undefined
  const free = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const log: Log = { info: () => undefined, error: () => undefined, warn: (_, message) => void warned.push(message) }
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null })
  const running = createWorkers(redis, tag, log, async (id) => {
    ids.push(id)
    if (id.startsWith('long')) await free
    if (id === 'bad') throw new Error('A fault of ours.')
  })
  onTestFinished(async () => {
    letGo()
    await running.close()
    redis.disconnect()
  })
  return { ids, letGo, running }
}

test('What has just come in is taken up when it is stored, and not before', async () => {
  const { ids, running } = workers()
  let store: (received: Received) => void = () => undefined
  const storing = new Promise<Received>((resolve) => {
    store = resolve
  })
  expect(running.takeUp({ id: 'r1', kind: 'operation' }, storing)).toBe(true)
  expect(running.takeUp({ id: 'r2', kind: 'operation' }, stored)).toBe(true)
  await expect.poll(() => ids).toEqual(['r2'])
  store({ kind: 'stored', workers: true })
  await expect.poll(() => ids).toEqual(['r2', 'r1'])
})

test.each<[Received['kind'], readonly string[]]>([
  ['stored', ['r1', 'later']],
  ['known', ['r1', 'later']],
  ['perhaps', ['r1', 'later']],
  ['gone', ['later']],
  ['nothing', ['later']],
])('What is %s there takes up %j', async (kind, expected) => {
  const { ids, running } = workers()
  const answer: Received = kind === 'stored' || kind === 'known' ? { kind, workers: true } : { kind }
  running.takeUp({ id: 'r1', kind: 'operation' }, Promise.resolve(answer))
  running.takeUp({ id: 'later', kind: 'operation' }, stored)
  await expect.poll(() => ids).toContain('later')
  expect(ids).toEqual(expected)
})

test('When its hands are full of changes it takes up no more of them, but still a query', async () => {
  const { ids, letGo, running } = workers()
  const taken = Array.from({ length: 25 }, (_, at) => running.takeUp({ id: `long-${at}`, kind: 'operation' }, stored))
  expect(taken.filter(Boolean)).toHaveLength(20)
  expect(taken.slice(20)).toEqual(Array(5).fill(false))
  expect(running.takeUp({ id: 'q1', kind: 'query' }, stored)).toBe(true)
  await expect.poll(() => ids).toContain('q1')
  letGo()
  await expect.poll(() => running.takeUp({ id: 'next', kind: 'operation' }, stored)).toBe(true)
})

test('A fault, at the storing or at the work, is logged and leaves the hand free', async () => {
  const { ids, running } = workers()
  for (let at = 0; at < 20; at++) {
    const fault = Promise.reject<Received>(new Error('The storage broke.'))
    running.takeUp(
      at % 2 === 0 ? { id: 'bad', kind: 'operation' } : { id: 'unstored', kind: 'operation' },
      at % 2 === 0 ? stored : fault,
    )
    fault.catch(() => undefined)
  }
  await expect.poll(() => warned).toHaveLength(20)
  expect(new Set(warned)).toEqual(new Set(['what has just come in could not be taken up']))
  expect(ids).toEqual(Array(10).fill('bad'))
  await expect.poll(() => running.takeUp({ id: 'next', kind: 'operation' }, stored)).toBe(true)
})

test('While it closes it takes up nothing, and what it has taken up comes to rest first', async () => {
  const { ids, letGo, running } = workers()
  running.takeUp({ id: 'long', kind: 'operation' }, stored)
  await expect.poll(() => ids).toEqual(['long'])
  let closed = false
  const closing = running.close().then(() => {
    closed = true
  })
  expect(running.takeUp({ id: 'next', kind: 'operation' }, stored)).toBe(false)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(closed).toBe(false)
  letGo()
  await closing
  expect(ids).toEqual(['long'])
})
