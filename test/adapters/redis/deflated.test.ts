import { expect, test } from 'vitest'
import { deflated, inflated } from '../../../src/adapters/redis/requests/deflated.ts'
import { Newer, readAs } from '../../../src/core/model/formats.ts'
import type { Request } from '../../../src/core/model/request.ts'

/** As the first version that packed requests has stored one. */
const stored =
  '{"format":"packed","text":"w2wHFBnibwlgqfrBFX1upS6oqiBU3Tv6OeKs8f0DgkFyqNW4pamZgYGFgaGBhRnWyhtnvQpvYr1uWvBm-RylWgA"}'

test('what was packed once is read for ever', () => {
  expect(readAs<Request>('request', inflated(stored))).toMatchObject({
    line: 'stop my-llm',
    status: 'refused',
    reason: '날짜',
  })
})

test('a process that knows of no packing leaves what is packed to a newer one', () => {
  expect(() => readAs('request', stored)).toThrow(Newer)
})

test('a text that was not packed stays as it is', () => {
  const text = '{"format":2,"id":"r1"}'
  expect(inflated(text)).toBe(text)
  expect(inflated(deflated(text))).toBe(text)
})
