import { describe, expect, test } from 'vitest'
import { assertMove, isEnded, mayMove, type Status, statuses } from '../../../src/core/model/request.ts'

const ends: readonly Status[] = ['succeeded', 'failed', 'attention', 'refused', 'declined', 'expired', 'cancelled']

function nextOf(from: Status): readonly Status[] {
  return statuses.filter((to) => to !== from && mayMove(from, to))
}

/** Everything that can come of a status, itself included. */
function reachableFrom(from: Status): ReadonlySet<Status> {
  const seen = new Set([from])
  // A set is walked with what is added on the way.
  for (const status of seen) for (const to of nextOf(status)) seen.add(to)
  return seen
}

describe('The life of a request', () => {
  test('is as written here', () => {
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

  test('ends, and an end never becomes anything else', () => {
    expect(statuses.filter(isEnded)).toEqual(ends)
    for (const from of ends) expect(statuses.filter((to) => mayMove(from, to))).toEqual([from])
  })

  test('stays what it is when something is noted, at any time', () => {
    for (const status of statuses) expect(mayMove(status, status)).toBe(true)
  })

  test('can come to every status, and from every status to an end', () => {
    expect(reachableFrom('received')).toEqual(new Set(statuses))
    for (const from of statuses) expect([...reachableFrom(from)].some(isEnded)).toBe(true)
  })

  test('never begins again', () => {
    expect(statuses.filter((from) => nextOf(from).includes('received'))).toEqual([])
  })

  test('is declined only by somebody who was asked, and unclear only once something was called', () => {
    expect(statuses.filter((from) => nextOf(from).includes('declined'))).toEqual(['awaiting'])
    expect(statuses.filter((from) => nextOf(from).includes('attention'))).toEqual(['running'])
  })

  test('changes only with an event, so that the audit has it', () => {
    expect(() => assertMove('received', 'running', [])).toThrow('needs an event')
    expect(() => assertMove('received', 'running', [{ at: 1, what: 'sent' }])).not.toThrow()
    expect(() => assertMove('running', 'running', [])).not.toThrow()
    expect(() => assertMove('succeeded', 'running', [{ at: 1, what: 'sent' }])).toThrow('cannot become running')
  })
})
