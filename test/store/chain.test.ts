import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Head, Link } from '../../src/lifecycle/audit.ts'
import type { Store } from '../../src/lifecycle/ports.ts'
import { beginning, linked, lookThrough } from '../../src/store/link.ts'
import { signerFor } from '../../src/store/signed.ts'
import { diceOf } from '../support/dice.ts'
import { claimed, connected, type House, newRequest, openHouse } from './support.ts'

const secrets = [randomBytes(32)]
const ana = { team: 'T0SANDBOX', user: 'U0ANA' }

let house: House
beforeEach(() => {
  house = openHouse()
})

function everything(links: readonly Link[], anchors: readonly Head[], head?: Head) {
  const look = lookThrough(house.signer(secrets), { start: beginning, anchors, ...(head && { head }) })
  for (const link of links) look.feed(link)
  return look.end()
}

function chainOf(length: number): readonly Link[] {
  const texts = Array.from({ length }, (_, at) => JSON.stringify({ what: at % 3 === 0 ? 'sent' : 'agreed', at }))
  return linked(house.signer(secrets), beginning, texts)
}

describe('A chain', () => {
  test('is as it was written, and unproven after the newest anchor', () => {
    const chain = chainOf(300)
    expect(everything(chain, [])).toMatchObject({ well: true, says: expect.stringContaining('unproven after seq 0') })
    expect(everything(chain, [chain[99]!, chain[199]!])).toEqual({
      well: true,
      says: 'Entries 1 to 300 are as they were written; unproven after seq 200: no later anchor was given.',
      head: expect.objectContaining({ seq: 300 }),
    })
    expect(everything(chain, [chain[299]!]).says).toBe('Entries 1 to 300 are as they were written.')
    expect(everything([], [])).toMatchObject({ well: true, says: 'There are no entries.' })
  })

  test('shows every one of 10,000 tamperings of every kind, up to the newest anchor', () => {
    const chain = chainOf(300)
    const anchors = [chain[149]!, chain[279]!]
    const forger = signerFor({ key: { current: { reveal: () => randomBytes(32) } } }, house.tag)
    const dice = diceOf(41)
    const below = (most: number) => Math.floor(dice.next() * most)
    const counted: Record<string, number> = {}
    const kinds: Readonly<Record<string, (at: number) => readonly Link[]>> = {
      edited: (at) => chain.with(at, { ...chain[at]!, text: `${chain[at]!.text} ` }),
      signedAnew: (at) => {
        const text = `${chain[at]!.text} `
        return chain.with(at, { seq: at + 1, text, mac: forger.link(chain[at - 1]?.mac ?? '', at + 1, text) })
      },
      rewritten: (at) => [
        ...chain.slice(0, at),
        ...linked(
          forger,
          chain[at - 1] ?? beginning,
          chain.slice(at).map(({ text }) => `${text} `),
        ),
      ],
      deleted: (at) => chain.toSpliced(at, 1 + below(5)),
      closedUp: (at) => [...chain.slice(0, at), ...chain.slice(at + 1).map((link) => ({ ...link, seq: link.seq - 1 }))],
      inserted: (at) => chain.toSpliced(at, 0, { ...chain[below(300)]!, seq: at + 1 }),
      repeated: (at) => chain.toSpliced(at, 0, chain[at]!),
      swapped: (at) => chain.with(at, chain[at + 1]!).with(at + 1, chain[at]!),
      exchanged: (at) =>
        chain.with(at, { ...chain[at + 1]!, seq: at + 1 }).with(at + 1, { ...chain[at]!, seq: at + 2 }),
      cut: (at) => chain.slice(0, at),
      otherMac: (at) => chain.with(at, { ...chain[at]!, mac: chain[(at + 1) % 300]!.mac }),
    }
    for (let times = 0; times < 10_000; times += 1) {
      const kind = dice.pick(Object.keys(kinds))
      const at = below(279)
      const verdict = everything(kinds[kind]!(at), anchors)
      if (verdict.well) expect({ kind, at, verdict }).toBe('noticed')
      counted[kind] = (counted[kind] ?? 0) + 1
    }
    expect(Object.keys(counted)).toHaveLength(11)
  })

  test('cut after the newest anchor is told by its head, where that is still there', () => {
    const chain = chainOf(20)
    expect(everything(chain.slice(0, 15), [chain[9]!]).well).toBe(true)
    expect(everything(chain.slice(0, 15), [chain[9]!], chain[19]!)).toMatchObject({
      well: false,
      says: expect.stringContaining('Entries 16 to 20 are missing'),
    })
  })
})

