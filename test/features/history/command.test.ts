import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/core/commands/parse.ts'
import type { Past, Request } from '../../../src/core/model/request.ts'
import type { Actor } from '../../../src/core/model/roles.ts'
import { say, type Words } from '../../../src/core/model/words.ts'
import { spanOf } from '../../../src/core/time/format.ts'
import { rows } from '../../../src/features/command-table.ts'
import { history } from '../../../src/features/history/command.ts'
import { exported } from '../../../src/features/history/export.ts'
import { toldOnce } from '../../../src/features/history/last-change.ts'
import { english, inEnglish } from '../../support/words.ts'

const ana = { team: 'T0', user: 'U0ANA' }
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
  return inEnglish(history.show(answer, { values, project: 'default', role: 'viewer', rows, now }))
}

describe('A typed length of time', () => {
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

test('History names endpoints even if a button or a rule wrote the id', () => {
  const one = past('r1', 'start ep-llm replicas=3', { status: 'expired' })
  expect(show([one]).items[0]?.text).toBe('Start my-llm with 3 replicas')
  expect(show([one], { on: 'r1' }).title).toBe('Timeline of “start my-llm replicas=3”')
})

test('History names who cancelled a request unless it was the requester', () => {
  const ben = { team: 'T0', user: 'U0BEN' }
  const by = (who: Actor) =>
    past('r1', 'stop ep-llm', { status: 'cancelled', ending: { at: now, says: 'Over.', by: who } })
  expect(show([by(ben)]).items[0]?.decided).toEqual({ says: 'cancelled by', votes: [{ by: ben }] })
  expect(show([by(ana)]).items[0]?.decided).toBeUndefined()
})

describe('A rule’s request', () => {
  const id = '0b5f1c7e-9096-4a3e-8d2a-4c1f7c0a9d11'
  const endpoint = { id, name: 'my-llm' }
  test.each([
    ['schedule', 'schedule by'],
    ['idle', 'idle stop by'],
  ] as const)('by %s is shown as such, not as done by the rule’s owner', (via, through) => {
    const one = past('r1', `stop ${id}`, { via, endpoint })
    expect(show([one]).items[0]).toMatchObject({ text: 'Stopped my-llm.', through, who: { user: 'U0ANA' } })
    const [, csv] = exported([one]).files ?? []
    expect(csv?.text).toContain(`"${via}"`)
  })

  test('from a one-time request is shown as requested, without the line in the requester’s time zone', () => {
    const asked = past('r1', `stop ${id}`, { via: 'schedule', endpoint, asked: 'stop my-llm at 23:00' })
    const [item] = show([asked]).items
    expect(item?.detail).toMatch(/^[^·]+ \(5 min ago\)$/)
    expect(item).not.toHaveProperty('through')
  })

  test('does not repeat what its pause meant, and is not shown as in force once that is over', () => {
    const paused = (until: number, title: Words = 'Paused automation for my-llm.') => {
      const hold = { kind: 'hold', id: 'r1', endpoint: id, at: 0, until, by: ana } as const
      const says = [title, 'Nothing stops it until then.']
      const one = past('r1', `keep ${id} 2h`, { change: { put: [hold] }, ending: { at: now, says } })
      return JSON.stringify(show([one]).items[0]?.detail)
    }
    expect(paused(now + 1)).not.toMatch(/Nothing stops it|until /)
    expect(paused(now - 1)).toContain('until ')
    const done = say('keep.done', { name: 'my-llm', end: 'set', until: { at: now - 1 } })
    expect(paused(now - 1, say('end.done', { done }))).not.toContain('until ')
    expect(paused(now - 1)).not.toContain('Nothing stops it')
  })

  test('names the person who skipped it, even if it was their own', () => {
    const by = { team: 'T0', user: 'U0ANA' }
    const own = { via: 'schedule', requirement: 'notice', endpoint } as const
    const skipped = past('r1', `stop ${id}`, { ...own, status: 'declined', decision: { by, at: now, yes: false } })
    const { items } = show([skipped])
    expect(items.map(({ decided }) => decided?.says)).toEqual(['skipped by'])
    // It does not count as a failure.
    expect(items.map(({ mark }) => mark)).toEqual(['nothing'])
  })

  test('has a timeline in words, without ids', () => {
    const { request } = past('r1', `stop ${id}`, { via: 'schedule', endpoint })
    const by = request.actor
    const events = [
      { at: now, what: 'awaiting', by, detail: [`stop ${id} —`, 'It is active.'] },
      { at: now, what: 'agreed', by },
      { at: now, what: 'undo', by, detail: `start ${id} replicas=2` },
    ]
    const story = show([{ request, events }], { on: 'r1' })
    expect(story.items).toMatchObject([
      { text: 'requested: It is active.', through: 'schedule by' },
      { text: 'confirmed', who: by },
      { text: 'undo: start my-llm replicas=2' },
    ])
    expect(story.items[1]).not.toHaveProperty('through')
  })
})

test('History says in words which rule was removed', () => {
  const window = { days: [0, 1, 2, 3, 4], spans: [{ from: 540, to: 1_200 }] }
  const weekly = { kind: 'weekly', id: 'KUCu12', endpoint: 'ep-llm', direction: 'up', zone: 'UTC', window } as const
  const replaced = [{ ...weekly, owner: ana, made: now }]
  const rule = (more: Partial<Request>) => show([past('r1', 'unschedule ep-llm rule=KUCu12', more)], { on: 'r1' }).title
  expect(rule({ replaced })).toMatch(/^Timeline of “unschedule my-llm: running weekdays 09:00/)
  expect(rule({})).toBe('Timeline of “unschedule my-llm: one rule”')
})

describe('An answer to another request', () => {
  const about = { deed: 'Stop my-llm', by: { team: 'T0', user: 'U0BEN' } }
  test.each([
    [`approve ${'a'.repeat(22)}`, 'succeeded', 'Approved: Stop my-llm.'],
    [`approve ${'a'.repeat(22)}`, 'refused', 'Approve: Stop my-llm'],
    [`decline ${'a'.repeat(22)} because="a demo"`, 'succeeded', 'Declined: Stop my-llm. “a demo”'],
    [`cancel ${'a'.repeat(22)}`, 'succeeded', 'Cancelled: Stop my-llm.'],
    [`break-glass ${'a'.repeat(22)} because=fire`, 'succeeded', 'Break-glass used: Stop my-llm. “fire”'],
  ] as const)('(%s, %s) reads “%s” and names the requester', (line, status, text) => {
    const one = { ...past('r1', line, { plan: [], status }), about }
    const [item] = show([one]).items
    expect(english(item?.text ?? '')).toBe(text)
    expect(item).toMatchObject({
      who: { user: 'U0ANA' },
      decided: { says: 'requested by', votes: [{ by: about.by }] },
    })
    expect(show([one], { on: 'r1' }).title).toBe(`Timeline of “${text}”`)
  })
})

describe('The history line', () => {
  test.each([
    ['history', {}],
    ['history export', { what: 'export' }],
    ['history my-llm', { on: 'my-llm' }],
    ['history export my-llm since=30D', { what: 'export', on: 'my-llm', since: '30d' }],
    ['history who=@U0ANA since=12h page=2', { who: '@U0ANA', since: '12h', page: 2 }],
    ['history who=ME', { who: 'me' }],
    ['history who=ana', { who: 'ana' }],
    ['history stopped by ana', { what: 'stopped', who: 'ana' }],
    ['history 어제 who=@jin', { day: 'yesterday', who: '@jin' }],
    ['history my-llm since=Yesterday', { on: 'my-llm', since: 'yesterday' }],
    ['history my-llm since yesterday', { on: 'my-llm', since: 'yesterday' }],
    ['history since 7d who=me', { since: '7d', who: 'me' }],
    ['history today my-llm', { day: 'today', on: 'my-llm' }],
  ])('%s', (typed, values) => {
    expect(readLine(typed, rows)).toMatchObject({ kind: 'line', read: { values } })
  })

  test.each([
    ['history who="the boss"', /pick from Slack’s list after typing @/],
    ['history since=soon', /12h, 7d, or 4w/],
    ['history since=91d', /90 days at most/],
    ['history since=0d', /12h, 7d, or 4w/],
  ])('%s is answered with the correction', (typed, says) => {
    expect(inEnglish(readLine(typed, rows))).toMatchObject({ kind: 'misread', says: expect.stringMatching(says) })
  })

  test('needs a viewer to read and an approver to export', () => {
    expect([history.needs?.({}), history.needs?.({ what: 'export' })]).toEqual(['viewer', 'approver'])
  })
})

describe('History', () => {
  test('shows the outcome, person, time and reason, and repeats nothing', () => {
    const ago = /^.+ \(5 min ago\)$/
    const confirmed = { decision: { by: { team: 'T0', user: 'U0BEN' }, at: now, yes: true } }
    const items = show([
      past('r1', 'stop my-llm because="moving to v2"'),
      past('r2', 'stop my-llm', { ...confirmed, requirement: 'confirmation' }),
    ]).items
    // A stop shows the evidence, or that no reason was given.
    const evidence = 'no requests for 2 h 3 min'
    const why = [
      past('r3', 'stop my-llm'),
      past('r4', 'stop my-llm', { via: 'idle', evidence }),
      past('r5', 'start my-llm'),
    ]
    expect(show(why).items.map(({ detail }) => JSON.stringify(detail))).toEqual([
      expect.stringContaining('no reason given'),
      expect.stringContaining(evidence),
      expect.not.stringContaining('reason'),
    ])
    expect(items).toMatchObject([
      {
        text: 'Stopped my-llm.',
        who: { user: 'U0ANA' },
        detail: [expect.stringMatching(ago), '·', 'reason: “moving to v2”'],
      },
      { text: 'Stopped my-llm.', decided: { says: 'confirmed by' } },
    ])
  })

  test.each([
    ['failed', { ending: { at: now, says: 'Stop my-llm: failed.', quote: 'No' } }, 'Stop my-llm: failed.', undefined],
    ['declined', { decision: { by: { team: 'T0', user: 'U0BEN' }, at: now, yes: false } }, 'Stop my-llm', undefined],
    ['cancelled', {}, 'Stop my-llm', 'cancelled'],
  ] as const)('shows %s requests with the word of their card', (status, more, text, word) => {
    const [item] = show([past('r1', 'stop my-llm', { status, ...more })]).items
    expect(item?.text).toBe(text)
    if (word === 'cancelled') expect(JSON.stringify(item?.detail)).toContain('cancelled')
    else expect(JSON.stringify(item?.detail)).not.toContain(status)
  })

  test('offers undo by id for changes that a press can undo', () => {
    const { endpoint: _, ...frozen } = past('r3', 'freeze because=x', { plan: [], change: { put: [freeze] } }).request
    const answer = [
      { request: frozen, events: [], undoable: true as const },
      { ...past('r2', 'stop my-llm'), undoable: true as const },
      past('r1', 'start my-llm'),
    ]
    const offers = show(answer).items.map((item) => item.offers?.at(-1))
    expect(offers.map((offer) => offer?.line)).toEqual(['undo r3', 'undo r2', 'history r1'])
    expect(offers[0]?.label).toBe('Undo pausing all automation')
  })

  test('offers undo of an absence only to its owner, beside a freeze', () => {
    const { endpoint: _, ...away } = past('r2', 'away until 2d to @U0BEN', {
      plan: [],
      change: { put: [{ kind: 'away', who: ana, to: { team: 'T0', user: 'U0BEN' }, at: now, until: now + 1 }] },
    }).request
    const { endpoint: __, ...frozen } = past('r1', 'freeze because=x', { plan: [], change: { put: [freeze] } }).request
    const answer = [away, frozen].map((request) => ({ request, events: [], undoable: true as const }))
    const seenBy = (asker?: Actor) =>
      history
        .show(answer, { values: {}, project: 'default', role: 'viewer', rows, now, ...(asker && { asker }) })
        .items.map(({ offers }) => inEnglish(offers?.at(-1)?.label))
    expect(seenBy(ana)).toEqual(['Undo away', 'Undo pausing all automation'])
    expect(seenBy({ team: 'T0', user: 'U0BEN' })).toEqual(['Details', 'Undo pausing all automation'])
    expect(seenBy()).toEqual(['Details', 'Undo pausing all automation'])
  })

  test('has pages whose lines parse', () => {
    const answer = Array.from({ length: 11 }, (_, at) => past(`r${at}`, 'stop my-llm'))
    const { items, offers } = show(answer, { on: 'my-llm', who: '@U0ANA', since: '7d', page: 2 })
    expect(items).toHaveLength(10)
    expect(offers?.map(({ line }) => line)).toEqual([
      'history my-llm who=@U0ANA since=7d page=1',
      'history my-llm who=@U0ANA since=7d page=3',
    ])
    for (const { line } of offers ?? []) expect(readLine(line, rows)).toMatchObject({ kind: 'line' })
  })

  test('of one request is its timeline', () => {
    expect(show([past('r1', 'stop my-llm')], { on: 'r1' })).toMatchObject({
      title: 'Timeline of “stop my-llm”',
      items: [{ text: 'Done.', who: { user: 'U0ANA' } }],
    })
  })

  test('that is empty says so', () => {
    expect(show([], { on: 'my-llm', since: '7d' }).title).toBe(
      'No history of my-llm in the last 7 d. Open requests and changes made outside Lamplighter aren’t listed.',
    )
  })
})

test('A row of a break-glass has its reason, and no card beside it', () => {
  const decision = { by: { team: 'T0', user: 'U0EVA' }, yes: true, at: now, glass: true, because: 'a fire' } as const
  const ending = { at: now, says: [say('break-glass.done', { deed: 'Stop my-llm' }), say('approval.goesOn')] }
  const done = past('r2', 'break-glass my-llm because="a fire"', { ending, plan: [] })
  const { items } = show([done, past('r1', 'stop my-llm because="a move"', { decision })])
  expect(items[0]?.text).toBe('Break-glass used: Stop my-llm.')
  expect(JSON.stringify(items[0])).not.toContain('card')
  expect(items[1]?.detail).toMatchObject([{}, '·', ['reason: “a move”', '·', 'reason for the bypass: “a fire”']])
})

test('The answer why an endpoint stopped shows no stops below, and leads to the list of all', () => {
  const approved = past('r2', 'stop my-llm', {
    requirement: 'approval',
    decision: { by: { team: 'T0', user: 'U0EVA' }, yes: true, at: now - 6 * minute },
  })
  const why = show([approved, past('r1', 'stop my-llm')], { what: 'stopped', on: 'my-llm' })
  expect([why.title].flat()[0]).toMatch(/^Lamplighter last stopped my-llm /)
  expect(why.items).toEqual([])
  expect(why.offers?.map(({ line }) => line)).toEqual(['history r2', 'history stopped my-llm page=1'])
  const failed = past('r3', 'start my-llm', { status: 'failed' })
  const both = show([failed, approved], { what: 'stopped', on: 'my-llm' })
  expect(both.items.map(({ offers = [] }) => offers[0]?.line)).toEqual(['history r3'])
})

describe('An export', () => {
  const evil = '=HYPERLINK("http://evil.example","x")'
  const answer = [
    past('r1', `stop my-llm because="xoxb-1234567890-abcdefgh"`, { endpoint: { id: 'ep-llm', name: evil } }),
    past('r2', 'start my-llm', { endpoint: { id: '-1', name: '+1\r\n@x' } }),
    past('r3', 'start my-llm', { endpoint: { id: '＝1+1', name: 'a;=1+1;b' } }),
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
      { request: 'r3' },
    ])
  })

  test('has the same events as a table without formulas', () => {
    const lines = csv?.text.trimEnd().split('\r\n') ?? []
    expect(lines).toHaveLength(4)
    expect(lines[0]).toBe(
      '"at","request","project","endpoint_id","endpoint","line","asked_by","team","event","by","detail","ended","via","program"',
    )
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`)
    expect(lines[2]).toContain(`"'-1","'+1  @x"`)
    expect(lines[3]).toContain(`"'＝1+1","a;'=1+1;b"`)
  })

  test('contains no token', () => {
    expect(json?.text).toContain('xoxb-[masked]')
    expect(`${json?.text}${csv?.text}`).not.toContain('abcdefgh')
  })
})

test('A start under way hides the line that asked for it, but not the schedule that it follows', () => {
  const { request: run } = past('r1', 'start my-llm for 1h')
  const { request: schedule } = past('w1', 'schedule my-llm up daily 10:00-18:00')
  const { request: asked } = past('o1', 'start my-llm', { asked: 'start my-llm for 1h', occurrence: 'r1.1.up' })
  const { request: due } = past('o2', 'start my-llm', { occurrence: 'w1.2.up' })
  expect([run, schedule].filter(toldOnce([asked, due]))).toEqual([schedule])
})
