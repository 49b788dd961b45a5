import { expect, test } from 'vitest'
import { dropExpired } from '../../../src/features/schedules/housekeeping.ts'
import { bookFor } from '../../../src/features/schedules/rules/rulebook.ts'
import { peopled, policyWith } from '../../support/memory/cast.ts'
import { homeTeam } from '../../support/memory/people.ts'

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
