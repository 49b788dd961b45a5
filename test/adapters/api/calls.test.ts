import { expect, test } from 'vitest'
import { states } from '../../../src/adapters/api/calls.ts'
import type { Request } from '../../../src/core/model/request.ts'
import type { ProgramCaller } from '../../../src/core/requests/accept-program.ts'
import { commands } from '../../../src/features/command-table.ts'
import { createMemoryClock } from '../../support/memory/clock.ts'

test.each([
  ['nothing', 0],
  ['only its steps', 1],
])('an open request of which %s changes is sent once, and followed until the caller leaves', async (_, steps) => {
  const actor = { team: 'T0SANDBOX', user: 'U0ANA' }
  const through = { token: 'a-token', name: 'ci' }
  const request: Request = {
    id: 'r'.padEnd(22, '0'),
    project: 'default',
    kind: 'operation',
    line: 'stop my-llm',
    actor,
    through,
    place: { channel: 'C0OPS' },
    receivedAt: 0,
    status: 'received',
    notes: [],
    nextAt: 0,
  }
  let loads = 0
  const load = async () => {
    loads += 1
    const progress = Array.from({ length: loads * steps }, () => ({ sends: [], looks: [] }))
    return { ...request, progress }
  }
  const caller = { gateway: { project: 'default', store: { load } }, actor, through } as unknown as ProgramCaller
  const context = { commands, linkTo: async () => null, clock: createMemoryClock(), isGone: () => loads === 3 }
  const seen = []
  for await (const state of states(caller, request.id, context, 60_000)) seen.push(state?.status)
  expect([seen, loads]).toEqual([['received'], 3])
})
