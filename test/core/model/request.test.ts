import { describe, expect, test } from 'vitest'
import { assertMove, isEnded, type Status, statuses } from '../../../src/core/model/request.ts'

function mayMove(from: Status, to: Status): boolean {
  try {
    assertMove(from, to, [{ at: 1, what: to }])
    return true
  } catch {
    return false
  }
}

const ends: readonly Status[] = ['succeeded', 'failed', 'attention', 'refused', 'declined', 'expired', 'cancelled']

function nextOf(from: Status): readonly Status[] {
  return statuses.filter((to) => to !== from && mayMove(from, to))
}

/** Returns every status reachable from this one, itself included. */
function reachableFrom(from: Status): ReadonlySet<Status> {
  const seen = new Set([from])
  // Iterating a Set also visits the elements added during the loop.
  for (const status of seen) for (const to of nextOf(status)) seen.add(to)
  return seen
}

describe('The life of a request', () => {
  test('allows exactly these moves', () => {
    expect(Object.fromEntries(statuses.map((from) => [from, nextOf(from)]))).toEqual({
      received: ['awaiting', 'running', 'succeeded', 'failed', 'refused', 'expired', 'cancelled'],
      awaiting: ['running', 'failed', 'refused', 'declined', 'expired', 'cancelled'],
      running: ['awaiting', 'succeeded', 'failed', 'attention', 'refused', 'expired', 'cancelled'],
      succeeded: [],
      failed: [],
      attention: [],
      refused: [],
      declined: [],
      expired: [],
      cancelled: [],
    })
  })

  test('ends in a final status that never changes', () => {
    expect(statuses.filter(isEnded)).toEqual(ends)
    for (const from of ends) expect(statuses.filter((to) => mayMove(from, to))).toEqual([from])
  })

  test('accepts a note in any status without leaving it', () => {
    for (const status of statuses) expect(mayMove(status, status)).toBe(true)
  })

  test('can reach every status, and an end from every status', () => {
    expect(reachableFrom('received')).toEqual(new Set(statuses))
    for (const from of statuses) expect([...reachableFrom(from)].some(isEnded)).toBe(true)
  })

  test('never returns to received', () => {
    expect(statuses.filter((from) => nextOf(from).includes('received'))).toEqual([])
  })

  test('is declined only while awaiting, and needs attention only after running', () => {
    expect(statuses.filter((from) => nextOf(from).includes('declined'))).toEqual(['awaiting'])
    expect(statuses.filter((from) => nextOf(from).includes('attention'))).toEqual(['running'])
  })

  test('changes status only with an event, so the audit records it', () => {
    expect(() => assertMove('received', 'running', [])).toThrow('needs an event')
    expect(() => assertMove('received', 'running', [{ at: 1, what: 'sent' }])).not.toThrow()
    expect(() => assertMove('running', 'running', [])).not.toThrow()
    expect(() => assertMove('succeeded', 'running', [{ at: 1, what: 'sent' }])).toThrow('cannot become running')
  })
})
