import { expect, test } from 'vitest'
import { endpointIdPattern } from '../../../src/core/model/endpoint.ts'

test.each(['', '.', '..', '-a', '_a', 'a/b', 'a.b', 'a b', 'a\n', '%2e%2e', 'ä', 'x'.repeat(65)])(
  '%j is not an id that may appear in a path',
  (id) => {
    expect(endpointIdPattern.test(id)).toBe(false)
  },
)

test.each(['a', 'ep-llm', 'EP_1', '0', 'x'.repeat(64)])('%j is a valid id', (id) => {
  expect(endpointIdPattern.test(id)).toBe(true)
})
