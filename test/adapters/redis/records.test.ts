import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { changed, noRecords, noRoot, recordsUnder } from '../../../src/adapters/redis/integrity/records.ts'
import { endpointKey, keyOf, type Protection } from '../../../src/core/model/records.ts'
import { type Store, Tampered } from '../../../src/core/ports/services.ts'
import { verdictInEnglish } from '../../support/words.ts'
import { claimed, connected, newRequest, openStore, type StoreFixture } from './support.ts'

const secrets = [randomBytes(32)]
const ana = { team: 'T0SANDBOX', user: 'U0ANA' }
const event = { at: 1, what: 'protected', by: ana }

function protecting(endpoint: string, because = 'because'): Protection {
  return { kind: 'protection', endpoint, by: ana, at: 1, because }
}

let fixture: StoreFixture
let store: Store
beforeEach(() => {
  fixture = openStore()
  store = fixture.store({ secrets })
})

describe('Records', () => {
  test('are visible to every process once written, with their audit entries', async () => {
    const other = fixture.store({ secrets })
    expect(await other.records()).toEqual(new Map())
    await store.write({ put: [protecting('ep-1'), protecting('ep-2')] }, [event])
    await other.write({ put: [protecting('ep-2', 'new')], drop: [endpointKey('protection', 'ep-1'), 'freeze'] }, [
      event,
    ])
    const records = new Map([[endpointKey('protection', 'ep-2'), protecting('ep-2', 'new')]])
    expect(await store.records()).toEqual(records)
    expect(await fixture.store({ secrets }).records()).toEqual(records)
    expect(await store.audit.head()).toMatchObject({ seq: 2 })
  })

  test('change together with a move or not at all', async () => {
    const request = newRequest()
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'running' }, [event], { change: { put: [protecting('ep-1')] } })
    expect([...(await store.records()).keys()]).toEqual([endpointKey('protection', 'ep-1')])
    await fixture.redis.del(fixture.keys.lease(request.id))
    await expect(
      claim.move({ ...request, status: 'succeeded' }, [event], {
        change: { drop: [endpointKey('protection', 'ep-1')] },
      }),
    ).rejects.toThrow()
    expect([...(await fixture.store({ secrets }).records()).keys()]).toEqual([endpointKey('protection', 'ep-1')])
    expect(await store.audit.head()).toMatchObject({ seq: 1 })
  })

  test('that others left unchanged stay the same objects', async () => {
    const other = fixture.store({ secrets })
    await store.write({ put: [protecting('ep-1'), protecting('ep-2')] }, [event])
    const before = await store.records()
    await other.write({ put: [protecting('ep-2', 'new'), protecting('ep-3')] }, [event])
    const after = await store.records()
    const same = [...after.keys()].filter((key) => after.get(key) === before.get(key))
    expect([after.size, same]).toEqual([3, [endpointKey('protection', 'ep-1')]])
  })

  test('of many writers at once are all kept', async () => {
    const writers = Array.from({ length: 8 }, () => fixture.store({ secrets }))
    const writes = writers.flatMap((writer, at) =>
      [0, 1, 2, 3, 4].map((n) => writer.write({ put: [protecting(`ep-${at}-${n}`)] }, [event])),
    )
    await Promise.all(writes)
    expect((await fixture.store({ secrets }).records()).size).toBe(40)
    expect(await store.audit.verify([])).toMatchObject({ well: true, head: { seq: 40 } })
  })

  test('stay the same map while nothing changes', async () => {
    await store.write({ put: [protecting('ep-1')] }, [event])
    expect(await store.records()).toBe(await store.records())
  })

  test('survive a change of keys: the next change signs all of them again', async () => {
    await store.write({ put: [protecting('ep-1'), protecting('ep-2')] }, [event])
    const next = randomBytes(32)
    const both = fixture.store({ secrets: [next, ...secrets] })
    await both.write({ drop: [endpointKey('protection', 'ep-2')], put: [protecting('ep-3')] }, [event])
    const records = [endpointKey('protection', 'ep-1'), endpointKey('protection', 'ep-3')]
    expect([...(await fixture.store({ secrets: [next] }).records()).keys()].toSorted()).toEqual(records)
    expect(await both.audit.verify([])).toMatchObject({ well: true, head: { seq: 2 } })
  })

  test('from before there was a key are accepted only while an empty old key is configured', async () => {
    await fixture.store().write({ put: [protecting('ep-1')] }, [event])
    const [key] = [randomBytes(32)]
    await expect(fixture.store({ secrets: [key] }).records()).rejects.toThrow(Tampered)
    expect((await fixture.store({ secrets: [key, Buffer.alloc(0)] }).records()).size).toBe(1)
  })

  const forgeries: readonly [string, () => Promise<unknown>][] = [
    ['one is deleted', () => fixture.redis.hdel(fixture.keys.records, endpointKey('protection', 'ep-1'))],
    ['all are deleted', () => fixture.redis.del(fixture.keys.records)],
    ['the root is deleted', () => fixture.redis.del(fixture.keys.root)],
    ['all and the root are deleted', () => fixture.redis.del(fixture.keys.records, fixture.keys.root)],
    [
      'one is invented',
      () =>
        fixture.redis.hset(fixture.keys.records, endpointKey('protection', 'ep-9'), JSON.stringify(protecting('ep-9'))),
    ],
    [
      'one is put in the place of another',
      async () =>
        fixture.redis.hset(
          fixture.keys.records,
          endpointKey('protection', 'ep-1'),
          (await fixture.redis.hget(fixture.keys.records, endpointKey('protection', 'ep-2')))!,
        ),
    ],
    [
      'an old one is put back',
      async () => {
        const old = (await fixture.redis.hget(fixture.keys.records, endpointKey('protection', 'ep-1')))!
        await store.write({ drop: [endpointKey('protection', 'ep-1')] }, [event])
        await fixture.redis.hset(fixture.keys.records, endpointKey('protection', 'ep-1'), old)
      },
    ],
  ]
  test.each(forgeries)('can be neither read nor changed by a new process when %s', async (_, forge) => {
    await store.write({ put: [protecting('ep-1'), protecting('ep-2')] }, [event])
    await forge()
    await expect(fixture.store({ secrets }).records()).rejects.toThrow(Tampered)
    const old = fixture.store({ secrets })
    await expect(old.write({ put: [protecting('ep-3')] }, [event])).rejects.toThrow(Tampered)
  })

  test('that were all restored to an older state are detected by a process that has seen newer ones', async () => {
    await store.write({ put: [protecting('ep-1')] }, [event])
    const root = (await fixture.redis.get(fixture.keys.root))!
    const old = await fixture.redis.hgetall(fixture.keys.records)
    await store.write({ put: [protecting('ep-2')] }, [event])
    await fixture.redis.set(fixture.keys.root, root)
    await fixture.redis.del(fixture.keys.records)
    await fixture.redis.hset(fixture.keys.records, old)
    await fixture.redis.xdel(fixture.keys.audit, '2-0')
    await expect(store.records()).rejects.toThrow('lost data')
    expect((await fixture.store({ secrets }).records()).size).toBe(1)
  })

  test('that a process still knows are kept when the project is locked after a loss', async () => {
    await store.write({ put: [protecting('ep-1'), protecting('ep-2')] }, [event])
    await fixture.redis.hdel(fixture.keys.records, endpointKey('protection', 'ep-1'))
    const stranger = fixture.store({ secrets })
    const lockdown = { kind: 'lockdown', at: 2, why: 'Redis has lost data.' } as const
    await stranger.write({ put: [lockdown] }, [{ at: 2, what: 'lockdown' }])
    expect([...(await stranger.records()).keys()]).toEqual([endpointKey('protection', 'ep-2'), 'lockdown'])
    expect([...(await store.records()).keys()].toSorted()).toEqual(['lockdown', endpointKey('protection', 'ep-2')])
  })

  test('and the audit continue after everything was wiped, and the loss stays visible', async () => {
    await store.write({ put: [protecting('ep-1')] }, [event, event])
    await fixture.redis.del(fixture.keys.records, fixture.keys.root, fixture.keys.audit)
    await expect(store.audit.head()).rejects.toThrow('lost data')
    const lockdown = { kind: 'lockdown', at: 2, why: 'Redis has lost data.' } as const
    await store.write({ put: [lockdown] }, [{ at: 2, what: 'lockdown' }])
    expect([...(await store.records()).keys()]).toEqual([endpointKey('protection', 'ep-1'), 'lockdown'])
    expect(await fixture.store({ secrets }).audit.head()).toMatchObject({ seq: 3 })
    expect(verdictInEnglish(await store.audit.verify([]))).toMatchObject({
      well: false,
      says: expect.stringContaining('Entries 1 to 2 are missing'),
    })
  })
})

