import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { signerFor } from '../../../src/adapters/redis/integrity/sign.ts'
import { Tampered } from '../../../src/core/ports/services.ts'
import { again, claimed, newPress, newRequest, openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

const [first, second] = [randomBytes(32), randomBytes(32)]
const keyed = (...secrets: readonly Buffer[]) => fixture.store({ secrets })
const endpoint = { id: 'ep-llm', name: 'my-llm' }

describe('A signed text', () => {
  test('verifies only as what it was signed as', () => {
    const signer = fixture.signer([first])
    const stored = signer.sign(['press', 'r1'], 'yes')
    expect(signer.read(['press', 'r1'], stored)).toBe('yes')
    for (const other of [['press', 'r2'], ['request', 'r1'], ['press', 'r1', 1], ['press']] as const)
      expect(() => signer.read(other, stored)).toThrow(Tampered)
    const elsewhere = signerFor({ key: { current: { reveal: () => first }, earlier: [] } }, '{lamplighter:other}')
    expect(() => elsewhere.read(['press', 'r1'], stored)).toThrow(Tampered)
  })

  test('is rejected with any byte changed, added or removed', async () => {
    const store = keyed(first)
    const request = newRequest({ line: 'stop “my-llm”' })
    await store.receive(request, undefined)
    const key = fixture.keys.request(request.id)
    const stored = (await fixture.redis.hgetBuffer(key, 'text'))!
    const forged = [...stored.keys()].map((at) => {
      const bytes = Buffer.from(stored)
      bytes[at] = bytes[at]! ^ 1
      return bytes
    })
    for (const text of [
      ...forged,
      stored.subarray(1),
      stored.subarray(0, -1),
      Buffer.concat([stored, stored.subarray(-1)]),
    ]) {
      await fixture.redis.hset(key, 'text', text)
      await expect(keyed(first).load(request.id)).rejects.toThrow(Tampered)
    }
    await fixture.redis.hset(key, 'text', stored)
    expect(await keyed(first).load(request.id)).toEqual(request)
  })

  test('of the previous key is accepted only while both keys are configured', async () => {
    const request = newRequest()
    await keyed(first).receive(request, undefined)
    expect(await keyed(second, first).load(request.id)).toEqual(request)
    await expect(keyed(second).load(request.id)).rejects.toThrow(Tampered)
    const claim = await again(keyed(second, first), request)
    await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'running' }])
    expect(await keyed(second).load(request.id)).toMatchObject({ status: 'running' })
    await expect(keyed(first).load(request.id)).rejects.toThrow(Tampered)
  })

  test('that was signed without a key is rejected once there is a key', async () => {
    const request = newRequest()
    await fixture.store().receive(request, undefined)
    await expect(keyed(first).load(request.id)).rejects.toThrow(Tampered)
  })
})

