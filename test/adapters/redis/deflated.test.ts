import { expect, test } from 'vitest'
import { deflated, inflated } from '../../../src/adapters/redis/integrity/deflated.ts'
import { Newer, readAs } from '../../../src/core/model/formats.ts'
import type { Request } from '../../../src/core/model/request.ts'

/** As the first version that packed requests has stored one. */
const stored =
  '{"format":"packed","text":"w2wHFBnibwlgqfrBFX1upS6oqiBU3Tv6OeKs8f0DgkFyqNW4pamZgYGFgaGBhRnWyhtnvQpvYr1uWvBm-RylWgA"}'

/** And as the first that packed entries of the audit. */
const since = '{"format":"~q8booBYZofc9cyt1c3JylZBjDFKPgoMlsRhkvNKb7jmvNrQo1QIA"}'

test('what was packed once is read for ever', () => {
  expect(readAs<Request>('request', inflated(stored))).toMatchObject({
    line: 'stop my-llm',
    status: 'refused',
    reason: '날짜',
  })
  expect(inflated(since)).toBe('{"format":2,"id":"r2","line":"start my-llm","status":"refused","reason":"시간"}')
})

test('a process that knows of no packing leaves what is packed to a newer one', () => {
  for (const one of [stored, since]) expect(() => readAs('request', one)).toThrow(Newer)
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
