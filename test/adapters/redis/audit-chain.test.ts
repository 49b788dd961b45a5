import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { checkChain } from '../../../src/adapters/redis/audit/verify.ts'
import { beginning, linked } from '../../../src/adapters/redis/integrity/chain.ts'
import { inflated, signerFor } from '../../../src/adapters/redis/integrity/sign.ts'
import type { Gap } from '../../../src/core/model/records.ts'
import type { AuditLink, Head } from '../../../src/core/ports/audit.ts'
import type { Store } from '../../../src/core/ports/services.ts'
import { diceOf } from '../../support/dice.ts'
import { tries } from '../../support/search.ts'
import { verdictInEnglish } from '../../support/words.ts'
import { claimed, connected, newRequest, openStore, type StoreFixture } from './support.ts'

const secrets = [randomBytes(32)]
const ana = { team: 'T0SANDBOX', user: 'U0ANA' }

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

function everything(links: readonly AuditLink[], anchors: readonly Head[], head?: Head) {
  const look = checkChain(fixture.signer(secrets), { start: beginning, anchors, ...(head && { head }) })
  for (const link of links) look.feed(link)
  return verdictInEnglish(look.end())
}

function chainOf(length: number): readonly AuditLink[] {
  const texts = Array.from({ length }, (_, at) => JSON.stringify({ what: at % 3 === 0 ? 'sent' : 'agreed', at }))
  return linked(fixture.signer(secrets), beginning, texts)
}

const tamperings = [
  'edited',
  'signed anew',
  'rewritten',
  'deleted',
  'closed up',
  'inserted',
  'repeated',
  'swapped',
  'exchanged',
  'cut',
  'given another MAC',
] as const

/** Returns the chain as somebody without the key could have changed it at index `at`. */
function tampered(
  chain: readonly AuditLink[],
  kind: (typeof tamperings)[number],
  at: number,
  dice: ReturnType<typeof diceOf>,
): readonly AuditLink[] {
  const forger = signerFor({ key: { current: { reveal: () => randomBytes(32) }, earlier: [] } }, fixture.tag)
  const below = (most: number) => Math.floor(dice.next() * most)
  const [one, next, before] = [chain[at]!, chain[at + 1]!, chain[at - 1] ?? beginning]
  const text = `${one.text} `
  switch (kind) {
    case 'edited':
      return chain.with(at, { ...one, text })
    case 'signed anew':
      return chain.with(at, forger.link({ seq: one.seq - 1, mac: before.mac }, text))
    case 'rewritten': {
      const texts = chain.slice(at).map((link) => `${link.text} `)
      return [...chain.slice(0, at), ...linked(forger, { seq: one.seq - 1, mac: before.mac }, texts)]
    }
    case 'deleted':
      return chain.toSpliced(at, 1 + below(5))
    case 'closed up':
      return [...chain.slice(0, at), ...chain.slice(at + 1).map((link) => ({ ...link, seq: link.seq - 1 }))]
    case 'inserted':
      return chain.toSpliced(at, 0, { ...chain[below(chain.length)]!, seq: one.seq })
    case 'repeated':
      return chain.toSpliced(at, 0, one)
    case 'swapped':
      return chain.with(at, next).with(at + 1, one)
    case 'exchanged':
      return chain.with(at, { ...next, seq: one.seq }).with(at + 1, { ...one, seq: next.seq })
    case 'cut':
      return chain.slice(0, at)
    case 'given another MAC':
      return chain.with(at, { ...one, mac: next.mac })
  }
}

