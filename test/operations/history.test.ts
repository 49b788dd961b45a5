import { describe, expect, test } from 'vitest'
import { spanOf } from '../../src/domain/duration.ts'
import type { Past } from '../../src/domain/past.ts'
import type { Request } from '../../src/domain/request.ts'
import { exported } from '../../src/operations/export.ts'
import { history } from '../../src/operations/history.ts'
import { rows } from '../../src/operations/index.ts'
import { readLine } from '../../src/operations/line.ts'

const minute = 60_000
const now = 100 * minute

function past(id: string, line: string, more: Partial<Request> = {}): Past {
  const request: Request = {
    id,
    project: 'default',
    kind: 'operation',
    line,
    actor: { team: 'T0', user: 'U0ANA' },
    place: { channel: 'C0OPS' },
    receivedAt: now - 10 * minute,
    status: 'succeeded',
    endpoint: { id: 'ep-llm', name: 'my-llm' },
    plan: [{ says: 'stop', call: { method: 'post', path: '/' }, goal: 'stopped', repeatable: true }],
    notes: [],
    nextAt: null,
    ending: { at: now - 5 * minute, says: 'Stopped my-llm.', quote: 'Endpoint stopped successfully' },
    ...more,
  }
  return { request, events: [{ at: now - 5 * minute, what: 'succeeded', by: request.actor, detail: 'Done.' }] }
}

const freeze = { kind: 'freeze', by: { team: 'T0', user: 'U0ANA' }, at: now, until: null } as const

function show(answer: readonly Past[], values: Record<string, string | number> = {}) {
  return history.show(answer, { values, project: 'default', role: 'viewer', rows, now })
}

