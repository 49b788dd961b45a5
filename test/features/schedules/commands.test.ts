import { describe, expect, test } from 'vitest'
import type { Context, Query } from '../../../src/core/commands/define.ts'
import { readLine } from '../../../src/core/commands/parse.ts'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import type { EndpointRules, Schedules } from '../../../src/core/model/query-answer.ts'
import type { FieldValues } from '../../../src/core/model/request.ts'
import { policyFile } from '../../../src/core/model/roles.ts'
import type { Rule, Rules } from '../../../src/core/model/rules.ts'
import { instant } from '../../../src/core/time/format.ts'
import { rows } from '../../../src/features/command-table.ts'
import { list } from '../../../src/features/endpoints/list.ts'
import { schedules } from '../../../src/features/endpoints/schedules-overview.ts'
import { status } from '../../../src/features/endpoints/status.ts'
import { english, inEnglish } from '../../support/words.ts'
import { ana, at, hold, nothing, once, weekly } from './schedule.ts'

const now = at('2026-11-20 12:00')
const office: Rules = { ...nothing, weekly: [weekly('r1', 'up weekdays 09:00-20:00')] }
const llm: Endpoint = { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 }

function show(row: Query, answer: unknown, values: FieldValues = {}, rules?: Rules) {
  const context: Context<FieldValues> = { values, project: 'default', role: 'viewer', rows, now }
  return inEnglish(row.show(answer, rules === undefined ? context : { ...context, rulesOf: () => rules }))
}

function ruled(rules: Rules, name = 'my-llm', resting = false): EndpointRules {
  const all: readonly Rule[] = [...rules.weekly, ...rules.once, ...rules.holds]
  return { endpoint: { id: `ep-${name}`, name }, entries: all.map((rule) => ({ rule, resting })), rules }
}

function answer(...all: readonly EndpointRules[]): Schedules {
  return { freeze: null, ruled: all, outlooks: [] }
}

describe('status and list', () => {
  test('say what the rules want and what is next, and nothing without rules', () => {
    expect(show(status, llm, {}, office).items[1]).toEqual({
      text: 'Schedule: running weekdays 09:00–20:00 Seoul time',
    })
    expect(show(status, llm, {}, nothing).items).toHaveLength(1)
    const page = { endpoints: [llm], page: 1, pages: 1, total: 1 }
    expect(show(list, page, {}, office).items[0]?.detail).toBe('running · stops in 8 h (schedule) · 3 replicas')
    expect(show(list, page, {}, nothing).items[0]?.detail).toBe('running · 3 replicas')
  })
})

test('Without a rule that starts it, status and schedules say that an endpoint stays stopped', () => {
  const nights = { ...nothing, weekly: [weekly('r1', 'down daily 22:00-06:00')] }
  const stays = 'After a stop, it stays stopped until someone starts it.'
  expect(JSON.stringify(show(status, { ...llm, active: false }, {}, nights))).toContain(stays)
  expect(JSON.stringify(show(schedules, answer(ruled(nights))))).toContain(stays)
  const both = { ...nothing, weekly: [...nights.weekly, ...office.weekly] }
  expect(JSON.stringify(show(schedules, answer(ruled(both))))).not.toContain(stays)
})