describe('The audit', () => {
  const event = (what: string) => ({ at: 1_800_000_000_000, what, by: ana })

  async function busy(store: Store, moves: number): Promise<void> {
    const request = newRequest({ policy: 'abc', digest: 'd', via: 'typed' })
    const held = await claimed(store, request)
    for (let at = 0; at < moves; at += 1) await held.move({ ...request, nextAt: at }, [event('looked')])
  }

  test('has an entry for each event, with everything an auditor asks for', async () => {
    const store = house.store({ secrets })
    const endpoint = { id: 'ep-llm', name: 'my-llm' }
    const seen = { at: 1, active: true, replicas: 3 }
    const request = newRequest({ endpoint, policy: 'abc', digest: 'd', via: 'typed' })
    const held = await claimed(store, request)
    await held.move({ ...request, status: 'running' }, [event('agreed'), { at: 2, what: 'sent', detail: 'stop', seen }])
    await held.move({ ...request, status: 'running' }, [])
    const [first, second, ...more] = await store.audit.read(1, 10)
    expect(more).toEqual([])
    expect(JSON.parse(first!.text)).toEqual({
      project: 'default',
      at: 1_800_000_000_000,
      what: 'agreed',
      by: ana,
      request: request.id,
      version: 2,
      line: 'stop my-llm',
      actor: ana,
      via: 'typed',
      place: { channel: 'C0OPS' },
      status: 'running',
      endpoint,
      digest: 'd',
      policy: 'abc',
    })
    expect(JSON.parse(second!.text)).toMatchObject({ what: 'sent', detail: 'stop', seen })
    expect(await store.audit.head()).toEqual({ seq: 2, mac: second!.mac })
  })

  test('of eight processes that write at once, twenty requests each, is one chain', async () => {
    const stores = Array.from({ length: 8 }, () => house.store({ secrets }))
    await Promise.all(stores.flatMap((store) => Array.from({ length: 20 }, () => busy(store, 3))))
    const [store] = stores
    const verdict = await store!.audit.verify([])
    expect(verdict).toMatchObject({ well: true, head: { seq: 480 } })
    expect(await house.store({ secrets }).audit.verify([verdict.head])).toMatchObject({
      says: 'Entries 1 to 480 are as they were written.',
    })
  })

  test('of one process costs no question more than its moves, however many are under way', async () => {
    const redis = connected()
    const store = house.store({ redis, secrets })
    await busy(store, 1)
    const sent = vi.spyOn(redis, 'sendCommand')
    const asked = () => sent.mock.calls.map(([command]) => command.name)
    const requests = Array.from({ length: 20 }, () => newRequest())
    const holding = await Promise.all(requests.map((request) => claimed(store, request)))
    await Promise.all(holding.map((held) => held.move(held.request, [event('looked')])))
    await Promise.all(holding.map((held) => held.move(held.request, [])))
    expect(asked().filter((name) => !name.startsWith('eval'))).toEqual([])
    expect(asked()).toHaveLength(80)
    expect(await store.audit.head()).toMatchObject({ seq: 21 })
  })

  test('goes on where a move that was refused had been counted on', async () => {
    const store = house.store({ secrets })
    const endpoint = { id: 'ep-llm', name: 'my-llm' }
    const requests = Array.from({ length: 10 }, () => newRequest({ endpoint }))
    const holding = await Promise.all(requests.map((request) => claimed(store, request)))
    const moved = await Promise.all(
      holding.map((held) => held.move({ ...held.request, status: 'running' }, [event('sent')], { lock: 'take' })),
    )
    expect(moved.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
    await Promise.all(holding.map((held) => held.move({ ...held.request, status: 'cancelled' }, [event('cancelled')])))
    expect(await store.audit.verify([])).toMatchObject({ well: true, head: { seq: 11 } })
  })

  test('signed under two keys, one after the other, is one chain', async () => {
    const next = randomBytes(32)
    await busy(house.store({ secrets }), 2)
    const both = house.store({ secrets: [next, ...secrets] })
    await busy(both, 2)
    expect(await both.audit.verify([])).toMatchObject({ well: true, head: { seq: 4 } })
  })

  test('in Redis shows whatever is done to it there', async () => {
    const store = house.store({ secrets })
    await busy(store, 30)
    const { redis, keys } = house
    const anchor = await store.audit.head()
    const before = await redis.xrange(keys.audit, '-', '+')
    const root = (await redis.get(keys.root))!
    async function restore(entries: readonly [string, string[]][]): Promise<void> {
      await redis.del(keys.audit)
      for (const [id, fields] of entries) await redis.xadd(keys.audit, id, ...fields)
    }
    const dice = diceOf(7)
    for (let times = 0; times < 24; times += 1) {
      const at = Math.floor(dice.next() * 29)
      const [id, fields] = before[at]!
      const forged: readonly (readonly [string, string[]][])[] = [
        before.with(at, [id, fields.with(3, `${fields[3]!} `)]),
        before.toSpliced(at, 1),
        before.toSpliced(at + 1, 0, [id.replace('-0', '-1'), fields]),
        before.with(at, [id, before[at + 1]![1]]).with(at + 1, [before[at + 1]![0], fields]),
        before.slice(0, at),
      ]
      await restore(forged[times % forged.length] as [string, string[]][])
      expect(await store.audit.verify([anchor])).toMatchObject({ well: false })
    }
    await restore(before)
    await redis.set(keys.root, root)
    expect(await store.audit.verify([anchor])).toMatchObject({ well: true })
  })
})