describe('A length of time that is typed', () => {
  test.each([
    ['30m', 1_800_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
    ['7', null],
    ['d', null],
    ['-1d', null],
    ['1.5h', null],
  ])('%s is %s ms', (typed, ms) => {
    expect(spanOf(typed)).toBe(ms)
  })
})

test('A history calls endpoints by their names, also where a button or a rule wrote the id', () => {
  const [item] = show([past('r1', 'start ep-llm replicas=3')]).items
  expect(item?.text).toBe('start my-llm replicas=3')
})

describe('An answer to another request', () => {
  const about = { deed: 'stop my-llm', by: { team: 'T0', user: 'U0BEN' } }
  test.each([
    [`approve ${'a'.repeat(22)}`, 'succeeded', 'approved: stop my-llm'],
    [`approve ${'a'.repeat(22)}`, 'refused', 'approve: stop my-llm'],
    [`decline ${'a'.repeat(22)} because="a demo"`, 'succeeded', 'declined: stop my-llm, because “a demo”'],
    [`cancel ${'a'.repeat(22)}`, 'succeeded', 'cancelled: stop my-llm'],
    [`break-glass ${'a'.repeat(22)} because=fire`, 'succeeded', 'let pass: stop my-llm, because “fire”'],
  ] as const)('%s, %s: reads as %s, and names who had asked for that', (line, status, text) => {
    const one = { ...past('r1', line, { plan: [], status }), about }
    expect(show([one]).items[0]).toMatchObject({
      text,
      who: { user: 'U0ANA' },
      decided: { says: 'asked for by', votes: [{ by: about.by }] },
    })
    expect(show([one], { on: 'r1' }).title).toBe(`What became of: ${text}`)
  })
})

describe('The line of a history', () => {
  test.each([
    ['history', {}],
    ['history export', { what: 'export' }],
    ['history my-llm', { on: 'my-llm' }],
    ['history export my-llm since=30D', { what: 'export', on: 'my-llm', since: '30d' }],
    ['history who=@U0ANA since=12h page=2', { who: '@U0ANA', since: '12h', page: 2 }],
    ['history who=ME', { who: 'me' }],
  ])('%s', (typed, values) => {
    expect(readLine(typed, rows)).toMatchObject({ kind: 'line', read: { values } })
  })

  test.each([
    ['history who=ana', /chosen from the list that Slack shows/],
    ['history since=yesterday', /12h, 7d or 4w/],
    ['history since=91d', /90 days at most/],
    ['history since=0d', /12h, 7d or 4w/],
  ])('%s is answered with what to write', (typed, says) => {
    expect(readLine(typed, rows)).toMatchObject({ kind: 'misread', says: expect.stringMatching(says) })
  })

  test('takes an approver to export, and a viewer to look', () => {
    expect([history.needs?.({}), history.needs?.({ what: 'export' })]).toEqual(['viewer', 'approver'])
  })
})

describe('A history', () => {
  test('says what was asked, by whom, when, and how it ended in the platform’s words', () => {
    expect(show([past('r1', 'stop my-llm')]).items).toMatchObject([
      {
        text: 'stop my-llm',
        who: { user: 'U0ANA' },
        detail: '5 min ago · succeeded · Stopped my-llm. “Endpoint stopped successfully”',
      },
    ])
  })

  test('offers to undo only what was last done to an endpoint, and only where that is sure', () => {
    const answer = [
      past('r4', 'stop my-llm', { status: 'declined' }),
      past('r3', 'start my-tts', { endpoint: { id: 'ep-tts', name: 'my-tts' } }),
      past('r2', 'stop my-llm'),
      past('r1', 'start my-llm'),
    ]
    const linesOf = (values: Record<string, string | number>) =>
      show(answer, values).items.map(({ offers }) => offers?.at(-1)?.line)
    expect(linesOf({})).toEqual(['history r4', 'undo r3', 'undo r2', 'history r1'])
    expect(linesOf({ who: '@U0ANA' })).not.toContain('undo r2')
    expect(linesOf({ page: 2 })).not.toContain('undo r2')
  })

  test('offers to undo what was last laid down, and then nothing that was done before it', () => {
    const { endpoint: _, ...frozen } = past('r4', 'freeze because=x', { plan: [], change: { put: [freeze] } }).request
    const { endpoint: __, ...back } = past('r5', 'back', { plan: [], change: { drop: ['away:T0:U0ANA'] } }).request
    const answer = [
      { request: back, events: [] },
      { request: frozen, events: [] },
      past('r3', 'keep my-llm 2h', { plan: [], change: { put: [] } }),
      past('r2', 'stop my-llm'),
    ]
    const offers = show(answer).items.map((item) => item.offers?.at(-1))
    expect(offers.map((offer) => offer?.line)).toEqual(['history r5', 'undo r4', 'undo r3', 'history r2'])
    expect(offers.map((offer) => offer?.label)).toContain('Undo freeze')
  })

  test('comes in pages, each a line that can be read', () => {
    const answer = Array.from({ length: 11 }, (_, at) => past(`r${at}`, 'stop my-llm'))
    const { items, offers } = show(answer, { on: 'my-llm', who: '@U0ANA', since: '7d', page: 2 })
    expect(items).toHaveLength(10)
    expect(offers?.map(({ line }) => line)).toEqual([
      'history my-llm who=@U0ANA since=7d page=1',
      'history my-llm who=@U0ANA since=7d page=3',
    ])
    for (const { line } of offers ?? []) expect(readLine(line, rows)).toMatchObject({ kind: 'line' })
  })

  test('of one request is all that happened to it', () => {
    expect(show([past('r1', 'stop my-llm')], { on: 'r1' })).toMatchObject({
      title: 'What became of: stop my-llm',
      items: [{ text: 'succeeded: Done.', who: { user: 'U0ANA' } }],
    })
  })

  test('that is empty says so', () => {
    expect(show([], { on: 'my-llm', since: '7d' }).title).toBe('There is no history of my-llm, 7d back.')
  })
})

describe('An export', () => {
  const evil = '=HYPERLINK("http://evil.example","x")'
  const answer = [
    past('r1', `stop my-llm because="xoxb-1234567890-abcdefgh"`, { endpoint: { id: 'ep-llm', name: evil } }),
    past('r2', 'start my-llm', { endpoint: { id: '-1', name: '+1\r\n@x' } }),
  ]
  const [json, csv] = exported(answer).files ?? []

  test('has one line of JSON for each event', () => {
    const lines = json?.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(lines).toMatchObject([
      { request: 'r1', endpoint: evil, event: 'succeeded', by: 'U0ANA', at: '1970-01-01T01:35:00.000Z' },
      { request: 'r2', detail: 'Done.' },
    ])
  })

  test('has the same as a table, in which nothing is a formula', () => {
    const lines = csv?.text.trimEnd().split('\r\n') ?? []
    expect(lines).toHaveLength(3)
    expect(lines[0]).toBe(
      '"at","request","project","endpoint_id","endpoint","line","asked_by","team","event","by","detail","ended"',
    )
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`)
    expect(lines[2]).toContain(`"'-1","'+1  @x"`)
  })

  test('holds no token', () => {
    expect(json?.text).toContain('xoxb-[masked]')
    expect(`${json?.text}${csv?.text}`).not.toContain('abcdefgh')
  })
})
