import { afterEach, describe, expect, test } from 'vitest'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'
import { effects } from '../support/ends.ts'
import { endWatch, llm, startWatchtower, watched } from '../support/idle.ts'
import { asks, ops } from '../support/ops.ts'

afterEach(endWatch)
/** Its metrics don't say which replica they belong to. */
const twins = { endpoints: [{ ...llm, server: 'tgi' as const }] }

function logCalls(platform: PlatformSandbox): number {
  return platform.calls().filter(({ operation }) => operation === 'listLogFiles').length
}

/** Announces an idle stop of two replicas that only their logs tell apart. */
async function warnedByLogs() {
  const set = await watched('after 60m', twins)
  await set.looks(1, 20, 20, 21)
  await set.ana.sees('💤 my-llm stops', ops)
  return set
}

describe('Replicas that metrics cannot tell apart', () => {
  test('are idle while their logs are silent, which the warning says, and are stopped', async () => {
    const { ana, town, told } = await warnedByLogs()
    expect(told()).toMatch(/no requests for 1 h( \d min)? on both replicas \(from TGI metrics and logs\)/)
    await town.minutesPass(11)
    await ana.sees('Stopped my-llm', ops)
  })

  test('have their logs read once more right before the call', async () => {
    const { ana, town, platform, looks } = await warnedByLogs()
    await looks(6, 3)
    platform.traffic('ep-llm', { perMinute: 4 })
    await town.minutesPass(1)
    platform.traffic('ep-llm', { perMinute: 0 })
    await town.minutesPass(1)
    await ana.sees(/my-llm keeps running: .*wrote to its log/, ops)
    expect(effects(town)).toEqual([])
  })

  test('have their logs read at most every five minutes, and only under an idle rule', async () => {
    const { ana, town, looks } = await startWatchtower(twins)
    await looks(1, 6)
    expect(logCalls(town.platform)).toBe(0)
    await asks(ana, 'idle my-llm try after 60m', /would be stopped/)
    await looks(1, 1, 1, 1, 1)
    expect(logCalls(town.platform)).toBe(1)
    await looks(2)
    expect(logCalls(town.platform)).toBe(2)
  })
})

test('No log is read when every replica can be reached', async () => {
  const { platform, looks } = await watched()
  await looks(1, 20)
  expect(logCalls(platform)).toBe(0)
})
