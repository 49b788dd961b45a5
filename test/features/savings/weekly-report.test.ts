import { expect, test } from 'vitest'
import type { Request } from '../../../src/core/model/request.ts'
import type { Reports } from '../../../src/core/ports/request-store.ts'
import type { Services } from '../../../src/core/ports/services.ts'
import { readDate } from '../../../src/core/time/calendar.ts'
import { instantOf } from '../../../src/core/time/zone.ts'
import { savingsAnswer } from '../../../src/features/savings/command.ts'
import { savedIn, savingsAsked, weeklyReport } from '../../../src/features/savings/query.ts'
import { policyWith } from '../../support/memory/cast.ts'
import { createMemoryServices } from '../../support/memory/services.ts'
import { english } from '../../support/words.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const zone = 'Asia/Seoul'

/** A Monday at 09:00 in Seoul. */
const monday = instantOf(readDate('2026-11-23') ?? 0, 9 * 60, zone)

/** A project with one stop a day before that Monday, and the requests that each look hands in. */
function begin(stoppedAt = monday - day) {
  const usual = policyWith({ stop: 'nothing' })
  const memory = createMemoryServices({ policy: { ...usual, automation: { ...usual.automation, zone } } })
  let now = monday
  let noted: string | null = null
  const handedIn: Request[] = []
  const reports: Reports = {
    newest: async () => noted,
    note: async (week) => {
      noted = week
    },
  }
  const stop = stopAt(stoppedAt)
  const services: Services = {
    ...memory.services,
    clock: { ...memory.services.clock, now: () => now },
    store: {
      ...memory.services.store,
      past: async (since) => ({ requests: since < (stop.ending?.at ?? 0) ? [stop] : [], more: false }),
      names: async () => ({ at: now, endpoints: [{ id: 'ep-llm', name: 'my-llm', active: false }] }),
      async receive(request) {
        const known = handedIn.some(({ id }) => id === request.id)
        if (!known) handedIn.push(request)
        return { kind: known ? 'known' : 'stored', workers: true }
      },
    },
  }
  return {
    reports,
    services,
    handedIn,
    noted: () => noted,
    look: (at: number) => {
      now = at
      return weeklyReport(services, reports)
    },
  }
}

function stopAt(at: number): Request {
  const seen = { at, active: true, replicas: 2 }
  return {
    id: 'r1',
    project: 'default',
    kind: 'operation',
    line: 'stop ep-llm',
    actor: { team: '', user: '' },
    place: { channel: 'C0OPS' },
    via: 'schedule',
    receivedAt: at,
    status: 'succeeded',
    endpoint: { id: 'ep-llm', name: 'my-llm' },
    plan: [{ says: 'stop', call: { method: 'post', path: '/' }, goal: 'stopped', repeatable: true }],
    progress: [
      { sends: [{ at, before: seen, outcome: { kind: 'answered', at } }], looks: [{ at, active: false }], done: true },
    ],
    ending: { at, says: 'Stopped my-llm.' },
    notes: [],
    nextAt: null,
  }
}

test('The first look only notes the week, so nothing older is reported', async () => {
  const { look, handedIn, noted } = begin()
  await look(monday + minute)
  expect([handedIn, noted()]).toEqual([[], '2026-11-23'])
})

test('The report is posted at nine on Monday, team time, in nobody’s name and for everyone', async () => {
  const { look, handedIn } = begin()
  await look(monday - day)
  await look(monday - minute)
  expect(handedIn).toEqual([])
  await look(monday)
  expect(handedIn).toMatchObject([
    {
      line: 'savings last week',
      kind: 'query',
      open: true,
      actor: { team: '', user: '' },
      place: { channel: 'C0OPS' },
    },
  ])
})

test('The report is posted once, however many workers look, and again a week later', async () => {
  const { look, handedIn, services, reports } = begin()
  await look(monday - day)
  const late: Reports = { newest: async () => '2026-11-16', note: reports.note }
  await Promise.all([look(monday), weeklyReport(services, late)])
  await look(monday + hour)
  expect(handedIn).toHaveLength(1)
  await look(monday + 7 * day)
  expect(new Set(handedIn.map(({ id }) => id)).size).toBe(2)
})