describe('An endpoint still running outside its hours', () => {
  const late = { ...office, weekly: [weekly('r1', 'up weekdays 09:00-11:00')] }
  const context = { values: {}, project: 'default', role: 'viewer', rows, now, rulesOf: () => late } as const
  const announced = {
    ...context,
    announcedOf: () => ({ want: 'down' as const, at: now + 53 * 60_000, by: 'schedule' as const }),
  }
  const page = { endpoints: [llm], page: 1, pages: 1, total: 1 }

  test('shows the announced stop first, even on the first day of a rule', () => {
    const says = 'running · stops in 53 min (schedule) · 3 replicas'
    expect(english(list.show(page, announced).items[0]?.detail ?? '')).toBe(says)
    expect(english(status.show(llm, announced).items[0]?.text ?? '')).toBe(says)
  })

  test('shows a one-time stop without a label', () => {
    const once = {
      ...context,
      announcedOf: () => ({ want: 'down' as const, at: now + 53 * 60_000, by: 'once' as const }),
    }
    expect(english(list.show(page, once).items[0]?.detail ?? '')).toBe('running · stops in 53 min · 3 replicas')
  })

  test('shows the announced stop in schedules, even without any rule left', () => {
    const gone = { ...ruled(nothing), announced: { want: 'down', at: now + 53 * 60_000, by: 'schedule' } } as const
    expect(show(schedules, answer(gone), { on: 'my-llm' })).toMatchObject({
      title: 'Schedule of my-llm',
      items: [{ text: 'my-llm', detail: expect.stringContaining('A stop is announced for ') }],
    })
  })

  test('shows no stop before it is announced, because somebody may just have started it', () => {
    expect(english(list.show(page, context).items[0]?.detail ?? '')).toBe('running · 3 replicas')
  })

  test('is shown as running whatever its rules want', () => {
    const decided = (endpoint: typeof llm, on: typeof context) =>
      english(status.show(endpoint, on).items[1]?.text ?? '')
    const held = () => ({ ...late, weekly: [], once: [once('o1', 'down', '2026-11-20 11:00')] })
    expect(decided(llm, { ...announced, rulesOf: held })).toMatch(/^It should have been stopped /)
    expect(decided({ ...llm, active: false }, { ...context, rulesOf: held })).toBe('')
  })

  test('names the idle stop if that is what stops it', () => {
    const idle = { ...context, announcedOf: () => ({ want: 'down' as const, at: now + 60_000, by: 'idle' as const }) }
    expect(english(list.show(page, idle).items[0]?.detail ?? '')).toBe('running · stops in 1 min (idle) · 3 replicas')
  })
})

