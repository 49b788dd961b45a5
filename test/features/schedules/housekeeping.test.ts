import { expect, test, vi } from 'vitest'
import { say } from '../../../src/core/model/words.ts'
import type { AnnouncementPlace } from '../../../src/core/ports/services.ts'
import { dropExpired, ownerKey, removedKey } from '../../../src/features/schedules/housekeeping.ts'
import { announceOnce } from '../../../src/features/schedules/look.ts'
import { bookFor } from '../../../src/features/schedules/rules/rulebook.ts'
import { tick } from '../../../src/features/schedules/tick.ts'
import { peopled, policyWith } from '../../support/memory/cast.ts'
import { homeTeam } from '../../support/memory/people.ts'
import { weekly } from './schedule.ts'

test('An expired token is kept for a week, so that a late call learns why, and then deleted', async () => {
  const policy = policyWith({ stop: 'nothing' })
  const { services, clock } = peopled(policy)
  const { store } = services
  const [at, hour] = [clock.now(), 3_600_000]
  const by = { team: homeTeam, user: 'U0ANA' }
  for (const [id, until] of [
    ['short', at + hour],
    ['long', at + 24 * 14 * hour],
  ] as const)
    await store.write({ put: [{ kind: 'token', id, name: id, by, role: 'operator', at, until, digest: '' }] }, [])
  const left = async () => {
    const records = await store.records()
    const look = { policy, reconcileStates: new Map(), listed: [], records, now: clock.now() }
    await dropExpired(services, { ...look, acting: bookFor(services, records) })
    return [...(await store.records()).keys()]
  }
  clock.pass(24 * 7 * hour)
  expect(await left()).toEqual(['token:short', 'token:long'])
  clock.pass(hour)
  expect(await left()).toEqual(['token:long'])
})

test('A run is kept while nobody knows whether the stop planned in it was skipped', async () => {
  const policy = policyWith({ stop: 'nothing' })
  const { services, clock } = peopled(policy)
  const { store } = services
  const [now, hour] = [clock.now(), 3_600_000]
  const own = { kind: 'once', endpoint: 'ep-0', owner: { team: homeTeam, user: 'U0ANA' } } as const
  const run = { ...own, id: 'run', want: 'up', at: now - hour, until: now + hour } as const
  await store.write({ put: [run, { ...own, id: 'stop', want: 'down', at: now - 1 }] }, [])
  const outcome = await services.platform.list()
  const listed = outcome.kind === 'answered' ? outcome.answer : []
  const left = async (state: 'asked' | 'met') => {
    const records = await store.records()
    const reconcileStates = new Map([['ep-0', { occurrence: 'ep-0.stop', state, attempts: 1, at: now }]])
    await dropExpired(services, { policy, reconcileStates, listed, records, now, acting: bookFor(services, records) })
    return [...(await store.records()).values()].map((one) => ('id' in one ? one.id : ''))
  }
  expect(await left('asked')).toEqual(['run', 'stop'])
  expect(await left('met')).toEqual(['stop'])
})

/** Notes that these keys were announced, looks once, and returns which of them are still known. */
async function keptAfterLook(keys: readonly string[]) {
  const { services, clock } = peopled(policyWith({ stop: 'nothing' }))
  const { store } = services
  const at = clock.now()
  const once = (endpoint: string, user: string) => ({
    id: endpoint,
    endpoint,
    at: at + 3_600_000,
    owner: { team: homeTeam, user },
  })
  // U0IDA may not operate, and the platform has neither ep-8 nor ep-9.
  const rules = [once('ep-0', 'U0ANA'), once('ep-8', 'U0IDA'), once('ep-9', 'U0ANA')]
  await store.write({ put: rules.map((rule) => ({ kind: 'once', want: 'down', ...rule })) }, [])
  const state = { state: 'left', attempts: 0, at } as const
  await store.noteReconcileStates(new Map(keys.map((key) => [key, { occurrence: key, ...state }])))
  await tick(services)
  const states = await store.reconcileStates()
  return keys.filter((key) => states.has(key))
}

test('An announcement that could not be posted is made again at a later look', async () => {
  const { services } = peopled(policyWith({ stop: 'nothing' }))
  const posts: (AnnouncementPlace | undefined)[] = [undefined, { channel: 'C0OPS', ts: '1' }]
  const announce = vi.fn(async () => posts[announce.mock.calls.length - 1])
  const states = () => services.store.reconcileStates()
  const look = async () =>
    announceOnce({ ...services, announce }, await states(), { key: 'gone ep-9' }, [say('rule.return')])
  await look()
  await expect.poll(states).toEqual(new Map())
  await look()
  await look()
  expect(announce).toHaveBeenCalledTimes(2)
})