describe('A chain', () => {
  test('is intact, and unproven after the newest anchor', () => {
    const chain = chainOf(300)
    expect(everything(chain, [])).toMatchObject({
      well: true,
      says: expect.stringContaining('after entry 0 are unproven'),
    })
    expect(everything(chain, [chain[99]!, chain[199]!])).toEqual({
      well: true,
      says: 'Entries 1 to 300 are intact; those after entry 200 are unproven: there is no later checkpoint.',
      head: expect.objectContaining({ seq: 300 }),
      gaps: [],
      acknowledged: [],
    })
    expect(everything(chain, [chain[299]!]).says).toBe('Entries 1 to 300 are intact.')
    expect(everything([], [])).toMatchObject({ well: true, says: 'There are no entries.' })
  })

  test('reveals every kind of tampering up to the newest anchor', () => {
    const chain = chainOf(120)
    const dice = diceOf(41)
    const counted: Record<string, number> = {}
    for (let times = 0; times < tries(10_000, 40); times += 1) {
      const [kind, at] = [dice.pick(tamperings), Math.floor(dice.next() * 109)]
      const verdict = everything(tampered(chain, kind, at, dice), [chain[59]!, chain[109]!])
      if (verdict.well) expect({ kind, at, verdict }).toBe('noticed')
      counted[kind] = (counted[kind] ?? 0) + 1
    }
    expect(Object.keys(counted)).toHaveLength(11)
  })

  test('that was cut after its newest anchor is detected from the stored head', () => {
    const chain = chainOf(20)
    expect(everything(chain.slice(0, 15), [chain[9]!]).well).toBe(true)
    expect(everything(chain.slice(0, 15), [chain[9]!], chain[19]!)).toMatchObject({
      well: false,
      says: expect.stringContaining('Entries 16 to 20 are missing'),
    })
  })
})