describe('schedules', () => {
  test('show the decision, what is next, and each rule with its owner and a button to remove it', () => {
    const rules = { ...office, holds: [hold('h1', '2026-11-20 11:00', '2026-11-20 14:00')] }
    const { title, items } = show(schedules, answer(ruled(rules)))
    expect(title).toBe('1 endpoint with automation')
    expect(items).toEqual([
      {
        text: 'my-llm',
        strong: true,
        detail: `Left alone until ${instant(at('2026-11-20 14:00'))}, then starts.`,
      },
      {
        text: ['•', 'running weekdays 09:00–20:00 Seoul time'],
        who: ana,
        through: 'by',
        offers: [{ label: 'Remove', line: 'unschedule ep-my-llm rule=r1' }],
      },
      {
        text: ['•', `automation paused until ${instant(at('2026-11-20 14:00'))}`],
        who: ana,
        through: 'by',
        offers: [{ label: 'Resume automation', line: 'resume ep-my-llm' }],
      },
    ])
  })

  test('say that a running endpoint should be stopped, and when it will be', () => {
    const late = { ...office, weekly: [weekly('r1', 'up weekdays 09:00-11:00')] }
    const { endpoint, ...rest } = ruled(late)
    const announced = { want: 'down', at: at('2026-11-20 12:53'), by: 'schedule' } as const
    const context = { values: {}, project: 'default', role: 'viewer', rows, now } as const
    const running = { ...rest, announced, endpoint: { ...endpoint, active: true } }
    const { items } = schedules.show(answer(running), context)
    expect(items[0]).toMatchObject({ mark: 'running' })
    expect(english(items[0]?.detail ?? '')).toMatch(
      new RegExp(
        `^Should be stopped until .*, then starts\\. A stop is announced for ${instant(at('2026-11-20 12:53'))}\\.$`,
      ),
    )
  })

  test('offer a pause of automation with an announced stop, unless it is paused', () => {
    const announced = { want: 'down', at: at('2026-11-20 14:00'), by: 'schedule' } as const
    const offered = (rules: Rules) => JSON.stringify(show(schedules, answer({ ...ruled(rules), announced })))
    expect(offered(office)).toContain('Pause automation…')
    const paused = offered({ ...office, holds: [hold('h1', '2026-11-20 11:00', '2026-11-20 14:00')] })
    expect(paused).toContain('Resume automation')
    expect(paused).not.toContain('Pause automation…')
  })

  test('say only once when an endpoint stops, even if the stop is announced', () => {
    const { endpoint, ...rest } = ruled({ ...office, weekly: [weekly('r1', 'up weekdays 09:00-13:00')] })
    const stops = at('2026-11-20 13:00')
    const announced = { want: 'down', at: stops, by: 'schedule' } as const
    const { items } = show(schedules, answer({ ...rest, announced, endpoint: { ...endpoint, active: true } }))
    expect(items[0]?.detail).toBe(`Running until ${instant(stops)}, then stops.`)
  })

  test('show a paused rule, the time of a one-off, and a team rule without a button to remove it', () => {
    const teams = weekly('t1', 'down sat-sun', { endpoint: null, owner: policyFile })
    const rules = { ...nothing, weekly: [teams], once: [once('o1', 'down', '2026-11-20 19:00')] }
    const { items } = show(schedules, answer(ruled(rules, 'my-llm', true)))
    expect(items[1]).toEqual({
      text: ['•', 'stopped weekends Seoul time'],
      who: policyFile,
      through: 'by',
      detail: 'paused: Slack doesn’t confirm that its owner is an operator here',
    })
    const line = 'unschedule ep-my-llm rule=o1'
    const text = ['•', `stop once ${instant(at('2026-11-20 19:00'))}`]
    expect(items[2]).toMatchObject({ text, offers: [{ label: 'Cancel this stop', line }] })
  })

  test('show when a start for a while ends, with a button to cancel that stop if nothing else stops it', () => {
    const rules = { ...nothing, once: [once('o1', 'up', '2026-11-20 11:00', '2026-11-20 14:00')] }
    const text = ['•', `runs until ${instant(at('2026-11-20 14:00'))} (one-time request)`]
    const line = 'unschedule ep-my-llm rule=o1'
    const [, alone] = show(schedules, answer(ruled(rules))).items
    expect(alone).toMatchObject({ text, offers: [{ label: 'Cancel this stop', line }] })
    const [, , beside] = show(schedules, answer(ruled({ ...office, ...rules, weekly: office.weekly }))).items
    expect(beside).toMatchObject({ text, offers: [{ label: 'Remove', line }] })
  })

  test('say only once that an endpoint is left alone', () => {
    const rules = { ...nothing, holds: [hold('h1', '2026-11-20 11:00', '2026-11-20 14:00')] }
    const { endpoint, ...rest } = ruled(rules)
    const [head, pause] = show(schedules, answer({ ...rest, endpoint: { ...endpoint, active: true } })).items
    expect(english(head?.detail ?? '')).toBe('running')
    expect(pause?.text).toEqual(['•', `automation paused until ${instant(at('2026-11-20 14:00'))}`])
  })

  test('say when an endpoint stops after it was left running until its next start', () => {
    const rules = {
      ...nothing,
      weekly: [weekly('r1', 'up weekdays 13:00-20:00')],
      holds: [hold('h1', '2026-11-20 11:00', '2026-11-20 13:00')],
    }
    const { endpoint, ...rest } = ruled(rules)
    const [head] = show(schedules, answer({ ...rest, endpoint: { ...endpoint, active: true } })).items
    expect(english(head?.detail ?? '')).toBe('running · stops in 8 h (schedule)')
  })

  test('show an idle rule with its owner and a button to turn it off', () => {
    const rule = {
      kind: 'idle',
      endpoint: 'ep-my-llm',
      mode: 'on',
      after: 3_600_000,
      warn: 600_000,
      owner: ana,
      at: now,
    } as const
    const watched = (more: object) =>
      show(schedules, answer({ ...ruled(nothing), idle: { rule: { ...rule, ...more }, after: rule.after, note: '' } }))
        .items
    expect(watched({})).toEqual([
      { text: 'my-llm', strong: true, detail: '' },
      {
        text: ['•', 'idle stop after 1 h, warning 10 min before'],
        who: ana,
        through: 'by',
        offers: [{ label: 'Turn off idle stop', line: 'idle ep-my-llm off' }],
      },
    ])
    const stopped = { ...ruled(nothing).endpoint, active: false }
    const [head] = show(
      schedules,
      answer({ ...ruled(nothing), endpoint: stopped, idle: { rule, after: rule.after, note: '' } }),
    ).items
    expect(head?.mark).toBe('stopped')
    expect(english(head?.detail ?? '')).toBe('stopped')
    expect(watched({ mode: 'try', owner: policyFile })[1]).toMatchObject({
      text: ['•', 'idle stop after 1 h, dry run: only announced'],
      who: policyFile,
    })
    expect(watched({ mode: 'off' })[1]).toEqual({
      text: ['•', 'never stopped for being idle'],
      who: ana,
      through: 'by',
    })
  })

  test('of one endpoint show the next days and a button that removes all its rules', () => {
    const rules = { ...office, weekly: [...office.weekly, weekly('r2', 'up sat 10:00-12:00')] }
    const outlooks = [
      { zone: 'Asia/Seoul', lines: ['Fri 20 Nov  running all day'] },
      { zone: 'UTC', lines: ['Fri 20 Nov  running all day'] },
    ]
    expect(show(schedules, { ...answer(ruled(rules)), outlooks }, { on: 'my-llm' })).toMatchObject({
      title: 'Schedule of my-llm',
      block: [
        'Next 7 days (Seoul time):',
        'Fri 20 Nov  running all day',
        '',
        'Next 7 days (UTC):',
        'Fri 20 Nov  running all day',
      ],
      offers: [{ label: 'Remove all rules', line: 'unschedule ep-my-llm' }],
    })
    expect(show(schedules, answer(ruled(nothing)), { on: 'my-llm' })).toMatchObject({
      title: 'my-llm has no schedule and no idle stop, so Lamplighter doesn’t stop it automatically.',
      items: [],
    })
  })

  test('of a stopped endpoint without a schedule offer to start or schedule it', () => {
    const { endpoint, ...rest } = ruled(nothing)
    const stopped = { ...rest, endpoint: { ...endpoint, active: false } }
    expect(show(schedules, answer(stopped), { on: 'my-llm' })).toMatchObject({
      title: 'my-llm is stopped and has no schedule, so Lamplighter doesn’t start it automatically.',
      offers: [{ line: 'start ep-my-llm' }, { line: 'schedule ep-my-llm', opens: 'form' }],
    })
  })

  test('say that automation is paused, until when, by whom and why', () => {
    const freeze = { kind: 'freeze', by: ana, at: now - 1, until: now + 3_600_000, because: 'release' } as const
    expect(show(schedules, { ...answer(), freeze })).toMatchObject({
      title: 'No schedules yet. Create one with /endpoint schedule.',
      items: [{ text: `Automation is paused by @U1 until ${instant(now + 3_600_000)}: “release”` }],
    })
  })

  test('of many endpoints have pages, and every line they offer parses', () => {
    const weekdays = Array.from({ length: 5 }, (_, nth) => weekly(`r${nth}`, 'up weekdays 09:00-20:00'))
    const all = Array.from({ length: 20 }, (_, nth) => ruled({ ...office, weekly: weekdays }, `llm-${nth}`))
    const shown = show(schedules, answer(...all), { page: 2 })
    expect(shown).toMatchObject({ title: '20 endpoints with automation', foot: 'Page 2 of 3' })
    const lines = [...(shown.offers ?? []), ...shown.items.flatMap((item) => item.offers ?? [])].map(({ line }) => line)
    expect(lines).toContain('schedules ep-llm-8')
    expect(lines.slice(0, 2)).toEqual(['schedules page=1', 'schedules page=3'])
    for (const line of lines) expect(readLine(line, rows)).toMatchObject({ kind: 'line', read: { line } })
  })
})
