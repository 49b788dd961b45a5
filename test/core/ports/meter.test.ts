import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sparingly } from '../../../src/core/ports/meter.ts'

let lines: string[]
const log = { warn: (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`) }

beforeEach(() => {
  lines = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

test('a warning is logged once, and its repetitions as a count when they stop, or each minute', () => {
  const warn = sparingly(log)
  for (let n = 1; n <= 58; n += 1) warn('chat.update internal_error', { request: `r${n}` }, 'Slack refused a call')
  warn('chat.update ratelimited', { request: 'r59' }, 'Slack refused a call')
  expect(lines.splice(0)).toEqual(['{"request":"r1"} Slack refused a call', '{"request":"r59"} Slack refused a call'])
  vi.advanceTimersByTime(20_000)
  expect(lines.splice(0)).toEqual(['{"times":57} Slack refused a call (again, 57 times)'])
  warn('chat.update internal_error', { request: 'r60', channel: 'ops' }, 'Slack refused a call')
  vi.advanceTimersByTime(20_000)
  expect(lines.splice(0)).toEqual(['{"channel":"ops","times":1} Slack refused a call (again, 1 time)'])
  for (let n = 0; n < 60; n += 1) {
    warn('chat.update internal_error', {}, 'Slack refused a call')
    vi.advanceTimersByTime(1_000)
  }
  expect(lines.splice(0)).toEqual(['{"times":60} Slack refused a call (again, 60 times)'])
})

test('after a quiet minute a warning is logged in full again', () => {
  const warn = sparingly(log)
  warn('a', {}, 'trouble')
  vi.advanceTimersByTime(60_000)
  warn('a', {}, 'trouble')
  expect(lines).toEqual(['{} trouble', '{} trouble'])
})

test('the end of a trouble is logged once, after its count, and ends the count of that trouble only', () => {
  const warn = sparingly(log)
  warn.over('', {}, 'Redis can be reached again')
  for (let n = 1; n <= 5; n += 1) warn('redis ECONNREFUSED', {}, 'Redis cannot be reached')
  for (let n = 1; n <= 2; n += 1) warn('slack', {}, 'Slack refused a call')
  for (let n = 1; n <= 2; n += 1) warn.over('redis', {}, 'Redis can be reached again')
  expect(lines.splice(0)).toEqual(['{} Redis cannot be reached', '{} Slack refused a call'])
  vi.advanceTimersByTime(10_000)
  expect(lines.splice(0)).toEqual([
    '{"times":4} Redis cannot be reached (again, 4 times)',
    '{} Redis can be reached again',
  ])
  warn('redis ECONNREFUSED', {}, 'Redis cannot be reached')
  expect(lines.splice(0)).toEqual(['{} Redis cannot be reached'])
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual(['{"times":1} Slack refused a call (again, 1 time)'])
})

test('a trouble that comes and goes all the time is counted, and is not over until it stays away', () => {
  const warn = sparingly(log)
  for (let second = 1; second <= 600; second += 1) {
    if (second % 2 === 1) warn('redis', {}, 'Redis cannot be reached')
    else warn.over('redis', {}, 'Redis can be reached again')
    vi.advanceTimersByTime(1_000)
  }
  const minutes = lines.splice(0)
  expect(minutes.shift()).toBe('{} Redis cannot be reached')
  expect(minutes).toHaveLength(10)
  expect(minutes.every((line) => / cannot be reached \(again, \d+ times\)$/.test(line))).toBe(true)
  expect(minutes.reduce((sum, line) => sum + Number(/\d+/.exec(line)), 0)).toBe(299)
  warn.over('redis', {}, 'Redis can be reached again')
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual(['{} Redis can be reached again'])
})

test('kinds beyond the limit share one count', () => {
  const warn = sparingly(log)
  for (let n = 0; n < 10_000; n += 1) warn(`kind ${n}`, {}, 'trouble')
  expect(lines.length).toBeLessThanOrEqual(101)
  expect(vi.getTimerCount()).toBeLessThanOrEqual(101)
  vi.advanceTimersByTime(60_000)
  expect(lines.at(-1)).toContain('(again, 9899 times)')
})
