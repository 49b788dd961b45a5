import { expect, test } from 'vitest'
import type { Request } from '../../../src/core/model/request.ts'
import { isVisibleTo, type ProgramCaller } from '../../../src/core/requests/accept-program.ts'

test('A query belongs to its caller even after the worker has stored their home account', async () => {
  const [far, home] = [
    { team: 'T0FAR', user: 'W0ANA' },
    { team: 'T0HOME', user: 'U0ANA' },
  ]
  const caller = { gateway: {}, actor: far, through: { token: 'chat', name: 'Slackbot' } } as ProgramCaller
  const query = { kind: 'query', actor: home, through: caller.through } as Request
  expect(await isVisibleTo({ ...query, cameAs: far }, caller)).toBe(true)
  expect(await isVisibleTo(query, caller)).toBe(false)
})
