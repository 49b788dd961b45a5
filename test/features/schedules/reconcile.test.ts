import { expect, test } from 'vitest'
import type { ReconcileState } from '../../../src/core/model/records.ts'
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
    await carryOut(services, given, { starts: [], givenUp: [] })
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
