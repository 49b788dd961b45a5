import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { beginStream } from '../../../src/adapters/api/problem.ts'

afterEach(() => void vi.useRealTimers())

test('a stream without news sends a comment every 15 s until it closes', () => {
  vi.useFakeTimers()
  const sent: string[] = []
  const heads: unknown[] = []
  const response = new EventEmitter() as unknown as Parameters<typeof beginStream>[0] & EventEmitter
  response.write = (part: string) => sent.push(part) > 0
  response.writeHead = (...head: unknown[]) => {
    heads.push(head)
    return response as never
  }
  beginStream(response)
  expect(heads).toMatchObject([[200, { 'x-accel-buffering': 'no' }]])
  vi.advanceTimersByTime(45_000)
  expect(sent).toEqual([': waiting\n\n', ': waiting\n\n', ': waiting\n\n'])
  response.emit('close')
  vi.advanceTimersByTime(60_000)
  expect(sent).toHaveLength(3)
})
