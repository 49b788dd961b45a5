import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Keys, keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { inflated, type Signer, signerFor } from '../../src/adapters/redis/integrity/sign.ts'
import type { Press, Request } from '../../src/core/model/request.ts'
import { sends } from '../support/ends.ts'
import { asks, policyApplied } from '../support/ops.ts'
import { type Part, policyOf, startTown, type Town } from '../support/town.ts'

/*
 * An attacker can write anything to Redis and knows the code, but has no key. They can stop the bot, but must not
 * make it call the platform with anything that nobody requested.
 */

const key = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const endpoints = [
  { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 },
  { id: 'ep-tts', name: 'my-tts', active: false, replicas: 1 },
  { id: 'ep-asr', name: 'my-asr', active: true, replicas: 1 },
] as const

let town: Town
let worker: Part
let redis: Redis
let keys: Keys
/** Signs as somebody without a key can. */
let forger: Signer
beforeEach(async () => {
  town = await startTown({ env: key, endpoints, roles: ['bot'] })
  worker = await town.begin('worker')
  redis = new Redis(inject('redisUrl'))
  const tag = tagOf(town.prefix, 'default')
  keys = keysOf(tag)
  forger = signerFor({}, tag)
})
afterEach(async () => {
  redis.disconnect()
  await town.stop()
})

const ana = () => town.slack.as('U0ANA')

/** ana requests a stop of my-llm, which waits for an answer. */
async function asked(): Promise<Request> {
  await asks(ana(), 'stop my-llm', '[Leave it running]')
  return atRest()
}

/** Returns the newest request once it is waiting and its lease is released. */
async function atRest(): Promise<Request> {
  await expect.poll(async () => (await newest()).status).toBe('awaiting')
  const request = await newest()
  await expect.poll(() => redis.exists(keys.lease(request.id))).toBe(0)
  return request
}

/** ana presses the button if it is still there. */
async function pressIfAsked(): Promise<void> {
  if (town.slack.transcript('ops').includes('[Stop my-llm]')) await ana().presses('Stop my-llm', { in: 'ops' })
}

async function newest(): Promise<Request> {
  const names = await redis.keys(keys.request('*'))
  const all = await Promise.all(names.map(async (name) => requestIn((await redis.hget(name, 'text'))!)))
  return all.toSorted((a, b) => b.receivedAt - a.receivedAt)[0]!
}

function requestIn(stored: string): Request {
  return JSON.parse(inflated(stored.slice(43))) as Request
}

/** Makes the worker look at every request, several times. */
async function look(): Promise<void> {
  for (let times = 0; times < 8; times += 1) {
    const ids = (await redis.keys(keys.request('*'))).map((name) => name.split(':').at(-1)!)
    for (const id of ids) await redis.zadd(keys.wake, 1, id).catch(() => undefined)
    await town.minutesPass(0.1)
    await wait(60)
  }
}

/** Writes the changed request with its old signature, and a copy of it signed without a key. */
async function rewrite(request: Request, change: Partial<Request>): Promise<void> {
  const [next, version] = [{ ...request, ...change }, Number(await redis.hget(keys.request(request.id), 'version'))]
  const mac = (await redis.hget(keys.request(request.id), 'text'))!.slice(0, 43)
  const aside = { ...next, id: `${request.id.slice(0, 21)}x` }
  await redis.hset(keys.request(request.id), 'text', mac + JSON.stringify(next))
  const text = forger.sign(['request', aside.id, version], JSON.stringify(aside))
  await redis.hset(keys.request(aside.id), { version, text })
}

function pressOn(request: Request, user: string): Press {
  const actor = { team: request.actor.team, user }
  return { id: `forged-${user}`, request: request.id, ask: 1, yes: true, actor, channel: 'C0OPS', at: town.clock.now() }
}

