import fc from 'fast-check'
import { expect, test } from 'vitest'
import { peopled, policies } from '../support/memory/cast.ts'
import { staged } from '../support/memory/stage.ts'
import { steps } from '../support/memory/steps.ts'
import { tries } from '../support/search.ts'

/** Each seed plays 1,000 sequences, few enough to find a failing one again quickly. */
const seeds = Array.from({ length: tries(10, 3) }, (_, at) => at + 1)
const tally = new Map<string, number>()

/** Fails with the seed, the path, and the shortest sequence that still breaks a rule. */
function play(seed: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(policies, fc.boolean(), steps, async (policy, drops, sequence) => {
      const stage = staged(peopled(policy, drops))
      await fc.asyncModelRun(() => ({ model: stage.oracle, real: stage }), sequence)
      for (const [what, times] of stage.oracle.tally) tally.set(what, (tally.get(what) ?? 0) + times)
    }),
    { seed, numRuns: 1_000 },
  )
}

test.each(seeds)('no sequence of people, policies, time and dying workers does anything forbidden (seed %d)', (seed) =>
  play(seed),
)

test.each([
  'called',
  'expired',
  'declined',
  'voted for another',
  'cancelled by somebody',
  'done under nothing',
  'done under confirmation',
  'done under approval',
  'done under several approvals',
  'done under approval by glass',
  'changed by unprotect',
  'changed by thaw',
  'changed by away',
  'changed by back',
  'changed by schedule',
  'changed by keep',
  'changed by idle',
  'changed by unschedule',
])('the sequences often reached: %s', (what) => {
  expect(tally.get(what) ?? 0).toBeGreaterThan(5)
})
