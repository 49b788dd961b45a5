import { expect, test } from 'vitest'
import type { Json } from '../../../../sandbox/slack/json.ts'
import { checkView, largestView } from '../../../../sandbox/slack/validate/views.ts'
import type { Corner } from '../../../../src/adapters/slack/home/glance.ts'
import { homeView } from '../../../../src/adapters/slack/home/home.ts'
import { projectIn } from '../../../../src/adapters/slack/messages/draw.ts'
import { noPrices } from '../../../../src/core/model/automation.ts'
import type { Endpoint } from '../../../../src/core/model/endpoint.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import { commands } from '../../../../src/features/command-table.ts'
import { agreed, approving, ask, asked, ben, everyRequest, membersOf, start } from '../requests.ts'
import { linesOf } from '../showing.ts'

const [none, hours] = [
  { hours: 0, money: 0, unpriced: 0 },
  { hours: 15.5, money: 11.6, unpriced: 0 },
]
const saved = { currency: 'USD', total: { schedule: hours, idle: hours, person: hours }, unseen: 0 }

/** An empty project, seen by a viewer. */
const bare = {
  project: 'p',
  role: 'viewer',
  mayAnswer: () => false,
  commands,
  membersOf,
  prices: noPrices,
  idling: [],
  open: [],
  coming: [],
  ruled: false,
  records: new Map(),
  saved: null,
  listed: null,
  zone: 'Europe/Madrid',
} as const

const viewer = { team: 'T0SANDBOX', user: 'U0BEN' }

function checked(corners: readonly Corner[]): string {
  const sent = JSON.stringify(homeView(corners, viewer, start + 120_000, 'en'))
  expect(checkView(JSON.parse(sent) as Json, 'home')).toEqual([])
  expect(sent.length).toBeLessThan(largestView)
  return sent
}

test.each(['x', '&<>', '👩‍💻', '\u202e', '\u0301', '"', '\n'])(
  'Slack accepts the fullest possible Home, made of %j',
  (part) => {
    const text = part.repeat(1_000)
    const endpoints = Array.from(
      { length: 1_000 },
      (_, at): Endpoint => ({
        id: `ep-${at}`,
        name: text.slice(0, 200),
        active: at % 2 === 0,
      }),
    )
    const open = everyRequest([text]).filter(({ kind }) => kind === 'operation')
    const corner: Corner = {
      ...bare,
      project: 'p'.repeat(32),
      role: 'admin',
      mayAnswer: () => true,
      open,
      coming: endpoints.map((endpoint) => ({ endpoint, at: start, want: 'down' })),
      saved,
      listed: { at: start, endpoints },
    }
    checked([corner])
    checked(Array.from({ length: 5 }, (_, at) => ({ ...corner, project: `project-${at}` })))
  },
)

test('an empty Home says so', () => {
  expect(checked([bare])).toContain('haven’t been listed yet')
})

test('a person without a role sees one sentence and no menu', () => {
  const corner = { ...bare, role: null, open: [asked()], saved } as const
  for (const corners of [[], [{ ...corner, listed: null }]]) {
    checked(corners)
    expect(linesOf(homeView(corners, viewer, start, 'en'))).toEqual([
      'You don’t have a role in any project here. An admin can give you one in lamplighter.yaml.',
      '[Refresh]',
    ])
  }
})

test('running endpoints come first, and those that do not fit are counted', () => {
  const endpoints = Array.from(
    { length: 2_000 },
    (_, at): Endpoint => ({
      id: `ep-${at}`,
      name: `n${at}`,
      active: at === 1_999,
    }),
  )
  const home = checked([{ ...bare, role: 'operator', listed: { at: start, endpoints } }])
  expect(home.indexOf('n1999')).toBeLessThan(home.indexOf('n10'))
  expect(home).toContain('1,980 more: /endpoint list')
  expect(home).toContain('Updated 2 min ago.')
})