describe('Full write access to Redis can’t make the bot act', () => {
  test.each([
    ['unsigned', (_: Request, press: string) => press],
    ['signed without a key', (request: Request, press: string) => forger.sign(['press', request.id], press)],
  ])('on a forged answer, %s, which blocks all changes', async (_, signed) => {
    const request = await asked()
    await redis.rpush(keys.presses(request.id), signed(request, JSON.stringify(pressOn(request, 'U0BEN'))))
    await look()
    expect(sends(town)).toEqual([])
    await asks(ana(), 'start my-tts', 'All changes are blocked')
    expect(sends(town)).toEqual([])
  })

  test('on an answer given to another question', async () => {
    const request = await asked()
    await asks(ana(), 'stop my-asr', 'Stop my-asr?')
    const other = await atRest()
    await worker.stop()
    await ana().presses('Stop my-asr', { in: 'ops' })
    const given = await redis.lrange(keys.presses(other.id), 0, -1)
    expect(given).toHaveLength(1)
    await redis.rpush(keys.presses(request.id), given[0]!)
    await redis.del(keys.presses(other.id))
    await town.begin('worker')
    await look()
    expect(sends(town)).toEqual([])
  })

  test('on a refused answer that is repeated once its person has the role', async () => {
    await asks(ana(), 'protect my-llm', 'Protected my-llm')
    await asks(ana(), 'stop my-llm', '[Approve: Stop my-llm]')
    const request = await atRest()
    await worker.stop()
    await town.slack.as('U0CLEO').presses('Approve: Stop my-llm', { in: 'ops' })
    const given = await redis.lrange(keys.presses(request.id), 0, -1)
    expect(given).toHaveLength(1)
    worker = await town.begin('worker')
    await town.slack.as('U0CLEO').sees('Only someone with the approver role', { in: 'ops' })
    await policyApplied(
      town,
      policyOf('\n    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0CLEO] }'),
    )
    await redis.rpush(keys.presses(request.id), given[0]!)
    await look()
    expect(sends(town)).toEqual([])
    expect((await atRest()).votes ?? []).toEqual([])
    expect(await redis.llen(keys.presses(request.id))).toBe(0)
  })

  const forged: readonly [string, (request: Request) => Partial<Request>][] = [
    ['a decision', ({ actor }) => ({ status: 'running', decision: { by: actor, at: town.clock.now(), yes: true } })],
    ['votes', ({ actor }) => ({ votes: [{ by: { ...actor, user: 'U0BEN' }, at: town.clock.now() }] })],
    ['a requirement', () => ({ requirement: 'nothing', status: 'received', nextAt: 0 })],
    ['another plan', ({ plan = [] }) => ({ plan: plan.map((step) => ({ ...step, says: 'start' })) })],
    ['another line', () => ({ line: 'start my-tts', status: 'received', nextAt: 0 })],
    ['another endpoint', () => ({ endpoint: { id: 'ep-asr', name: 'my-asr' } })],
    ['another requester', ({ actor }) => ({ actor: { ...actor, user: 'U0BEN' } })],
  ]
  test.each(forged)('on %s written into an open or a new request', async (_, change) => {
    const request = await asked()
    const changed = change(request)
    const running = {
      startedAt: town.clock.now(),
      nextAt: 0,
      progress: (request.plan ?? []).map(() => ({ sends: [], looks: [] })),
    }
    await rewrite(request, { ...running, ...changed })
    await look()
    await pressIfAsked()
    await look()
    expect(sends(town)).toEqual([])
  })

  test('unless the attacker has the key, so these forgeries would work if they were trusted', async () => {
    const request = await asked()
    const signer = signerFor(town.configFor('worker'), tagOf(town.prefix, 'default'))
    const decision = { by: request.actor, at: town.clock.now(), yes: true }
    const progress = (request.plan ?? []).map(() => ({ sends: [], looks: [] }))
    const next = JSON.stringify({
      ...request,
      status: 'running',
      decision,
      startedAt: town.clock.now(),
      nextAt: 0,
      progress,
    })
    const version = Number(await redis.hget(keys.request(request.id), 'version'))
    await redis.hset(keys.request(request.id), 'text', signer.sign(['request', request.id, version], next))
    await look()
    expect(sends(town)).toEqual(['stopEndpoint'])
  })

  test.each([
    ['unsigned', (names: string) => names],
    ['signed without a key', (names: string) => forger.sign(['names'], names)],
  ])('on a name that points to another endpoint, %s', async (_, signed) => {
    await asks(ana(), 'list', '3 endpoints')
    await town.calm()
    const endpoints = [{ id: 'ep-tts', name: 'my-llm', active: true }]
    await redis.set(keys.names, signed(JSON.stringify({ at: town.clock.now() + 60_000, endpoints })))
    await ana().types('ops', '/endpoint start my-llm')
    await look()
    expect(sends(town)).toEqual([])
  })

  test('on ids that point elsewhere', async () => {
    const request = await asked()
    await redis.set(keys.done('ep-tts'), request.id)
    await redis.set(keys.lock('ep-asr'), request.id)
    await ana().types('ops', '/endpoint undo my-tts')
    await ana().types('ops', '/endpoint cancel my-asr')
    await look()
    expect(sends(town)).toEqual([])
  })

  test.each([
    ['while the worker that did it runs', false],
    ['once all have been started again', true],
  ])('again on a restored request that was already carried out, %s', async (_, again) => {
    const request = await asked()
    const before = await redis.hgetall(keys.request(request.id))
    await worker.stop()
    await ana().presses('Stop my-llm', { in: 'ops' })
    const presses = await redis.lrange(keys.presses(request.id), 0, -1)
    let after = await town.begin('worker')
    await ana().sees('Stopped my-llm.', { in: 'ops' })
    await town.calm()
    if (again) await after.stop()
    town.platform.console.start('ep-llm')
    await redis.del(keys.request(request.id), keys.lease(request.id), keys.lock('ep-llm'))
    for (const name of await redis.keys(keys.press('*'))) await redis.del(name)
    await redis.hset(keys.request(request.id), before)
    await redis.rpush(keys.presses(request.id), ...presses)
    if (again) after = await town.begin('worker')
    await look()
    expect(sends(town)).toEqual(['stopEndpoint'])
    await after.stop()
  })

  test('again on a restored line that was already carried out', async () => {
    await worker.stop()
    await ana().types('ops', '/endpoint start my-tts')
    const [name] = await redis.keys(keys.request('*'))
    const received = await redis.hgetall(name!)
    const first = await town.begin('worker')
    await ana().sees('Started my-tts', { in: 'ops' })
    await town.calm()
    await first.stop()
    town.platform.console.stop('ep-tts')
    await redis.del(name!)
    await redis.hset(name!, received)
    await town.begin('worker')
    await look()
    expect(sends(town)).toEqual(['startEndpoint'])
    await ana().sees('All changes in project default are blocked', { in: 'ops' })
  })

  test('on an endpoint whose protection was removed', async () => {
    await asks(ana(), 'protect my-llm', 'my-llm')
    await town.calm()
    const field = 'protection:ep-llm'
    expect(await redis.hexists(keys.records, field)).toBe(1)
    for (const remove of [
      () => redis.hdel(keys.records, field),
      () => redis.del(keys.root),
      () => redis.del(keys.records),
    ]) {
      await remove()
      await worker.stop()
      worker = await town.begin('worker')
      await ana().types('ops', '/endpoint stop my-llm')
      await look()
      await pressIfAsked()
      await look()
    }
    expect(sends(town)).toEqual([])
    await ana().sees('All changes in project default are blocked', { in: 'ops' })
  })

  test('or send an answer to another address', async () => {
    const hits: string[] = []
    const server = createServer((asking, answer) => {
      hits.push(asking.url ?? '')
      answer.end('ok')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    await worker.stop()
    await ana().types('ops', '/endpoint list')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const [reply] = await redis.keys(keys.reply('*'))
    await redis.set(reply!, address)
    await town.begin('worker')
    await ana().sees('3 endpoints', { in: 'ops' })
    expect(hits).toEqual([])
  })

  test('with any value in any key', async () => {
    await ana().types('ops', '/endpoint protect my-asr')
    const request = await asked()
    const all = (await redis.keys('*')).filter((name) => name.startsWith(`{${town.prefix}:default}`))
    expect(all.length).toBeGreaterThan(10)
    for (const name of all) await spoil(name, request)
    await look()
    await worker.stop()
    // It may refuse to start on such data.
    await town.begin('worker').catch(() => undefined)
    await look()
    expect(sends(town)).toEqual([])
  })
})

/** Adds a forgery to a key or replaces its value, whatever its type. */
async function spoil(name: string, request: Request): Promise<void> {
  const forgery = JSON.stringify({ ...request, status: 'running', line: 'start my-tts' })
  switch (await redis.type(name)) {
    case 'string':
      return void (await redis.set(name, forgery))
    case 'hash':
      for (const field of await redis.hkeys(name)) await redis.hset(name, field, field === 'version' ? '2' : forgery)
      return
    case 'list':
      return void (await redis.rpush(name, forgery))
    case 'zset':
      return void (await redis.zadd(name, 1, request.id, 1, 'forged'))
    case 'set':
      return void (await redis.sadd(name, forgery))
    case 'stream':
      return void (await redis.xadd(name, '*', 'text', forgery))
    default:
  }
}