describe('A chain with a gap', () => {
  const texts = (most: number) => Array.from({ length: most }, (_, at) => JSON.stringify({ what: 'told', at }))
  const thaw = (gaps: readonly Gap[]) =>
    JSON.stringify({ at: 1_800_000_000_000, what: 'succeeded', actor: ana, change: { acknowledges: { gaps } } })

  /** Makes a chain of 120 entries that lost 20 to 30; entry 62 acknowledges the loss by default. */
  function gapped(acknowledges = true): {
    readonly chain: readonly AuditLink[]
    readonly ack: AuditLink
    readonly whole: readonly AuditLink[]
  } {
    const signer = fixture.signer(secrets)
    const first = linked(signer, beginning, texts(61))
    const gaps = everything(without(first, 20, 30), []).gaps
    const rest = linked(signer, first[60]!, [acknowledges ? thaw(gaps) : texts(1)[0]!, ...texts(58)])
    const whole = [...first, ...rest]
    return { whole, chain: without(whole, 20, 30), ack: rest[0]! }
  }

  function without(chain: readonly AuditLink[], from: number, to: number): readonly AuditLink[] {
    return chain.filter(({ seq }) => seq < from || to < seq)
  }

  test('fails until the gap is accepted, and is checked beyond the gap either way', () => {
    const { chain, whole } = gapped(false)
    expect(everything(chain, [whole[9]!, whole[119]!])).toMatchObject({
      well: false,
      says: 'Entries 20 to 31 are missing or can’t be verified. Everything before it is intact. Everything after it is intact up to entry 120.',
      gaps: [{ from: 20, to: 31 }],
    })
    expect(everything(chain.slice(0, -1), [whole[119]!]).says).toContain('Entry 120 is missing.')
  })

  test('verifies once the gap is accepted, and says by whom and in which entry', () => {
    const { chain, whole, ack } = gapped()
    expect(everything(chain, [whole[9]!, whole[24]!, whole[30]!, whole[119]!])).toEqual({
      well: true,
      says: 'Entries 1 to 120 are intact. Exception: entries 20 to 31 are lost or changed. @U0ANA accepted this at 2027-01-15T08:00Z (entry 62).',
      head: { seq: 120, mac: whole[119]!.mac },
      gaps: [],
      acknowledged: [{ from: 20, to: 31, by: ana, at: 1_800_000_000_000, seq: ack.seq }],
    })
    expect(everything(chain, [whole[99]!]).says).toContain('after entry 100 are unproven')
  })

  test('still reveals every kind of tampering elsewhere, up to the newest anchor', () => {
    const { chain, whole } = gapped()
    const anchors = [whole[9]!, whole[57]!, whole[109]!]
    const places = chain.flatMap(({ seq }, at) => (seq !== 31 && seq <= 109 ? [at] : []))
    const dice = diceOf(43)
    for (let times = 0; times < tries(10_000, 40); times += 1) {
      const [kind, at] = [dice.pick(tamperings), dice.pick(places)]
      // An entry put into the gap is reported as part of the gap.
      if ((kind === 'repeated' || kind === 'inserted') && chain[at]!.seq === 19) continue
      const verdict = everything(tampered(chain, kind, at, dice), anchors)
      if (verdict.well) expect({ kind, at, verdict }).toBe('noticed')
    }
  })

  test('of two accepts nothing between them, and names both', () => {
    const signer = fixture.signer(secrets)
    const first = linked(signer, beginning, texts(61))
    const damaged = without(without(first, 3, 4), 50, 50)
    const { gaps } = everything(damaged, [])
    const [ack, merged] = [gaps, [{ from: 3, to: 51 }]].map((accepted) => linked(signer, first[60]!, [thaw(accepted)]))
    const verdict = everything([...damaged, ...ack!], [first[60]!])
    expect(verdict).toMatchObject({
      well: true,
      acknowledged: [
        { from: 3, to: 5 },
        { from: 50, to: 51 },
      ],
    })
    expect(verdict.says).toMatch(/Exception: entries 3 to 5 are lost.*Exception: entries 50 to 51 are lost/)
    const later = without(damaged, 10, 39)
    expect(everything([...later, ...ack!], [])).toMatchObject({ well: false, gaps: [{ from: 10, to: 40 }] })
    // As 0.1.0 recorded it.
    expect(everything([...later, ...merged!], [])).toMatchObject({ well: true, acknowledged: [{ from: 3, to: 51 }] })
  })

  test('is not accepted by an entry that was forged, moved or taken from another chain', () => {
    const { chain, ack } = gapped()
    const at = chain.indexOf(ack)
    const wider = thaw([{ from: 15, to: 45 }])
    const forger = signerFor({ key: { current: { reveal: () => randomBytes(32) }, earlier: [] } }, fixture.tag)
    const more = without(chain, 40, 45)
    const there = more.indexOf(ack)
    const before = more[there - 1]!
    // An entry from a history that a restored backup replaced, in which somebody did acknowledge this.
    const otherwise = linked(fixture.signer(secrets), { ...before, mac: chain[0]!.mac }, [wider])[0]!
    const forged: readonly (readonly AuditLink[])[] = [
      chain.toSpliced(at, 1),
      chain.with(at, { ...ack, text: texts(1)[0]! }),
      more,
      more.with(there, { ...ack, text: wider }),
      more.with(there, forger.link({ seq: ack.seq - 1, mac: before.mac }, wider)),
      more.with(there, otherwise),
      more.toSpliced(there, 0, otherwise),
      more.toSpliced(there + 5, 0, { ...ack, seq: ack.seq + 5 }),
    ]
    for (const links of forged) expect(everything(links, [])).toMatchObject({ well: false })
  })

  test('is checked against anchors before and after the accepted gap', () => {
    const { chain, whole } = gapped()
    for (const seq of [19, 32])
      expect(everything(chain, [{ seq, mac: whole[3]!.mac }])).toMatchObject({
        well: false,
        says: expect.stringContaining(`Entry ${seq} doesn’t match its checkpoint.`),
      })
  })
})

test('Accepting an entry that differs from its anchor accepts no other entry', () => {
  const noted = { seq: 5, mac: 'noted' }
  const { gaps } = everything(chainOf(8), [noted])
  expect(gaps).toEqual([{ from: 5, to: 5 }])
  const thaw = JSON.stringify({ at: 1, actor: ana, change: { acknowledges: { gaps } } })
  const chain = [...chainOf(8), ...linked(fixture.signer(secrets), chainOf(8)[7]!, [thaw])]
  expect(everything(chain, [noted])).toMatchObject({ well: true, acknowledged: [{ seq: 9, to: 5 }] })
  expect(everything(chain, [noted, { seq: 6, mac: 'noted' }]).well).toBe(false)
})

