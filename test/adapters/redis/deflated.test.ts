import { expect, test } from 'vitest'
import { deflated, inflated } from '../../../src/adapters/redis/integrity/deflated.ts'
import { Newer, readAs } from '../../../src/core/model/formats.ts'

/** As the first version that packed has stored a request. */
const stored = '{"format":"~q8booBYZofc9cyt1c3JylZBjDFKPgoMlsRhkvNKb7jmvNrQo1QIA"}'

test('what was packed once is read for ever', () => {
  expect(inflated(stored)).toBe('{"format":2,"id":"r2","line":"start my-llm","status":"refused","reason":"시간"}')
})

test('a process that knows of no packing leaves what is packed to a newer one', () => {
  expect(() => readAs('request', stored)).toThrow(Newer)
})

test('a text that was not packed stays as it is', () => {
  const text = '{"format":2,"id":"r1"}'
  expect(inflated(text)).toBe(text)
  expect(inflated(deflated(text))).toBe(text)
})

test('a text that cannot be unpacked is not taken for another', () => {
  const broken = '{"format":"~w-yg"}'
  expect(inflated(broken)).toBe(broken)
})

test('a text that would fill the memory is not unpacked', () => {
  const bomb = deflated(' '.repeat(40 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(100_000)
  expect(inflated(bomb)).toBe(bomb)
})