test('a question is shown to people who may answer it, with its reason and its answer buttons', () => {
  const [votes, other] = [[{ by: ben, at: start }], approving({}, { id: 's'.repeat(22), actor: ben })]
  const open = [approving({}, { votes }), other, agreed()]
  const mine = (request: Request) => request.id === open[0]?.id
  const home = homeView([{ ...bare, role: 'approver', mayAnswer: mine, open }], ben, start, 'en')
  const lines = linesOf(home)
  const asked = lines.slice(lines.indexOf('Waiting for you'), lines.indexOf('Next 24 hours'))
  expect(asked).toEqual([
    'Waiting for you',
    'Stop my-llm? It’s running with 3 replicas. Approved by @ben. 1 more needed. Reason: “moving to v2”',
    'requested by @ana · expires Jan 15, 2027 at 08:30',
    '[Approve: Stop my-llm] [Decline…]',
  ])
  expect(lines).toContain('Stop my-llm? It’s running with 3 replicas.')
})

test('a request that is already decided waits for nobody', () => {
  const corner = { ...bare, role: 'admin', mayAnswer: () => true, open: [agreed()] } as const
  expect(linesOf(homeView([corner], ben, start, 'en'))).toContain('Nothing needs your answer.')
})

test('only blocks of a Home name a project', () => {
  expect(projectIn('project:default:ask.0.1')).toBe('default')
  for (const block of ['', 'b1', 'project:', 'project:UPPER:x', 'project:a']) expect(projectIn(block)).toBeUndefined()
})

