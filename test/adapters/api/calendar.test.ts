import { expect, test } from 'vitest'
import { calendarOf } from '../../../src/adapters/api/calendar.ts'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import type { UpcomingChange } from '../../../src/core/model/query-answer.ts'
import type { Records } from '../../../src/core/model/records.ts'
import type { ProjectGateway } from '../../../src/core/requests/gateway.ts'
import { commands } from '../../../src/features/command-table.ts'

const now = Date.UTC(2027, 2, 27, 12)
const endpoints: readonly Endpoint[] = [
  { id: 'ep-llm', name: 'my-llm', active: true, tags: ['prod'] },
  {
    id: 'ep-odd',
    name: 'a;b,c\\d 모델-이름이-아주-길어서-한-줄에-다-들어가지-않는-엔드포인트',
    active: false,
    tags: ['ci'],
  },
]
const coming: readonly UpcomingChange[] = [
  { endpoint: { id: 'ep-llm', name: 'my-llm' }, at: Date.UTC(2027, 2, 27, 19), want: 'down' },
  { endpoint: { id: 'ep-odd', name: endpoints[1]?.name ?? '' }, at: Date.UTC(2027, 2, 28, 7), want: 'up' },
]

function written(
  language: 'en' | 'ko' = 'en',
  on?: readonly string[],
  at = now,
  records: Records = new Map(),
): Promise<string> {
  const gateway = {
    project: 'team-a',
    home: { coming: async () => coming },
    store: { open: async () => [], names: async () => ({ endpoints, at }), records: async () => records },
  } as unknown as ProjectGateway
  return calendarOf(commands, { gateway, ...(on && { on }) }, language, at)
}

/** Reads the events by the rules of RFC 5545: unfolds lines, cuts them at the first colon, unescapes values. */
function eventsIn(text: string): readonly Readonly<Record<string, string>>[] {
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  const events: Record<string, string>[] = []
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') events.push({})
    const [, name = '', value = ''] = /^([^:;]+)[^:]*:(.*)$/.exec(line) ?? []
    Object.assign(events.at(-1) ?? {}, { [name]: value.replaceAll(/\\(.)/g, '$1') })
  }
  return events
}

test('a calendar says what starts and stops, in UTC and in the language of its person', async () => {
  expect(eventsIn(await written())).toMatchObject([
    { SUMMARY: 'my-llm stops', DTSTART: '20270327T190000Z', DTSTAMP: '20270327T120000Z' },
    { SUMMARY: `${endpoints[1]?.name} starts`, DTSTART: '20270328T070000Z' },
  ])
  expect(eventsIn(await written('ko'))[0]?.['SUMMARY']).toBe('my-llm 중지')
})

test('every line has at most 75 octets and ends with CRLF', async () => {
  const text = await written()
  const lines = text.split('\r\n')
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(lines.some((line) => line.startsWith(' '))).toBe(true)
  expect(text).not.toContain('VTIMEZONE')
})

test('an event keeps its id from one download to the next', async () => {
  const [first, later] = [eventsIn(await written()), eventsIn(await written('en', undefined, now + 60_000))]
  expect(later.map(({ UID }) => UID)).toEqual(first.map(({ UID }) => UID))
  expect(new Set(first.map(({ UID }) => UID)).size).toBe(2)
})

test('a calendar that is limited to a tag leaves out every other endpoint', async () => {
  expect(eventsIn(await written('en', ['tag:ci'])).map(({ DTSTART }) => DTSTART)).toEqual(['20270328T070000Z'])
})

test('a name cannot add a line', async () => {
  const gateway = {
    project: 'x',
    home: {
      coming: async () => [{ endpoint: { id: 'e', name: 'a\r\nATTACH:b' }, at: now + 1, want: 'up' }],
    },
    store: { open: async () => [], names: async () => null, records: async () => new Map() },
  } as unknown as ProjectGateway
  const [event] = eventsIn(await calendarOf(commands, { gateway }, 'en', now))
  expect(event).not.toHaveProperty('ATTACH')
})

test('the calendar answers 503 while all changes are blocked', async () => {
  const records: Records = new Map([['lockdown', { kind: 'lockdown', at: now, why: 'An entry is missing.' }]])
  await expect(written('en', undefined, now, records)).rejects.toMatchObject({
    problem: { status: 503, type: 'locked' },
  })
})

test('a calendar without events still has a component, as RFC 5545 requires', async () => {
  const text = await written('en', ['tag:none'])
  expect(eventsIn(text)).toEqual([])
  expect(text).toContain('BEGIN:VTIMEZONE')
})
