import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/core/commands/parse.ts'
import { noPrices, type Prices } from '../../../src/core/model/automation.ts'
import type { QueryAnswer, Stopped } from '../../../src/core/model/query-answer.ts'
import { languages, say, type Words } from '../../../src/core/model/words.ts'
import { asText } from '../../../src/core/words/render.ts'
import { rows } from '../../../src/features/command-table.ts'
import { savings } from '../../../src/features/savings/command.ts'
import { savingsOf } from '../../../src/features/savings/compute.ts'
import { chartOf } from '../../../src/features/savings/format.ts'
import { english, inEnglish } from '../../support/words.ts'

const hour = 3_600_000
const now = Date.parse('2026-11-20T12:00:00Z')
const prices: Prices = { currency: 'USD', perHour: new Map([['RTX 4090', 0.5]]) }

function stopped(hoursAgo: number, by: Stopped['by'], more: Partial<Stopped> = {}): Stopped {
  const at = now - hoursAgo * hour
  return { endpoint: 'ep-llm', name: 'my-llm', gpu: 'RTX 4090', replicas: 2, at, by, start: null, ...more }
}

function shown(stops: readonly Stopped[], known = prices, over?: string): QueryAnswer {
  const saved = savingsOf(stops, { from: now - 30 * 24 * hour, now, zone: 'Asia/Seoul' }, known)
  return savings.show(saved, { values: { over }, project: 'default', role: 'viewer', now, rows })
}

function textOf({ title, items }: QueryAnswer): string {
  return [english(title), ...items.map(({ text, detail = '' }) => `${english(text)} | ${english(detail)}`)].join('\n')
}

const regretted = stopped(20, 'idle', { start: { at: now - 19.5 * hour, by: 'person' } })