test('Ten thousand records are verified together, and one that is missing is noticed', async () => {
  const signer = fixture.signer(secrets)
  const put = Array.from({ length: 10_000 }, (_, at) => protecting(`ep-${at}`))
  const { next } = changed(signer, noRecords, { put })
  const fields = Object.fromEntries(next.stored)
  const root = { ...noRoot, version: 1, count: put.length, sum: next.sum }
  const began = performance.now()
  const under = () => recordsUnder(signer, root, noRecords, Object.entries(fields), 'all')
  expect(under()?.records.size).toBe(10_000)
  process.stderr.write(`10,000 records were checked in ${Math.round(performance.now() - began)} ms\n`)
  delete fields[keyOf(put[17]!)]
  expect(under()).toBeUndefined()
})

describe('A process that knows the records', () => {
  const three = [protecting('ep-1'), protecting('ep-2'), protecting('ep-3')]
  let other: Store
  let reads: () => number
  beforeEach(async () => {
    const redis = connected()
    const sent = vi.spyOn(redis, 'sendCommand')
    reads = () => sent.mock.calls.filter(([{ name }]) => name === 'hgetall').length
    other = fixture.store({ redis, secrets })
    await store.write({ put: three }, [event])
    await other.records()
    sent.mockClear()
  })

  test('reads only those that others have changed, as the audit says', async () => {
    const request = newRequest()
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'running' }, [event], { change: { put: [protecting('ep-2', 'new')] } })
    await store.write({ drop: [endpointKey('protection', 'ep-1')], put: [protecting('ep-4')] }, [event])
    await store.write({}, [event])
    const expected = new Map(
      [protecting('ep-2', 'new'), protecting('ep-3'), protecting('ep-4')].map((r) => [keyOf(r), r]),
    )
    expect(await other.records()).toEqual(expected)
    await store.write({ put: [protecting('ep-5')] }, [event])
    await other.write({ drop: [endpointKey('protection', 'ep-5')] }, [event])
    expect(await other.records()).toEqual(expected)
    expect(reads()).toBe(0)
  })

  test('reads all of them if the audit does not say what has changed', async () => {
    await store.write({ put: [protecting('ep-4')] }, [])
    expect((await other.records()).size).toBe(4)
    expect(reads()).toBe(1)
    const next = fixture.store({ secrets: [randomBytes(32), ...secrets] })
    await next.write({ put: [protecting('ep-5')] }, [event])
    await expect(other.records()).rejects.toThrow(Tampered)
  })

  test('notices a missing one at its next full check, and uses the proven ones until then', async () => {
    await store.write({ put: [protecting('ep-4')] }, [event])
    await fixture.redis.hdel(fixture.keys.records, endpointKey('protection', 'ep-1'))
    expect([...(await other.records()).keys()]).toContain(endpointKey('protection', 'ep-1'))
    await expect(other.records('all')).rejects.toThrow(Tampered)
  })

  test('keeps the same objects after a full check that finds nothing changed', async () => {
    expect(await other.records('all')).toBe(await other.records())
    expect(reads()).toBe(1)
  })

  const lies: readonly [string, (old: string, root: string) => Promise<unknown>][] = [
    [
      'the old text is put back',
      (old) => fixture.redis.hset(fixture.keys.records, endpointKey('protection', 'ep-2'), old),
    ],
    ['it is taken away', () => fixture.redis.hdel(fixture.keys.records, endpointKey('protection', 'ep-2'))],
    [
      'another stands in its place',
      async () => {
        const wrong = (await fixture.redis.hget(fixture.keys.records, endpointKey('protection', 'ep-3')))!
        await fixture.redis.hset(fixture.keys.records, endpointKey('protection', 'ep-2'), wrong)
      },
    ],
    ['the root is put back', (_, root) => fixture.redis.set(fixture.keys.root, root)],
    ['the audit is cut off', () => fixture.redis.xdel(fixture.keys.audit, '2-0')],
  ]
  test.each(lies)('does not believe what others have changed when %s', async (_, lie) => {
    const old = (await fixture.redis.hget(fixture.keys.records, endpointKey('protection', 'ep-2')))!
    const root = (await fixture.redis.get(fixture.keys.root))!
    await store.write({ put: [protecting('ep-2', 'new')] }, [event])
    expect(await other.audit.head()).toMatchObject({ seq: 2 })
    await lie(old, root)
    await expect(other.records()).rejects.toThrow(Tampered)
    await expect(other.write({ put: [protecting('ep-9')] }, [event])).rejects.toThrow(Tampered)
  })

  test('ignores an audit entry that is not ours, and reads all records', async () => {
    await store.write({ put: [protecting('ep-2', 'new')] }, [event])
    await store.write({ put: [protecting('ep-3', 'new')] }, [event])
    const [, , last] = await fixture.redis.xrange(fixture.keys.audit, '-', '+')
    await fixture.redis.xtrim(fixture.keys.audit, 'MAXLEN', 0)
    await fixture.redis.del(fixture.keys.audit)
    await fixture.redis.xadd(fixture.keys.audit, '2-0', 'mac', 'x', 'text', 'no JSON')
    await fixture.redis.xadd(fixture.keys.audit, ...([last![0], ...last![1]] as [string, ...string[]]))
    expect((await other.records()).get(endpointKey('protection', 'ep-2'))).toEqual(protecting('ep-2', 'new'))
    expect(reads()).toBe(1)
  })
})
