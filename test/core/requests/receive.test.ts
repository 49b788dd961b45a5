import { expect, test } from 'vitest'
import type { Received } from '../../../src/core/ports/services.ts'
import { type Intake, receive } from '../../../src/core/requests/receive.ts'
import { newRequest } from '../../adapters/redis/support.ts'

/** Returns doors whose store takes `left` lines and refuses the rest. */
function doorsThatTake(left: number) {
  const woken: string[] = []
  const doors: Intake = {
    store: {
      receive: async (): Promise<Received> => {
        left -= 1
        return left >= 0 ? { kind: 'stored', workers: true } : { kind: 'refused', why: 'person' }
      },
      press: async () => ({ kind: 'gone' }),
      records: async () => new Map(),
      open: async () => [],
      past: async () => ({ requests: [], more: false }),
      postsOf: async () => null,
      names: async () => null,
      load: async () => null,
      settingsOf: async () => null,
      holderOf: async () => null,
    },
    queue: { wake: async ({ id }) => void woken.push(id) },
  }
  const more = (count: number) => {
    left = Math.max(0, left) + count
  }
  return { doors, woken, more }
}

test('a flood of refused lines causes one wake-up in total, not one per line', async () => {
  const { doors, woken, more } = doorsThatTake(3)
  for (let n = 0; n < 50; n += 1) await receive(doors, newRequest())
  expect(woken).toHaveLength(4)
  more(1)
  const taken = newRequest()
  await receive(doors, taken)
  expect(woken.slice(4)).toEqual([taken.id])
})

test('a flood by one person does not cost other people their wake-ups', async () => {
  const { doors, woken, more } = doorsThatTake(0)
  for (let n = 0; n < 5; n += 1) await receive(doors, newRequest())
  more(1)
  const other = newRequest({ actor: { team: 'T0SANDBOX', user: 'U0BEN' } })
  await receive(doors, other)
  expect(woken).toContain(other.id)
})
