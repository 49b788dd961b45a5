import { describe, expect, test } from 'vitest'
import type { Segment } from '../../../src/core/model/reading.ts'
import { receiveFromRule, ruleRequestId } from '../../../src/core/requests/receive.ts'
import { type IdleCandidate, idlingKey } from '../../../src/features/idle/candidate.ts'
import { followUp, whyWithdrawn } from '../../../src/features/idle/follow-up.ts'
import { idleClock } from '../../../src/features/idle/idle-clock.ts'
import { peopled, policyWith } from '../../support/memory/cast.ts'
import { english } from '../../support/words.ts'

const minute = 60_000
const evidence = { servers: ['vLLM'], requests: 0, open: 0, replicas: 2, seen: 2, logs: 0 }
const now = 10_000 * minute

/** A segment with its state and reason; `from` and `to` are minutes before now. */
function segment(state: Segment['state'], why: string, from: number, to: number, unknown = 0): Segment {
  const length = { from: now - from * minute, to: now - to * minute }
  return { state, why, evidence, ...length, ...(unknown > 0 && { unknownMs: unknown * minute }) }
}

/** Why an idle warning is withdrawn, with an idle time of one hour. */
function takenBack(segments: readonly Segment[]): string | null {
  const idleMs = 60 * minute
  const clock = idleClock(segments, {}, idleMs, now)
  const watched = { at: now, kept: null, segments }
  const candidate = {
    rule: { mode: 'on' },
    spared: null,
    occurrence: 'it',
    watched,
    clock,
    idleMs,
    now,
  } as unknown as IdleCandidate
  return english(whyWithdrawn(candidate, 'it') ?? '')
}

describe('An idle warning withdrawn for missing data', () => {
  const first = segment('unknown', 'this is the first check', 5000, 4999)

  test('says what could not be seen within the idle time', () => {
    const hidden = segment('unknown', 'no metrics were found', 20, 10)
    expect(takenBack([first, segment('quiet', '', 4999, 20), hidden, segment('quiet', '', 10, 0)])).toBe(
      'usage unknown (no metrics were found)',
    )
  })

  test('leaves out reasons from before the idle time', () => {
    expect(takenBack([first, segment('quiet', '', 4999, 30), segment('quiet', '', 12, 0)])).toBe(
      'usage unknown (there’s no data for 18 min of the last 1 h)',
    )
  })

  test('says how much data is missing if no reasons are kept', () => {
    expect(takenBack([first, segment('quiet', '', 60, 0, 12)])).toBe(
      'usage unknown (there’s no data for 12 min of the last 1 h)',
    )
  })
})

const sent = { at: now, before: { at: now, active: true } }
const untaken = { ...sent, outcome: { kind: 'unreached', at: now } } as const

test.each([
  ['announced again', 'expired before its call came too late', { progress: [] }, 1, 'held'],
  ['left', 'expired because its warning came too late', {}, 1, 'left'],
  ['announced again', 'failed before its call', { status: 'failed', progress: [{ sends: [], looks: [] }] }, 1, 'held'],
  ['announced again', 'was turned away', { status: 'failed', progress: [{ sends: [untaken], looks: [] }] }, 1, 'held'],
  ['left', 'failed before its call for the third time', { status: 'failed' }, 3, 'left'],
  ['left', 'failed after its call', { status: 'failed', progress: [{ sends: [sent], looks: [] }] }, 1, 'left'],
] as const)('An idle stop is %s if it %s', async (_, _why, change, attempts, state) => {
  const { services, shelf } = peopled(policyWith({ stop: 'confirmation' }))
  const asked = { occurrence: 'it', state: 'asked', attempts, at: now } as const
  const id = ruleRequestId(services, 'it', attempts)
  const actor = { team: 'T0HOME', user: 'U0ANA' }
  const line = 'stop ep-0'
  await receiveFromRule(services, 'C0OPS', {
    id,
    kind: 'operation',
    line,
    actor,
    via: 'idle',
    occurrence: 'it',
    receivedAt: now,
  })
  const stored = shelf.requests.get(id)
  if (stored === undefined) throw new Error('It is not stored.')
  stored.request = { ...stored.request, status: 'expired', plan: [], ending: { at: now, says: '' }, ...change }
  await followUp(services, { id: 'ep-0', name: 'my-llm', active: true }, null, asked)
  expect((await services.store.reconcileStates()).get(idlingKey('ep-0'))).toMatchObject({ state })
})
