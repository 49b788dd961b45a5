import { expect, test } from 'vitest'
import { refusedView } from '../../../src/adapters/api/problem.ts'

test.each([
  [422, { status: 'refused', open: false, why: 'line' }],
  // The request that was asked about may still be open.
  [429, { why: 'line' }],
  [503, { why: 'line' }],
])('A problem with status %i is shown to an agent as %o', (status, view) => {
  expect(refusedView(status, { type: 'urn:lamplighter:line' })).toEqual(view)
})
