import { describe, expect, test } from 'vitest'
import type { IdleRule } from '../../../src/core/model/records.ts'
import { policyFile } from '../../../src/core/model/roles.ts'
import { floorOf } from '../../../src/features/idle/candidate.ts'

const rule: IdleRule = {
  kind: 'idle',
  endpoint: 'ep-llm',
  mode: 'on',
  after: 60,
  warn: 10,
  owner: { team: 'T0', user: 'U0ANA' },
  at: 100,
}
const team = (after: number): IdleRule => ({ ...rule, after, owner: policyFile, at: 0 })

describe('Idle time', () => {
  test('counts from when the rule was made, or from the noted time if that is later', () => {
    expect(floorOf(undefined, rule, [], 200)).toEqual({ since: 100 })
    expect(floorOf({ state: 'asked', at: 180, since: 150 }, rule, [], 200)).toEqual({ since: 150 })
    expect(floorOf({ state: 'asked', at: 180, since: 90 }, rule, [], 200)).toEqual({ since: 100 })
  })

  test('counts from a stop that was given up, but not from one that is still asked', () => {
    expect(floorOf({ state: 'left', at: 180, since: 150 }, rule, [], 200)).toEqual({ since: 180 })
  })

  test('counts from the end of a hold, even after the hold is deleted', () => {
    const held = floorOf(undefined, rule, [{ until: 300 }], 200)
    expect(held).toEqual({ since: 300 })
    expect(floorOf({ state: 'held', at: 200, ...held }, rule, [], 400)).toEqual({ since: 300 })
  })

  test('counts from when a hold was removed', () => {
    expect(floorOf({ state: 'held', at: 200, since: 300 }, rule, [], 250)).toEqual({ since: 250 })
    expect(floorOf({ state: 'held', at: 200, since: 300 }, rule, [{ until: 280 }], 250)).toEqual({ since: 280 })
  })

  test('counts from the first look at a policy rule, and again when its length changes', () => {
    const first = floorOf(undefined, team(60), [], 200)
    expect(first).toEqual({ since: 200, after: 60 })
    const noted = { state: 'held', at: 200, ...first } as const
    expect(floorOf(noted, team(60), [], 500)).toEqual(first)
    expect(floorOf(noted, team(30), [], 500)).toEqual({ since: 500, after: 30 })
  })

  test('counts again when a policy rule comes back', () => {
    const gone = floorOf({ state: 'held', at: 200, since: 200, after: 60 }, null, [], 300)
    expect(gone).toEqual({ since: 200 })
    expect(floorOf({ state: 'held', at: 200, ...gone }, team(60), [], 400)).toEqual({ since: 400, after: 60 })
  })
})
