import { beforeEach, describe, expect, test } from 'vitest'
import { beat } from '../../src/store/heartbeat.ts'
import { again, claimed, type House, newPress, newRequest, openHouse } from './support.ts'

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

  test('is one request, however often and wherever it is delivered', async () => {
    const doors = [house.store(), house.store(), house.store()]
    const request = newRequest()
    const times = Array.from({ length: 20 }, (_, at) => at)
    const found = await Promise.all(
      times.flatMap((at) =>
        doors.map((door, nth) => door.receive({ ...request, line: `stop ${at * 3 + nth}` }, undefined)),
      ),
    )
    expect(found.filter((one) => one.kind === 'stored')).toHaveLength(1)
    expect(found.filter((one) => one.kind === 'known')).toHaveLength(59)
    const first = found.findIndex((one) => one.kind === 'stored')
    expect(await house.store().load(request.id)).toEqual({ ...request, line: `stop ${first}` })
  })

  test('that comes again later takes nothing back', async () => {
    const store = house.store()
    const request = newRequest()
    const held = await claimed(store, request)
    await held.move({ ...request, status: 'running' }, [])
    expect(await store.receive(request, undefined)).toMatchObject({ kind: 'known' })
    expect(await store.load(request.id)).toMatchObject({ status: 'running' })
  })

  test('too late stores nothing: its sender has been told so', async () => {
    const late = house.store({ skew: -10_000 })
    const request = newRequest()
    expect(await late.receive(request, 'https://hooks.example/1')).toEqual({ kind: 'nothing' })
    expect(await kinds()).toEqual([])
  })

  test('too late that was stored in time is known', async () => {
    const request = newRequest()
    await house.store().receive(request, undefined)
    expect(await house.store({ skew: -10_000 }).receive(request, undefined)).toMatchObject({ kind: 'known' })
  })

  test('is told whether anybody works', async () => {
    const store = house.store()
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'stored', workers: false })
    const silence = await beat(house.redis, house.keys)
    expect(await store.receive(newRequest(), undefined)).toEqual({ kind: 'stored', workers: true })
    silence()
    expect(await house.redis.pttl(house.keys.heartbeat)).toBeGreaterThan(0)
  })

  test('is found by the sweep when its wake-up is lost, but not before a worker had its chance', async () => {
    const store = house.store()
    const request = newRequest()
    await store.receive(request, undefined)
    expect(await store.due(house.now + 2_999, 10)).toEqual([])
    expect(await store.due(house.now + 3_000, 10)).toEqual([request.id])
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
  test('is kept in the order of pressing, and once, however often it is delivered', async () => {
    const store = house.store()
    const request = newRequest()
    await store.receive(request, undefined)
    const presses = [newPress(request), newPress(request, { yes: false }), newPress(request)]
    for (const press of presses) {
      expect(await store.press(press, undefined)).toMatchObject({ kind: 'stored' })
      expect(await house.store().press(press, undefined)).toMatchObject({ kind: 'known' })
    }
    expect((await again(store, request)).presses).toEqual(presses)
  })

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

  test('makes the request due at once, however long it was to rest', async () => {
    const store = house.store()
    const request = newRequest()
    const held = await claimed(store, request)
    await held.release(house.now + 1_800_000)
    await store.press(newPress(request), undefined)
    expect(await store.due(house.now + 3_000, 10)).toEqual([request.id])
  })

  test('puts off nothing that is due before', async () => {
    const store = house.store()
    const request = newRequest()
    const held = await claimed(store, request)
    await held.release(house.now + 500)
    await store.press(newPress(request), undefined)
    expect(await store.due(house.now + 500, 10)).toEqual([request.id])
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
