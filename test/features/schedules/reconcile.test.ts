import { expect, test } from 'vitest'
import { keyOf, type ReconcileState } from '../../../src/core/model/records.ts'
import type { Hold, OneOff, Rules } from '../../../src/core/model/rules.ts'
import { ruleRequestId } from '../../../src/core/requests/receive.ts'
import { carryOut } from '../../../src/features/schedules/reconcile.ts'
import type { ReconcileAction } from '../../../src/features/schedules/rules/reconcile-decision.ts'
import { advance } from '../../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../../support/memory/cast.ts'
import { homeTeam } from '../../support/memory/people.ts'

const ana = { team: homeTeam, user: 'U0ANA' }
const nothing: Rules = { weekly: [], once: [], holds: [], skip: new Set(), protected: false, freeze: null }
const minute = 60_000

test('A notice overtaken by a hold is withdrawn as soon as no worker has claimed its request', async () => {
  const { services, clock, platform } = peopled(policyWith({ stop: 'confirmation' }))
  const { store } = services
  const [listed] = [...platform.endpoints.values()].filter(({ active }) => active)
  if (listed === undefined) throw new Error('Nothing is active.')
  const { id, name, active } = listed
  const now = clock.now()
  const due = now + 10 * minute
  const stop: OneOff = { kind: 'once', id: 'o', endpoint: id, want: 'down', at: due, owner: ana }
  const kept: Hold = { kind: 'hold', id: 'h', endpoint: id, at: now, until: due + 60 * minute, by: ana }
  const rules = { ...nothing, once: [stop] }
  await store.write({ put: [stop] }, [{ at: now, what: 'scheduled' }])
  const occurrence = `${id}.o.${due}.down`
  const asks: ReconcileAction = { kind: 'ask', want: 'down', due, nominal: due, by: stop }
  const look = async (rulesGiven: Rules, found: string | null, what: ReconcileAction) => {
    const reconcileState: ReconcileState | undefined = (await store.reconcileStates()).get(id)
    const now = clock.now()
    const endpoint = { id, name, active }
    const given = { endpoint, rules: rulesGiven, occurrence: found, what, reconcileState, now }
    await carryOut(services, given, { moved: [], starts: [], givenUp: [] })
    return (await store.reconcileStates()).get(id)?.state
  }
  const held = () => look({ ...rules, holds: [kept] }, null, { kind: 'note', state: 'held' })
  const request = ruleRequestId(services, occurrence, 1)

  expect(await look(rules, occurrence, asks)).toBe('asked')
  expect(await held()).toBe('asked')
  await advance(services, request)
  expect(await store.load(request)).toMatchObject({ status: 'awaiting', requirement: 'notice' })
  const other = await store.claim(request)
  expect(await held()).toBe('asked')
  while (!(await other?.release(null)));
  expect(await held()).toBe('held')
  expect(await store.load(request)).toMatchObject({ status: 'cancelled' })
})

test('A run whose start met another person’s request keeps its end', async () => {
  const { services, clock } = peopled(policyWith({ stop: 'confirmation' }))
  const { store } = services
  const [id, now, ben] = ['ep-1', clock.now(), 'b'.repeat(22)]
  const run: OneOff = { kind: 'once', id: 'o', endpoint: id, want: 'up', at: now, until: now + 60 * minute, owner: ana }
  await store.write({ put: [run] }, [{ at: now, what: 'rules' }])
  const occurrence = `${id}.o.${now}.up`
  const look = async (kind: 'ask' | 'follow') => {
    const what: ReconcileAction = { kind, want: 'up', due: now, nominal: now, by: run }
    const reconcileState = (await store.reconcileStates()).get(id)
    const endpoint = { id, name: 'my-tts', active: false }
    const given = { endpoint, rules: { ...nothing, once: [run] }, occurrence, what, reconcileState, now: clock.now() }
    await carryOut(services, given, { moved: [], starts: [], givenUp: [] })
    return (await store.reconcileStates()).get(id)?.state
  }
  expect(await look('ask')).toBe('asked')
  const place = { channel: 'C0OPS' }
  const own = { id: ben, project: 'default', actor: { ...ana, user: 'U0BEN' }, place, receivedAt: now, nextAt: now }
  await store.receive({ ...own, kind: 'operation', line: 'start my-tts', status: 'received', notes: [] }, undefined)
  await advance(services, ben)
  const first = ruleRequestId(services, occurrence, 1)
  await advance(services, first)
  expect(await store.load(first)).toMatchObject({ status: 'refused', ending: { about: ben } })
  expect(await look('follow')).toBe('waits')
  expect((await store.records()).get(keyOf(run))).toEqual(run)
})