test('the next 24 hours are drawn in the viewer’s zone with what keeps running, and listed in order', () => {
  const endpoint = { id: 'ep-llm', name: 'my-llm' }
  const coming = Array.from(
    { length: 12 },
    (_, nth) => ({ endpoint, at: start + nth * 3_600_000, want: 'down' }) as const,
  )
  const tts = { endpoint: { id: 'ep-tts', name: 'my-tts' }, at: start + 1, want: 'up' } as const
  const endpoints = [
    { id: 'ep-web', name: 'web', active: true },
    { id: 'ep-old', name: 'old', active: false },
    { id: 'ep-bad', name: 'bad', active: true, status: 'DEPLOY_FAILED' },
    { id: 'ep-worse', name: 'worse', active: true, status: 'CRASHED' },
    { id: 'ep-coming', name: 'coming', active: true, status: 'DEPLOYING' },
  ]
  const corner = { ...bare, coming, listed: { at: start, endpoints } } as const
  const view = homeView([corner, { ...corner, project: 'q', coming: [tts] }], ben, start, 'en')
  const lines = linesOf(view)
  expect(lines.join()).toContain('🔴 1 of 5 running · 2 failing: bad, worse')
  const from = lines.indexOf('Next 24 hours')
  expect(lines[from + 1]?.split('\n').map((line) => line.trimEnd())).toEqual([
    '              09:00 15:00 21:00 03:00',
    'my-llm        ░░░░░░░░░░░░░░░░░░░░░░░░',
    'web           ████████████████████████',
    'my-tts        ████████████████████████',
  ])
  expect(lines.slice(from + 3, from + 5).map((line) => line.replace(/ J.*\(/, ' ('))).toEqual([
    'my-llm (project p) stops (schedule)',
    'my-tts (project q) starts (schedule)',
  ])
  expect(JSON.stringify(view)).toContain('"All schedules"')
  const nothing = 'Nothing starts or stops automatically.'
  expect(linesOf(homeView([{ ...corner, coming: [] }], ben, start, 'en'))).toContain(nothing)
  const operator = linesOf(homeView([{ ...corner, role: 'operator', coming: [] }], ben, start, 'en'))
  expect(operator).toContain(`${nothing} To add office hours, type /endpoint schedule.`)
})

test('the next 24 hours begin with what runs and count what is left out; a row says what pauses automation', () => {
  const hour = 3_600_000
  const at = start + 12 * hour
  const stopped = Array.from({ length: 9 }, (_, nth): Endpoint => ({ id: `ep-${nth}`, name: `n${nth}`, active: false }))
  const chat = { id: 'ep-chat', name: 'chat', active: true }
  const coming = [
    ...[...stopped, chat].map((endpoint) => ({ endpoint, at, want: 'up' }) as const),
    { endpoint: chat, at: at + 11 * hour, want: 'down' } as const,
  ]
  const hold = { kind: 'hold', id: 'h', endpoint: 'ep-chat', at: start - 1, until: at, by: ben } as const
  const endpoints = [...stopped, chat]
  const stop = { kind: 'once', id: 'o', endpoint: 'ep-chat', want: 'down', at: at + 11 * hour, owner: ben } as const
  const rules = { weekly: [], once: [stop], holds: [hold], skip: new Set<number>(), protected: false, freeze: null }
  const corner = { ...bare, coming, rulesOf: () => rules, listed: { at: start, endpoints } } as const
  const lines = linesOf(homeView([corner], ben, start, 'en'))
  const from = lines.indexOf('Next 24 hours')
  const [, first, ...others] = lines[from + 1]?.split('\n') ?? []
  expect(first).toMatch(/^chat +█+░$/)
  expect(others).toHaveLength(7)
  expect(lines[from + 2]).toMatch(/ · 2 more: \/endpoint list$/)
  expect(lines).toContain('And 5 more.')
  expect(lines).toContain('🟢 *chat*\nrunning · stops in 23 h · automation paused for another 12 h')
  const moved = { ...corner, rulesOf: () => ({ ...rules, holds: [{ ...hold, by: 'console' } as const] }) }
  expect(linesOf(homeView([moved], ben, start, 'en')).join()).toContain(
    'changed outside Lamplighter: left alone for another 12 h',
  )
  const guarded = { ...corner, rulesOf: () => ({ ...rules, protected: true }) }
  expect(linesOf(homeView([guarded], ben, start, 'en')).join()).toContain('for another 12 h · protection is on')
  // The stop failed, so it is not the next step.
  const late = { ...corner, rulesOf: () => ({ ...rules, holds: [], once: [{ ...stop, at: start - hour }] }) }
  expect(linesOf(homeView([late], ben, start, 'en'))).toContain('🟢 *chat*\nrunning')
})

test('a Home without changes in the next 24 hours shows the next one and leads to the schedules', () => {
  const day = 24 * 3_600_000
  const endpoints = [0, 1, 2].map((nth): Endpoint => ({ id: `ep-${nth}`, name: `n${nth}`, active: nth === 2 }))
  const coming = endpoints.map(
    (endpoint, nth) => ({ endpoint, at: start + (nth < 2 ? 2 : 3) * day, want: 'up' }) as const,
  )
  const shown = (more: Partial<Corner>) => {
    const lines = linesOf(homeView([{ ...bare, listed: { at: start, endpoints }, ...more }], ben, start, 'en'))
    return lines.slice(lines.indexOf('Next 24 hours') + 1, lines.indexOf('Endpoints'))
  }
  expect(shown({ coming })).toEqual([
    expect.stringMatching(/^Nothing starts or stops\. Next: 2 endpoints start Jan 17, 2027 at /),
    '[All schedules]',
  ])
  expect(shown({ coming: coming.slice(1) })[0]).toContain('Next: n1 starts Jan')
  expect(shown({ ruled: true })).toEqual(['No start or stop is announced.', '[All schedules]'])
})

test('an announced idle stop is listed there too, even for viewers', () => {
  const notice = { requirement: 'notice', via: 'idle', ask: ask({ due: start + 600_000 }) } as const
  const open = [asked({}, notice), asked({}, { ...notice, via: 'schedule' }), asked()]
  const corner = { ...bare, open }
  const lines = linesOf(homeView([corner], ben, start, 'en'))
  const from = lines.indexOf('Next 24 hours')
  const told = lines.slice(from).filter((line) => line.startsWith('my-llm stops'))
  expect(told).toEqual([expect.stringMatching(/\(idle\)$/)])
})

test('savings are shown for each project, without manual stops, and left out if unknown', () => {
  const corner = bare
  const lines = linesOf(homeView([{ ...corner, saved }], ben, start, 'en'))
  expect(lines[lines.indexOf('Saved in the last 7 days') + 1]).toBe(
    '$23.20 (31 replica-hours) by schedules and idle stops',
  )
  const total = { schedule: none, idle: none, person: hours }
  const two = [
    { ...corner, saved },
    { ...corner, project: 'q', saved: { ...saved, total } },
  ]
  expect(linesOf(homeView(two, ben, start, 'en'))).toContain(
    'p: $23.20 (31 replica-hours) · q: 0 replica-hours by schedules and idle stops',
  )
  expect(linesOf(homeView([{ ...corner, saved: { ...saved, cut: true } }], ben, start, 'en'))).toContain(
    'at least $23.20 (31 replica-hours) by schedules and idle stops',
  )
  expect(linesOf(homeView([{ ...corner, saved: null }], ben, start, 'en')).join()).not.toContain('Saved')
})

test('a notice needs no answer: it is listed below, and nothing waits', () => {
  const open = [asked({}, { requirement: 'notice', via: 'schedule', ask: ask({ due: start + 600_000 }) })]
  const corner = {
    ...bare,
    role: 'operator',
    mayAnswer: () => true,
    open,
    listed: { at: start, endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true }] },
  } as const
  const lines = linesOf(homeView([corner], ben, start, 'en'))
  expect(lines).toContain('Nothing needs your answer.')
  const ahead = lines.slice(lines.indexOf('Next 24 hours') + 1, lines.indexOf('Endpoints'))
  // Its card says when it stops, so the list of changes does not.
  expect(ahead.filter((line) => line.includes('my-llm stops'))).toEqual([ahead[0]])
  expect(lines.join()).toContain('running · stops in 10 min (schedule)')
})

