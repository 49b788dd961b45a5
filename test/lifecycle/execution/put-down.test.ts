import { expect, test } from 'vitest'
import type { Request } from '../../../src/core/model/request.ts'
import type { ClaimedRequest, Services } from '../../../src/core/ports/services.ts'
import { advance } from '../../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../../support/memory/cast.ts'
import { staged, types } from '../../support/memory/stage.ts'

test('a worker releasing a request shows the end that another worker wrote before it died', async () => {
  const stage = staged(peopled(policyWith({ stop: 'confirmation' }), true))
  const { services, store, clock } = stage
  await types(stage, 'U0ANA', 'stop my-llm', 'C0OPS')
  const [id = ''] = stage.requests
  const shown: Request['status'][] = []
  const slow: Services = {
    ...services,
    notifier: {
      ...services.notifier,
      async show({ request }) {
        shown.push(request.status)
        return { again: null }
      },
    },
    store: {
      ...services.store,
      async claim(of) {
        const claim = await services.store.claim(of)
        return claim === null ? null : (Object.create(claim, { release: { value: release } }) as ClaimedRequest)

        /** Another worker ends the request while this release takes longer than the lease. */
        async function release(at: number | null): Promise<boolean> {
          if (shown.at(-1) !== 'awaiting') return claim?.release(at) ?? true
          clock.pass(30_000)
          const other = await store.claim(of)
          const ending = { at: clock.now(), says: 'Nobody answered.' }
          const ended = { ...other!.request, status: 'expired', ending, nextAt: null } as const
          await other!.move(ended, [{ at: clock.now(), what: 'expired' }], { lock: 'drop' })
          clock.pass(30_000)
          return false
        }
      },
    },
  }
  await advance(slow, id)
  expect(shown).toEqual(['awaiting', 'expired'])
})