describe('A request', () => {
  test('whose text is restored while it is claimed is rejected when that worker reads it again', async () => {
    const store = keyed(first)
    const request = newRequest()
    const claim = await claimed(store, request)
    const key = fixture.keys.request(request.id)
    const old = await fixture.redis.hgetall(key)
    await claim.move({ ...request, nextAt: 5 }, [])
    await fixture.redis.hset(key, old)
    await expect(claim.refresh()).rejects.toThrow('put back')
  })

  test('is rejected in place of another request or under another version number', async () => {
    const store = keyed(first)
    const [mine, other] = [newRequest(), newRequest()]
    await store.receive(mine, undefined)
    await store.receive(other, undefined)
    await fixture.redis.hset(fixture.keys.request(mine.id), await fixture.redis.hgetall(fixture.keys.request(other.id)))
    await expect(store.load(mine.id)).rejects.toThrow(Tampered)
    await fixture.redis.hincrby(fixture.keys.request(other.id), 'version', 1)
    await expect(store.load(other.id)).rejects.toThrow(Tampered)
  })

  test('that is rejected is set aside, is never due again and holds no endpoint', async () => {
    const store = keyed(first)
    const request = newRequest({ endpoint })
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }], { lock: 'take' })
    await claim.release(fixture.now)
    const forged = JSON.stringify({ ...request, status: 'running', line: 'stop other' })
    await fixture.redis.hset(fixture.keys.request(request.id), 'text', `${'A'.repeat(43)}${forged}`)
    await expect(store.claim(request.id)).rejects.toThrow(Tampered)
    expect(await store.load(request.id)).toBeNull()
    expect(await store.due(fixture.now + 1e9, 10)).toEqual([])
    expect(await store.holderOf(endpoint.id)).toBeNull()
    expect(await fixture.redis.hget(fixture.keys.aside(request.id), 'text')).toContain('stop other')
  })

  test('with a forged press is set aside', async () => {
    const store = keyed(first)
    const request = newRequest()
    await store.receive(request, undefined)
    await fixture.redis.rpush(fixture.keys.presses(request.id), JSON.stringify(newPress(request)))
    await expect(store.claim(request.id)).rejects.toThrow(Tampered)
  })
})

describe('Forged data', () => {
  async function done(id: string, about: { readonly id: string; readonly name: string }) {
    const plan = [{ says: 'stop', call: { method: 'post', path: '/stop' }, goal: 'stopped', repeatable: true }] as const
    const request = newRequest({ id, endpoint: about, plan })
    const claim = await claimed(keyed(first), request)
    await claim.move({ ...request, status: 'running' }, [{ at: 1, what: 'moved' }], { lock: 'take' })
    await claim.move({ ...request, status: 'succeeded' }, [{ at: 1, what: 'moved' }])
  }
  const other = { id: 'ep-tts', name: 'my-tts' }

  test('does not redirect an endpoint’s last change or its lock to another request', async () => {
    await done('r1', endpoint)
    await done('r2', other)
    const store = keyed(first)
    expect(await store.lastDone(endpoint.id)).toMatchObject({ id: 'r1' })
    await fixture.redis.set(fixture.keys.done(endpoint.id), 'r2')
    await expect(store.lastDone(endpoint.id)).rejects.toThrow('something else')
    await fixture.redis.set(fixture.keys.lock(endpoint.id), 'r2')
    await expect(store.holderOf(endpoint.id)).rejects.toThrow('something else')
    const third = newRequest({ endpoint })
    const claim = await claimed(store, third)
    await expect(
      claim.move({ ...third, status: 'running' }, [{ at: 1, what: 'moved' }], { lock: 'take' }),
    ).rejects.toThrow(Tampered)
  })

  test('is rejected in every other signed text', async () => {
    const store = keyed(first)
    const { redis, keys } = fixture
    const request = newRequest()
    await store.receive(request, 'https://hooks.example/1')
    expect(await store.replyUrlOf(request.id)).toBe('https://hooks.example/1')
    await redis.set(keys.reply(request.id), 'https://elsewhere.example')
    await redis.set(keys.names, JSON.stringify({ at: fixture.now, endpoints: [{ id: 'ep-tts', name: 'my-llm' }] }))
    await redis.set(keys.settings('ep-llm'), JSON.stringify({ id: 'ep-llm' }))
    await redis.set(keys.hint, 'replicas')
    await redis.set(keys.file('q1:0'), 'lines')
    await redis.hset(keys.request(request.id), 'posts', '{}')
    const reading = [
      store.replyUrlOf(request.id),
      store.names(),
      store.settingsOf('ep-llm'),
      store.hint(),
      store.fileOf('q1', 0),
      store.postsOf(request.id),
      store.claim(request.id),
    ]
    const outcomes = await Promise.allSettled(reading)
    expect(outcomes.map((one) => one.status === 'rejected' && one.reason instanceof Tampered)).toEqual(
      reading.map(() => true),
    )
  })
})