test('A report missed on Monday is not posted on Tuesday', async () => {
  const { look, handedIn, noted } = begin()
  await look(monday - day)
  await look(monday + day)
  expect([handedIn, noted()]).toEqual([[], '2026-11-23'])
})

test('A week without savings is not reported', async () => {
  const { look, handedIn } = begin()
  await look(monday + 20 * day)
  await look(monday + 21 * day)
  expect(handedIn).toEqual([])
})

test('Savings since midnight belong to the next week’s report', async () => {
  const { look, handedIn } = begin(monday - 9 * hour - 5 * minute)
  await look(monday - day)
  await look(monday)
  expect(handedIn).toEqual([])
  await look(monday + 7 * day)
  expect(handedIn).toHaveLength(1)
})

test('A report that could not be stored is tried again', async () => {
  const { look, services, reports, noted } = begin()
  await look(monday - day)
  const away: Services = {
    ...services,
    store: { ...services.store, receive: async () => ({ kind: 'nothing', why: 'away' }) },
  }
  await look(monday - minute)
  await expect(weeklyReport({ ...away, clock: { ...services.clock, now: () => monday } }, reports)).rejects.toThrow(
    'could not be stored',
  )
  expect(noted()).toBe('2026-11-16')
})

test('Seven days are the same in a report and in an answer', async () => {
  const { services, look, handedIn } = begin()
  await look(monday - day)
  await look(monday)
  expect(handedIn[0]?.shown?.chart?.categories).toHaveLength(7)
  const outcome = await savingsAsked(services, { values: { over: '7d' }, request: stopAt(monday), endpoint: undefined })
  expect(outcome).toMatchObject({ kind: 'answered', answer: { days: { length: 7 } } })
})

test('Last week is the week of the report, on any day after it', async () => {
  const { services, look } = begin()
  await look(monday + 2 * day)
  const asked = { request: stopAt(monday), endpoint: undefined }
  const outcome = await savingsAsked(services, { ...asked, values: { over: 'last week' } })
  expect(outcome).toMatchObject({ answer: { days: { 0: { day: readDate('2026-11-16') }, length: 7 } } })
})

test('Last month is a whole month of the calendar', async () => {
  const { services } = begin()
  const asked = { request: stopAt(monday), endpoint: undefined }
  const outcome = await savingsAsked(services, { ...asked, values: { over: 'last month' } })
  if (outcome.kind !== 'answered') throw new Error(`It was ${outcome.kind}.`)
  expect(outcome).toMatchObject({ answer: { days: { 0: { day: readDate('2026-10-01') }, length: 31 } } })
  expect(english(savingsAnswer(outcome.answer, 'last month').title ?? '')).toMatch(/^Saved by .* last month: /)
})

test.each([
  ['this week', '2026-11-23', 3],
  ['this month', '2026-11-01', 25],
])('%s is that of the calendar up to now', async (over, first, length) => {
  const { services, look } = begin()
  await look(monday + 2 * day)
  const outcome = await savingsAsked(services, { request: stopAt(monday), endpoint: undefined, values: { over } })
  if (outcome.kind !== 'answered') throw new Error(`It was ${outcome.kind}.`)
  expect(outcome).toMatchObject({ answer: { days: { 0: { day: readDate(first) }, length } } })
  expect(english(savingsAnswer(outcome.answer, over).title ?? '')).toContain(`idle stops ${over}: `)
})

test('With more requests than are counted, the answer says that older stops are missing', async () => {
  const { services } = begin()
  const store = { ...services.store, past: async () => ({ requests: [stopAt(monday - day)], more: true }) }
  const asked = [200, 100].map((searched) =>
    savedIn({ ...services, store }, { from: monday - 7 * day, to: monday }, searched),
  )
  for (const saved of await Promise.all(asked)) {
    const { title, items } = savingsAnswer(saved, '7d')
    expect(english(title)).toContain('at least')
    expect(items.map(({ text }) => english(text))).toContain(
      'There were too many requests to count them all, so the oldest stops are missing.',
    )
  }
  const whole = await savedIn(services, { from: monday - 7 * day, to: monday })
  expect(english(savingsAnswer(whole, '7d').title)).not.toContain('at least')
})
