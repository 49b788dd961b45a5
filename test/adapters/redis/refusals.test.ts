import { afterAll, beforeAll, expect, test } from 'vitest'
import { answersOf } from '../../../src/adapters/redis/connection/calls.ts'
import { connectDoor } from '../../../src/adapters/redis/connection/connect.ts'
import { storeChecks } from '../../../src/adapters/redis/connection/health.ts'
import { processesCheck } from '../../../src/adapters/redis/connection/heartbeat.ts'
import { createLog } from '../../../src/log.ts'
import { type Node, startNode } from '../../support/replicas.ts'
import { english, inEnglish } from '../../support/words.ts'
import { newPress, newRequest, openStore } from './support.ts'

let node: Node | null
beforeAll(async () => {
  node = await startNode()
})
afterAll(() => node?.stop())

test.for([
  ['is full', 'full', /OOM/, (of: Node) => of.redis.config('SET', 'maxmemory', '1')],
  ['is read-only', 'readonly', /READONLY/, (of: Node) => of.redis.replicaof('127.0.0.1', 1)],
] as const)('Redis that %s is reported, and logged once', async ([, why, words, breaks], { skip }) => {
  if (node === null) return skip('there is no real Redis on this machine')
  await node.redis.config('SET', 'maxmemory', '0')
  await node.redis.replicaof('NO', 'ONE')
  const lines: string[] = []
  const log = createLog({ stream: { write: (line) => void lines.push(line) } })
  const redis = connectDoor(node.server.url, log)
  await redis.connect()
  const store = openStore().store({ redis, log })
  const request = newRequest({ line: 'stop my-llm reason="of my own"' })
  expect(await store.receive(request, undefined)).toMatchObject({ kind: 'stored' })
  expect(await store.press(newPress(request), undefined)).toMatchObject({ kind: 'stored' })
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toMatchObject([
      { level: 'info', msg: 'accepted', request: request.id, kind: 'operation', verb: 'stop', by: request.actor.user },
      { level: 'info', msg: 'a press was accepted', request: request.id },
    ])

  const { keys } = openStore()
  expect(english((await processesCheck(node.redis, keys)).says)).toMatch(/No worker is running.* No bot is running/)

  await breaks(node)
  await expect(answersOf(node.redis.multi().set('any', 1))).rejects.toThrow(words)
  const refused: object[] = []
  for (let n = 0; n < 20; n += 1) {
    await expect.poll(() => redis.status).toBe('ready')
    refused.push(await store.receive(newRequest(), undefined))
  }
  expect(inEnglish(await processesCheck(node.redis, keys))).toMatchObject({
    well: false,
    says: 'I can’t tell what is running while writing to Redis fails.',
  })
  const checks = await storeChecks(node.redis, keys, 0, 0)
  expect(inEnglish(checks).find(({ name }) => english(name) === 'Storage')).toMatchObject({
    well: false,
    says: expect.stringMatching(words),
  })
  redis.disconnect()
  // The client reconnects when Redis is read-only; until it is connected, it answers `away`.
  expect(refused[0]).toEqual({ kind: 'nothing', why })
  for (const one of refused) expect([why, 'away']).toContain(Reflect.get(one, 'why'))
  const told = lines.slice(2).map((line) => JSON.parse(line))
  expect(told).toContainEqual(
    expect.objectContaining({ level: 'warn', why, request: expect.any(String), msg: 'Redis did not store this' }),
  )
  expect(told.length).toBeLessThanOrEqual(3)
  expect(lines.join('')).not.toMatch(/my-llm|of my own/)
})