describe('The answer to savings', () => {
  test('gives hours and money by cause and by endpoint, with manual stops apart', () => {
    const text = textOf(
      shown([stopped(4, 'schedule'), regretted, stopped(3, 'person', { endpoint: 'ep-2', name: 'my-tts' })]),
    )
    expect(text).toBe(
      [
        'Saved by schedules and idle stops in the last 30 days: $4.50 (9 replica-hours)',
        'By schedules: $4.00 (8 replica-hours) | 1 stop',
        'By idle stops: $0.50 (1 replica-hour) | 1 stop, 1 of them too early: a person started it again within the hour (the time saved until then counts)',
        'By manual stops, not in this total: $3.00 (6 replica-hours) | 1 stop',
        'Replica-hours per week (starting Monday), including manual stops | 16 Nov: 15 h',
        'my-llm | $4.50 (9 replica-hours) automatically',
        'my-tts | $3.00 (6 replica-hours) manually',
      ].join('\n'),
    )
  })

  test('has a total that matches its parts', () => {
    const text = textOf(shown([stopped(5.9, 'schedule'), stopped(5.9, 'idle', { endpoint: 'ep-2', name: 'my-tts' })]))
    expect(text).toMatch(
      /: \$[\d.]+ \(23\.2 replica-hours\).*\nBy schedules: .* \(11\.6 replica-hours\).*\nBy idle stops: .* \(11\.6 replica-hours\).*\n.* 16 Nov: 23\.2 h\n/,
    )
  })

  test('says how many hours have no price, and shows hours precise enough for the money', () => {
    const dear = stopped(4, 'schedule', { endpoint: 'ep-2', name: 'my-tts', gpu: 'H100' })
    expect(textOf(shown([stopped(5.9, 'schedule'), dear]))).toContain(
      'By schedules: $5.83 (19.6 replica-hours, 8 of them without a price) | 2 stops\n',
    )
    expect(textOf(shown([stopped(5.9, 'schedule')]))).toContain('By schedules: $5.83 (11.6 replica-hours)')
  })

  test('begins with what runs now and says that spending is not recorded', () => {
    const saved = savingsOf([], { from: now - 30 * 24 * hour, now, zone: 'UTC' }, prices)
    const { items } = savings.show(
      { ...saved, running: 9.45 },
      { values: {}, project: 'default', role: 'viewer', now, rows },
    )
    expect(english(items[0]?.text ?? '')).toBe('Running now: $9.45 an hour. What was spent so far isn’t recorded.')
  })

  test('without prices is in hours and says where prices come from', () => {
    const text = textOf(shown([stopped(4, 'schedule')], noPrices))
    expect(text).toContain('in the last 30 days: 8 replica-hours\n')
    expect(text).not.toContain('$')
    expect(text).toContain(
      '8 replica-hours without a price | They count in hours only. Prices come from lamplighter.yaml',
    )
  })

  test('names ten endpoints and counts the rest', () => {
    const many = Array.from({ length: 12 }, (_, at) => stopped(5, 'idle', { endpoint: `ep-${at}`, name: `e${at}` }))
    const { items } = shown(many)
    expect(items.filter(({ text }) => /^e\d+$/.test(english(text)))).toHaveLength(10)
    expect(items.map(({ text }) => text)).toContainEqual(say('savings.moreEndpoints', { count: 2 }))
  })

  test('says when the savings may be higher', () => {
    const unseen = stopped(5, 'schedule', { start: { at: now - 4 * hour, by: 'unseen', foundAt: now } })
    expect(textOf(shown([unseen]))).toContain('1 stop may have saved more | The next start')
    expect(english(shown([unseen]).title)).toContain(': at least $1.00 (2 replica-hours)')
    expect(english(shown([stopped(4, 'schedule')]).title)).not.toContain('at least')
  })

  test('has a chart by week for long spans, with bars only for causes that occurred', () => {
    const { chart, items } = shown([stopped(4, 'schedule')], prices, '4w')
    expect(inEnglish(chart)).toMatchObject({ title: 'Replica-hours saved per week', across: 'Weeks (starting Monday)' })
    expect(english(chart?.categories.at(-1) ?? '')).toBe('16 Nov')
    expect(chart?.series.map(({ name, values }) => [english(name), values.at(-1), values.length])).toEqual([
      ['Schedules', 8, chart?.categories.length],
    ])
    expect(english(items.find(({ text }) => english(text).startsWith('Replica-hours per week'))?.detail ?? '')).toBe(
      '16 Nov: 8 h',
    )
  })

  test.each([1, 14, 15, 90])('has few enough bars for a chart in Slack: %i days', (days) => {
    const stops = [stopped(4, 'schedule'), stopped(4, 'idle'), stopped(4, 'person')]
    const chart = chartOf(
      savingsOf(stops, { from: now - 6 * hour - (days - 1) * 24 * hour, now, zone: 'Asia/Seoul' }, prices),
    )
    expect(chart?.categories.length).toBeLessThanOrEqual(20)
    for (const language of languages) {
      const read = (words: readonly Words[] = []) => words.map((one) => asText(one, language))
      const labels = read(chart?.categories)
      expect(new Set(labels).size).toBe(labels.length)
      const short = [...labels, ...read(chart?.series.map(({ name }) => name))]
      expect(Math.max(...short.map(({ length }) => length))).toBeLessThanOrEqual(20)
      const long = read(chart === null ? [] : [chart.title, chart.across, chart.unit])
      expect(Math.max(...long.map(({ length }) => length))).toBeLessThanOrEqual(50)
    }
    expect(chart?.series.every(({ values }) => values.length === chart.categories.length)).toBe(true)
  })

  test('has no chart and no empty rows if nothing was stopped', () => {
    expect(shown([]).chart).toBeUndefined()
    expect(textOf(shown([]))).toBe(
      'Saved by schedules and idle stops in the last 30 days: 0 replica-hours\nNothing was stopped in that period. | ',
    )
    expect(textOf(shown([stopped(4, 'schedule')]))).not.toMatch(/By idle stops|By manual stops/)
  })

  test('lists days for short spans, beside the chart', () => {
    const stops = [stopped(4, 'schedule'), stopped(28, 'person', { start: { at: now - 27 * hour, by: 'person' } })]
    const saved = savingsOf(stops, { from: now - 6 * 24 * hour, now, zone: 'UTC' }, prices)
    const { items } = savings.show(saved, { values: { over: '1w' }, project: 'default', role: 'viewer', now, rows })
    const days = items.find(({ text }) => typeof text === 'object' && 'say' in text && text.say === 'savings.periods')
    expect(english(days?.detail ?? '')).toBe('Thu 19: 2 h · Fri 20: 8 h')
  })
})

test.each([
  ['savings', 'savings'],
  ['savings 7D', 'savings 7d'],
  ['savings 12w', 'savings 12w'],
  ['savings month', 'savings 30d'],
  ['savings Week', 'savings 7d'],
])('“%s” is read', (typed, line) => {
  expect(readLine(typed, rows)).toMatchObject({ kind: 'line', read: { line } })
})

test.each([
  [
    'savings 0d',
    'Time span must be days or weeks such as 7d or 4w, or this week, last week, this month, or last month, not “0d”.',
  ],
  [
    'savings 3h',
    'Time span must be days or weeks such as 7d or 4w, or this week, last week, this month, or last month, not “3h”.',
  ],
  ['savings 91d', 'Time span can go back 90 days at most.'],
])('“%s” is answered with the correction', (typed, says) => {
  expect(inEnglish(readLine(typed, rows))).toEqual({ kind: 'misread', says })
})
