import { beforeEach, describe, expect, test } from 'vitest'
import { beat } from '../../src/store/heartbeat.ts'
import { claimed, type House, newPress, newRequest, openHouse } from './support.ts'

let house: House
beforeEach(() => {
  house = openHouse()
})

/** Everything of the project that is stored, by what it is: `request`, `wake`. */
async function kinds(): Promise<readonly string[]> {
  const found = await house.redis.keys(`${house.tag}*`)
  return found.map((key) => key.slice(house.tag.length + 1).split(':')[0] ?? '').toSorted((a, b) => (a < b ? -1 : 1))
}

describe('A line that comes in', () => {
  test('is stored as it is', async () => {
    const store = house.store()
    const request = newRequest()
    expect(await store.receive(request, 'https://hooks.example/1')).toEqual({ kind: 'stored', workers: false })
    expect(await store.load(request.id)).toEqual(request)
    expect(await store.replyUrlOf(request.id)).toBe('https://hooks.example/1')
    expect(await kinds()).toEqual(['reply', 'request', 'wake'])
  })

  test('too late stores nothing: its sender has been told so', async () => {
    const late = house.store({ skew: -10_000 })
    const request = newRequest()
    expect(await late.receive(request, 'https://hooks.example/1')).toEqual({ kind: 'nothing' })
    expect(await kinds()).toEqual([])
  })

  test('is told whether anybody works', async () => {
    const store = house.store()
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'stored', workers: false })
    const silence = await beat(house.redis, house.keys, { role: 'worker', policy: () => 'v1' })
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'stored', workers: true })
    silence()
    expect(await house.redis.pttl(house.keys.heartbeat)).toBeGreaterThan(0)
  })

  test('is answered at its address for half an hour', async () => {
    const request = newRequest()
    await house.store().receive(request, 'https://hooks.example/1')
    const life = await house.redis.pttl(house.keys.reply(request.id))
    expect(life).toBeGreaterThan(29 * 60_000)
    expect(life).toBeLessThanOrEqual(30 * 60_000)
  })
})

describe('A press that comes in', () => {
  test('too late stores nothing', async () => {
    const request = newRequest()
    await house.store().receive(request, undefined)
    const press = newPress(request)
    expect(await house.store({ skew: -10_000 }).press(press, 'https://hooks.example/1')).toEqual({ kind: 'nothing' })
    expect(await kinds()).toEqual(['request', 'wake'])
    expect(await house.store().press(press, undefined)).toMatchObject({ kind: 'stored' })
  })

  test('on something nobody remembers stores nothing', async () => {
    expect(await house.store().press(newPress(newRequest()), undefined)).toEqual({ kind: 'gone' })
    expect(await kinds()).toEqual([])
  })

  test('is remembered for a day', async () => {
    const request = newRequest()
    await house.store().receive(request, undefined)
    const press = newPress(request)
    await house.store().press(press, undefined)
    const life = await house.redis.pttl(house.keys.press(press.id))
    expect(life).toBeGreaterThan(23 * 3_600_000)
    expect(life).toBeLessThanOrEqual(24 * 3_600_000)
  })
})

test('every key of a project carries its hash tag, so that all of them lie in one slot', async () => {
  const store = house.store()
  const request = newRequest({ endpoint: { id: 'ep-llm', name: 'my-llm' } })
  const held = await claimed(store, request)
  await store.press(newPress(request), 'https://hooks.example/1')
  await held.move({ ...request, status: 'running' }, [{ at: 1, what: 'running' }], { lock: 'take' })
  await store.rememberNames([], house.now)
  const prefix = house.tag.slice(1).split(':')[0] ?? ''
  const all = await house.redis.keys(`*${prefix}*`)
  expect(all.length).toBeGreaterThan(7)
  expect(all.filter((key) => !key.startsWith(`{${prefix}:default}:`))).toEqual([])
})
