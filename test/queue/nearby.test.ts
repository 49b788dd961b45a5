import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { createWorkers } from '../../src/adapters/queue/worker.ts'
import { tagOf } from '../../src/adapters/redis/connection/keys.ts'
import type { Request } from '../../src/core/model/request.ts'
import type { Lease } from '../../src/core/ports/request-store.ts'
import type { Log, Received } from '../../src/core/ports/services.ts'
import { newRequest } from '../store/support.ts'

const request = newRequest()
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
  const leases: (Lease | undefined)[] = []
  let letGo = (): void => undefined
  const free = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const log: Log = { info: () => undefined, error: () => undefined, warn: (_, message) => void warned.push(message) }
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null })
  const running = createWorkers(redis, tag, {
    clock: { monotonic: () => 7 },
    log,
    async advance(id, lease) {
      ids.push(id)
      leases.push(lease)
      if (id.startsWith('long')) await free
      if (id === 'bad') throw new Error('A fault of ours.')
    },
  })
  /** Whether there was a hand for it. */
  function takeUp({ id, kind }: Pick<Request, 'id' | 'kind'>, storing: Promise<Received>, written?: Request): boolean {
    const hand = running.offer(kind)
    hand?.take(id, storing, written)
    return hand !== null
  }
  onTestFinished(async () => {
    letGo()
    await running.close()
    redis.disconnect()
  })
  return { ids, leases, letGo, running, takeUp }
}

test('What has just come in is taken up when it is stored, and not before', async () => {
  const { ids, takeUp } = workers()
  let store: (received: Received) => void = () => undefined
  const storing = new Promise<Received>((resolve) => {
    store = resolve
  })
  expect(takeUp({ id: 'r1', kind: 'operation' }, storing)).toBe(true)
  expect(takeUp({ id: 'r2', kind: 'operation' }, stored)).toBe(true)
  await expect.poll(() => ids).toEqual(['r2'])
  store({ kind: 'stored', workers: true })
  await expect.poll(() => ids).toEqual(['r2', 'r1'])
})

const answers: { readonly [Kind in Received['kind']]: Received } = {
  stored: { kind: 'stored', workers: true },
  known: { kind: 'known', workers: true },
  perhaps: { kind: 'perhaps' },
  gone: { kind: 'gone' },
  nothing: { kind: 'nothing', why: 'away' },
  refused: { kind: 'refused', why: 'person' },
}

test.each<[Received['kind'], readonly string[]]>([
  ['stored', ['r1', 'later']],
  ['known', ['r1', 'later']],
  ['perhaps', ['r1', 'later']],
  ['gone', ['later']],
  ['nothing', ['later']],
  ['refused', ['later']],
])('What is %s there takes up %j', async (kind, expected) => {
  const { ids, takeUp } = workers()
  const answer = answers[kind]
  takeUp({ id: 'r1', kind: 'operation' }, Promise.resolve(answer))
  takeUp({ id: 'later', kind: 'operation' }, stored)
  await expect.poll(() => ids).toContain('later')
  expect(ids).toEqual(expected)
})

test.each<[Received['kind'], boolean]>([
  ['stored', true],
  ['known', false],
  ['perhaps', false],
])('What is %s is taken up under the lease of the hand, and read first unless just stored', async (kind, sure) => {
  const { leases, running } = workers()
  const answer = answers[kind]
  const hand = running.offer('operation')
  hand?.take('r1', Promise.resolve(answer), request)
  await expect.poll(() => leases).toEqual([{ ...hand?.lease, ...(sure && { written: request }) }])
  expect(hand?.lease).toMatchObject({ since: 7 })
  expect(running.offer('operation')?.lease.token).not.toBe(hand?.lease.token)
})

test('An answer to a request that is there already is taken up by reading that', async () => {
  const { leases, running } = workers()
  const hand = running.offer('operation')
  hand?.take('r1', stored)
  await expect.poll(() => leases).toEqual([hand?.lease])
})

test('When its hands are full of changes it takes up no more of them, but still a query', async () => {
  const { ids, letGo, takeUp } = workers()
  const taken = Array.from({ length: 25 }, (_, at) => takeUp({ id: `long-${at}`, kind: 'operation' }, stored))
  expect(taken.filter(Boolean)).toHaveLength(20)
  expect(taken.slice(20)).toEqual(Array(5).fill(false))
  expect(takeUp({ id: 'q1', kind: 'query' }, stored)).toBe(true)
  await expect.poll(() => ids).toContain('q1')
  letGo()
  await expect.poll(() => takeUp({ id: 'next', kind: 'operation' }, stored)).toBe(true)
})

test('A fault, at the storing or at the work, is logged and leaves the hand free', async () => {
  const { ids, takeUp } = workers()
  for (let at = 0; at < 20; at++) {
    const fault = Promise.reject<Received>(new Error('The storage broke.'))
    takeUp(
      at % 2 === 0 ? { id: 'bad', kind: 'operation' } : { id: 'unstored', kind: 'operation' },
      at % 2 === 0 ? stored : fault,
    )
    fault.catch(() => undefined)
  }
  await expect.poll(() => warned).toHaveLength(20)
  expect(new Set(warned)).toEqual(new Set(['what has just come in could not be taken up']))
  expect(ids).toEqual(Array(10).fill('bad'))
  await expect.poll(() => takeUp({ id: 'next', kind: 'operation' }, stored)).toBe(true)
})

test('While it closes it takes up nothing, and what it has taken up comes to rest first', async () => {
  const { ids, letGo, running, takeUp } = workers()
  takeUp({ id: 'long', kind: 'operation' }, stored)
  await expect.poll(() => ids).toEqual(['long'])
  let closed = false
  const closing = running.close().then(() => {
    closed = true
  })
  expect(takeUp({ id: 'next', kind: 'operation' }, stored)).toBe(false)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(closed).toBe(false)
  letGo()
  await closing
  expect(ids).toEqual(['long'])
})

test('A hand that was given before it closes still takes up what it waits for, since that may be held already', async () => {
  const { ids, running } = workers()
  let store: (received: Received) => void = () => undefined
  const storing = new Promise<Received>((resolve) => {
    store = resolve
  })
  running.offer('operation')?.take('r1', storing)
  const closing = running.close()
  store({ kind: 'stored', workers: true })
  await closing
  expect(ids).toEqual(['r1'])
})