test('An absent owner is forgotten with their last rule', async () => {
  const [kept, ...over] = [ownerKey('U0IDA'), ownerKey('U0FAY'), ownerKey('U0ANA'), 'idle owner ep-0']
  expect(await keptAfterLook([kept, ...over])).toEqual([kept])
})

test('A removed endpoint is forgotten when it is back, even without rules, and with its last rule', async () => {
  const kept = ['ep-8', 'ep-9'].map(removedKey)
  expect(await keptAfterLook([...kept, ...['ep-0', 'ep-2', 'ep-7'].map(removedKey)])).toEqual(kept)
})

/** Returns what is left of a run, a planned stop and a hold, before and after the last of them is over for a day. */
async function leftOnUnlisted(endpoint: string, schedule = '') {
  const { services, clock } = peopled(policyWith({ stop: 'nothing' }))
  const [{ store }, now, hour] = [services, clock.now(), 3_600_000]
  const owner = { team: homeTeam, user: 'U0ANA' }
  const once = { kind: 'once', endpoint, owner } as const
  const later = { ...once, id: 'later', want: 'down', at: now + 48 * hour } as const
  const own = schedule === '' ? [] : [weekly('weekly', schedule, { endpoint, owner })]
  const put = [
    { ...once, id: 'run', want: 'up', at: now - hour, until: now + hour, ran: true } as const,
    { ...once, id: 'stop', want: 'down', at: now + 2 * hour } as const,
    { kind: 'hold', id: 'hold', endpoint, at: now, until: now + 2 * hour, by: owner } as const,
    ...own,
  ]
  await store.write({ put }, [])
  await store.noteReconcileStates(new Map([[endpoint, { occurrence: 'x', state: 'met', attempts: 0, at: now }]]))
  const platform = { ...services.platform, list: async () => ({ kind: 'answered' as const, answer: [] }) }
  const left = async () => {
    await tick({ ...services, platform, announce: async () => ({ channel: 'C0OPS', ts: '1' }) })
    const ids = [...(await store.records()).values()].map((one) => ('id' in one ? one.id : ''))
    const states = [...(await store.reconcileStates()).keys()]
    return [...ids, ...states.filter((key) => key.includes(endpoint))].join(' ')
  }
  await left()
  clock.pass(24 * hour)
  const early = await left()
  clock.pass(2 * hour)
  const late = await left()
  await store.write({ put: [later] }, [])
  return { early, late, next: await left() }
}

test('What is over on a removed endpoint is kept for a day, and then dropped with its states', async () => {
  const { early, late, next } = await leftOnUnlisted('ep-9')
  expect(early).toBe('run stop hold ep-9 gone ep-9')
  expect(late).toBe('')
  expect(next).toBe('later gone ep-9')
})

test('A planned stop that still counts against a schedule of a removed endpoint is kept', async () => {
  const { late } = await leftOnUnlisted('ep-9', 'up daily 00:00-24:00')
  expect(late).toBe('stop weekly ep-9 gone ep-9')
})

test('The planned stop of an endpoint that is only missing from the list is kept', async () => {
  expect((await leftOnUnlisted('ep-0')).late).toBe('run stop ep-0')
})

test.each([
  ['alone', [], true],
  ['that a later start overrides', [{ id: 'later', want: 'up', at: 9, until: 40 }], false],
  ['after which another is planned', [{ id: 'later', want: 'down', at: 40 }], true],
] as const)('A planned stop %s is reported if nobody looked for a day', async (_, others, isReported) => {
  const { services, clock, announced } = peopled(policyWith({ stop: 'nothing' }))
  const [hour, { store }] = [3_600_000, services]
  const at = clock.now()
  const stop = { id: 'stop', want: 'down', at: 8 } as const
  const put = [stop, ...others].map((rule) => ({
    kind: 'once' as const,
    endpoint: 'ep-0',
    owner: { team: homeTeam, user: 'U0ANA' },
    ...rule,
    at: at + rule.at * hour,
    ...('until' in rule && { until: at + rule.until * hour }),
  }))
  await store.write({ put }, [])
  await tick(services)
  clock.pass(33 * hour)
  await tick(services)
  const lapsed = announced.filter((text) => text.includes('is still running'))
  expect(lapsed).toHaveLength(isReported ? 1 : 0)
  expect((await store.records()).size).toBe(others.length)
})
