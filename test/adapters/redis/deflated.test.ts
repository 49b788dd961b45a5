import { expect, test } from 'vitest'
import { deflated, inflated } from '../../../src/adapters/redis/integrity/sign.ts'
import { Newer, readAs } from '../../../src/core/model/formats.ts'

/** A request as the first version with packing stored it. */
const stored = '{"format":"~q8booBYZofc9cyt1c3JylZBjDFKPgoMlsRhkvNKb7jmvNrQo1QIA"}'

test('text packed by the first version is still read', () => {
  expect(inflated(stored)).toBe('{"format":2,"id":"r2","line":"start my-llm","status":"refused","reason":"시간"}')
})

test('packed text counts as a newer format for a process that can’t unpack it', () => {
  expect(() => readAs('request', stored)).toThrow(Newer)
})

test('text that was never packed stays as it is', () => {
  const text = '{"format":2,"id":"r1"}'
  expect(inflated(text)).toBe(text)
  expect(inflated(deflated(text))).toBe(text)
})

test('text that can’t be unpacked is returned as it is', () => {
  const broken = '{"format":"~w-yg"}'
  expect(inflated(broken)).toBe(broken)
})

test('a text that would fill the memory is not unpacked', () => {
  const bomb = deflated(' '.repeat(40 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(100_000)
  expect(inflated(bomb)).toBe(bomb)
})
