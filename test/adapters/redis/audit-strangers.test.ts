import { beforeEach, expect, test } from 'vitest'
import { inflated } from '../../../src/adapters/redis/integrity/sign.ts'
import { strangersIn } from '../../../src/adapters/redis/requests/state.ts'
import type { Request } from '../../../src/core/model/request.ts'
import { countStrangers } from '../../../src/features/history/audit-rounds.ts'
import { claimed, newRequest, openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

/** Stores a line from a person without a role and refuses it. */
async function refused(user: string, line: string, more: Partial<Request> = {}): Promise<Request> {
  const store = fixture.store()
  const actor = { team: 'T0SANDBOX', user }
  const request = newRequest({ actor, line, ...more })
  const claim = await claimed(store, request)
  const ending = { at: fixture.now, says: 'Not you.' }
  const ended: Request = { ...request, status: 'refused', stranger: true, ending, nextAt: null }
  await claim.move(ended, [{ at: fixture.now, what: 'refused', by: actor, detail: line }], { lock: 'drop' })
  await claim.release(null)
  return ended
}

/** Counts as a worker does, as if a minute had passed. */
async function minutePasses(): Promise<void> {
  await fixture.redis.del(`${fixture.keys.strangers}:turn`)
  await countStrangers({ store: fixture.store() }, strangersIn(fixture.redis, fixture.keys, fixture.signer()))
}

async function audit(): Promise<readonly object[]> {
  return (await fixture.store().audit.read(1, 100)).map(({ text }) => JSON.parse(inflated(text)) as object)
}

/** The sentence that begins an audit entry about people without a role. */
const strangers = (count: number) => ({ say: 'history.strangers', with: { count } })

test('a request from a person without a role is kept for 10 minutes and is in no history', async () => {
  for (const kind of ['operation', 'query'] as const) {
    const request = await refused('U0EVE', 'stop my-llm', { kind })
    const life = await fixture.redis.pttl(fixture.keys.request(request.id))
    expect(life).toBeGreaterThan(9 * 60_000)
    expect(life).toBeLessThanOrEqual(10 * 60_000)
    expect(await fixture.store().load(request.id)).toEqual(request)
    expect(await fixture.store().eventsOf(request.id)).toEqual([])
  }
  expect(await fixture.store().past(0, 0, 10)).toEqual({ requests: [], more: false })
  expect(await audit()).toEqual([])
})

test('lines of people without a role count for themselves, but not for the project', async () => {
  const guests = Array.from({ length: 10 }, (_, n) => `U0GUEST${n}`)
  for (const user of guests) await refused(user, 'list')
  const store = fixture.store({ perMinute: 2 })
  const sends = (user: string) => store.receive(newRequest({ actor: { team: 'T0SANDBOX', user } }), undefined)
  for (const user of [...guests, ...guests]) expect(await sends(user)).toMatchObject({ kind: 'stored' })
  expect(await sends('U0GUEST0')).toEqual({ kind: 'refused', why: 'person' })
  expect(await sends('U0ANA')).toMatchObject({ kind: 'stored' })
})

test('the audit gets one entry a minute for each person without a role, with a count', async () => {
  for (const line of ['list', 'status my-llm', 'stop my-llm']) await refused('U0EVE', line)
  await refused('U0MAL', 'list')
  await minutePasses()
  const told = [
    {
      what: 'refused',
      by: { team: 'T0SANDBOX', user: 'U0EVE' },
      detail: [strangers(3), 'stop my-llm'],
    },
    { what: 'refused', by: { team: 'T0SANDBOX', user: 'U0MAL' }, detail: [strangers(1), 'list'] },
  ]
  expect(await audit()).toMatchObject(told)
  await minutePasses()
  expect(await audit()).toHaveLength(2)
  expect(await fixture.redis.exists(fixture.keys.strangers)).toBe(0)
  await refused('U0EVE', 'list')
  await minutePasses()
  expect(await audit()).toMatchObject([...told, { detail: [strangers(1), 'list'] }])
  expect((await fixture.store().audit.verify([])).well).toBe(true)
})

test('a press by a person without a role is only counted and is in no history', async () => {
  const claim = await claimed(fixture.store(), newRequest())
  const by = { team: 'T0SANDBOX', user: 'U0EVE' }
  for (const detail of ['approve stop my-llm', 'decline stop my-llm'])
    await claim.move(claim.request, [{ at: fixture.now, what: 'refused answer', by, detail }], { stranger: true })
  expect(await fixture.store().eventsOf(claim.request.id)).toEqual([])
  expect(await audit()).toEqual([])
  await minutePasses()
  const detail = [strangers(2), 'decline stop my-llm']
  expect(await audit()).toMatchObject([{ what: 'refused', by, detail }])
})

test('only one of several workers writes the counts in any minute', async () => {
  await refused('U0EVE', 'list')
  const strangers = strangersIn(fixture.redis, fixture.keys, fixture.signer())
  await Promise.all([1, 2, 3].map(() => countStrangers({ store: fixture.store() }, strangers)))
  expect(await audit()).toHaveLength(1)
  await refused('U0EVE', 'list')
  await countStrangers({ store: fixture.store() }, strangers)
  expect(await audit()).toHaveLength(1)
})

test('a request that arrives while the counts are written is counted the next time', async () => {
  await refused('U0EVE', 'list')
  const strangers = strangersIn(fixture.redis, fixture.keys, fixture.signer())
  const { sent, forget } = await strangers.read()
  await refused('U0EVE', 'stop my-llm')
  await forget()
  await forget()
  expect(sent.map(({ detail }) => detail)).toEqual(['list'])
  expect((await strangers.read()).sent.map(({ detail }) => detail)).toEqual(['stop my-llm'])
})

test('a request with a wrong signature is not counted', async () => {
  const event = JSON.stringify({ at: 1, what: 'refused', by: { team: 'T0SANDBOX', user: 'U0ANA' } })
  await fixture.redis.rpush(fixture.keys.strangers, fixture.signer().sign(['event', 'x'], event), 'x')
  await minutePasses()
  expect(await audit()).toEqual([])
  expect(await fixture.redis.exists(fixture.keys.strangers)).toBe(0)
})