test('what is being started is shown with its next stop', () => {
  const endpoint = { id: 'ep-llm', name: 'my-llm', active: false } as const
  const coming = [{ endpoint, at: start + 3_600_000, want: 'down' }] as const
  const shown = (open: readonly Request[]) => {
    const corner = { ...bare, open, coming, listed: { at: start, endpoints: [endpoint] } }
    const lines = linesOf(homeView([corner], ben, start, 'en'))
    return lines.slice(lines.indexOf('Next 24 hours'), lines.indexOf('Endpoints')).join()
  }
  expect(shown([asked({}, { status: 'running', line: 'start ep-llm' })])).toContain('my-llm stops')
  expect(shown([])).not.toContain('my-llm')
})

test('running endpoints show their cost, and idle ones a button for an idle stop', () => {
  const endpoints: readonly Endpoint[] = [
    { id: 'ep-a', name: 'my-llm', active: true, replicas: 3, gpu: 'RTX 4090' },
    { id: 'ep-b', name: 'my-tts', active: true, replicas: 1, gpu: 'H100' },
    { id: 'ep-c', name: 'old', active: false, replicas: 2, gpu: 'RTX 4090' },
  ]
  const prices = { currency: 'USD', perHour: new Map([['RTX 4090', 0.75]]) }
  const idling = endpoints.slice(0, 2).map((endpoint) => ({ endpoint, quietMs: 9 * 3_600_000, after: '1h' }))
  const whole = { ...bare, prices, idling }
  const corner = { ...whole, role: 'operator', listed: { at: start, endpoints } } as const
  const lines = linesOf(homeView([corner], ben, start, 'en'))
  expect(lines).toContain('🟢 2 of 3 running · $2.25 an hour · about $1,643 a month at this rate · 1 without a price')
  expect(lines).toContain('💤 *my-llm*\nidle for 9 h · would save $2.25 an hour [Stop it when idle]')
  expect(lines).toContain('💤 *my-tts*\nidle for 9 h [Stop it when idle]')
  expect(lines.join()).toMatch(/my-llm\*\nrunning · idle for 9 h · 3 replicas/)
  expect(JSON.stringify(homeView([corner], ben, start, 'en'))).toContain('idle ep-a after 1h')
  expect(linesOf(homeView([{ ...corner, role: 'viewer' }], ben, start, 'en')).join()).not.toContain('[Stop it')
  expect(linesOf(homeView([{ ...corner, prices: noPrices }], ben, start, 'en'))).toContain('🟢 2 of 3 running')
})