describe('The audit', () => {
  const event = (what: string) => ({ at: 1_800_000_000_000, what, by: ana })

  async function busy(store: Store, moves: number): Promise<void> {
    const request = newRequest({ policy: 'abc', digest: 'd', via: 'typed' })
    const claim = await claimed(store, request)
    for (let at = 0; at < moves; at += 1) await claim.move({ ...request, nextAt: at }, [event('looked')])
  }

  test('has an entry for each event, with everything an auditor needs', async () => {
    const store = fixture.store({ secrets })
    const endpoint = { id: 'ep-llm', name: 'my-llm' }
    const seen = { at: 1, active: true, replicas: 3 }
    const request = newRequest({ endpoint, policy: 'abc', digest: 'd', via: 'typed' })
    const claim = await claimed(store, request)
    await claim.move({ ...request, status: 'running' }, [
      event('agreed'),
      { at: 2, what: 'sent', detail: 'stop', seen },
    ])
    await claim.move({ ...request, status: 'running' }, [])
    const [first, second, ...more] = await store.audit.read(1, 10)
    expect(more).toEqual([])
    expect(JSON.parse(inflated(first!.text))).toEqual({
      format: 2,
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
    expect(JSON.parse(inflated(second!.text))).toMatchObject({ what: 'sent', detail: 'stop', seen })
    expect(await store.audit.head()).toEqual({ seq: 2, mac: second!.mac })
  })

  test('of eight processes that write twenty requests each at once is one chain', async () => {
    const stores = Array.from({ length: 8 }, () => fixture.store({ secrets }))
    await Promise.all(stores.flatMap((store) => Array.from({ length: 20 }, () => busy(store, 3))))
    const [store] = stores
    const verdict = await store!.audit.verify([])
    expect(verdict).toMatchObject({ well: true, head: { seq: 480 } })
    expect(verdictInEnglish(await fixture.store({ secrets }).audit.verify([verdict.head]))).toMatchObject({
      says: 'Entries 1 to 480 are intact.',
    })
  })

  test('costs a process no extra command, however many moves are in flight', async () => {
    const redis = connected()
    const store = fixture.store({ redis, secrets })
    await busy(store, 1)
    const sent = vi.spyOn(redis, 'sendCommand')
    const asked = () => sent.mock.calls.map(([command]) => command.name)
    const requests = Array.from({ length: 20 }, () => newRequest())
    const holding = await Promise.all(requests.map((request) => claimed(store, request)))
    await Promise.all(holding.map((claim) => claim.move(claim.request, [event('looked')])))
    await Promise.all(holding.map((claim) => claim.move(claim.request, [])))
    expect(asked().filter((name) => !name.startsWith('eval'))).toEqual([])
    expect(asked()).toHaveLength(80)
    expect(await store.audit.head()).toMatchObject({ seq: 21 })
  })

  test('stays one chain when moves are refused after their entries were numbered', async () => {
    const store = fixture.store({ secrets })
    const endpoint = { id: 'ep-llm', name: 'my-llm' }
    const requests = Array.from({ length: 10 }, () => newRequest({ endpoint }))
    const holding = await Promise.all(requests.map((request) => claimed(store, request)))
    const moved = await Promise.all(
      holding.map((claim) => claim.move({ ...claim.request, status: 'running' }, [event('sent')], { lock: 'take' })),
    )
    expect(moved.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
    await Promise.all(
      holding.map((claim) => claim.move({ ...claim.request, status: 'cancelled' }, [event('cancelled')])),
    )
    expect(await store.audit.verify([])).toMatchObject({ well: true, head: { seq: 11 } })
  })

  test('is one chain even if it is signed with several keys, one after the other', async () => {
    const next = randomBytes(32)
    await busy(fixture.store({ secrets }), 2)
    const both = fixture.store({ secrets: [next, ...secrets] })
    await busy(both, 2)
    expect(await both.audit.verify([])).toMatchObject({ well: true, head: { seq: 4 } })
    const all = fixture.store({ secrets: [randomBytes(32), next, ...secrets] })
    await busy(all, 2)
    expect(await all.audit.verify([])).toMatchObject({ well: true, head: { seq: 6 } })
    await expect(both.audit.verify([])).rejects.toThrow('Stored data was changed in Redis')
  })

  test('reveals every change made to it in Redis', async () => {
    const store = fixture.store({ secrets })
    await busy(store, 30)
    const { redis, keys } = fixture
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
