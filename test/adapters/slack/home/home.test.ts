import { expect, test } from 'vitest'
import type { Json } from '../../../../sandbox/slack/json.ts'
import { checkView, largestView } from '../../../../sandbox/slack/validate/views.ts'
import { type Corner, homeView } from '../../../../src/adapters/slack/home/home.ts'
import { projectIn } from '../../../../src/adapters/slack/messages/draw.ts'
import type { Endpoint } from '../../../../src/core/model/endpoint.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import { commands } from '../../../../src/features/command-table.ts'
import { agreed, approving, ask, asked, ben, everyRequest, membersOf, start } from '../requests.ts'
import { linesOf } from '../showing.ts'

const [none, hours] = [
  { hours: 0, money: 0, unpriced: 0 },
  { hours: 15.5, money: 11.6, unpriced: 0 },
]
const saved = { currency: 'USD', total: { schedule: hours, idle: hours, person: hours } }

const viewer = { team: 'T0SANDBOX', user: 'U0BEN' }

function checked(corners: readonly Corner[]): string {
  const sent = JSON.stringify(homeView(corners, viewer, start + 120_000))
  expect(checkView(JSON.parse(sent) as Json, 'home')).toEqual([])
  expect(sent.length).toBeLessThan(largestView)
  return sent
}

test.each(['x', '&<>', '👩‍💻', '\u202e', '\u0301', '"', '\n'])(
  'Slack takes the fullest Home there can be, made of %j',
  (part) => {
    const text = part.repeat(1_000)
    const endpoints = Array.from(
      { length: 10_000 },
      (_, at): Endpoint => ({
        id: `ep-${at}`,
        name: text.slice(0, 200),
        active: at % 2 === 0,
      }),
    )
    const open = everyRequest([text]).filter(({ kind }) => kind === 'operation')
    const corner: Corner = {
      project: 'p'.repeat(32),
      role: 'admin',
      mayAnswer: () => true,
      commands,
      membersOf,
      open,
      coming: endpoints.map((endpoint) => ({ endpoint, at: start, want: 'down' })),
      saved,
      listed: { at: start, endpoints },
    }
    checked([corner])
    checked(Array.from({ length: 5 }, (_, at) => ({ ...corner, project: `project-${at}` })))
  },
)

test('a Home without anything says so', () => {
  expect(
    checked([
      {
        project: 'p',
        role: 'viewer',
        mayAnswer: () => false,
        commands,
        membersOf,
        open: [],
        coming: [],
        saved: null,
        listed: null,
      },
    ]),
  ).toContain('not been listed yet')
})

test('somebody without a role sees one sentence and no menu', () => {
  const corner = {
    project: 'p',
    role: null,
    mayAnswer: () => false,
    commands,
    membersOf,
    open: [asked()],
    coming: [],
    saved,
  } as const
  for (const corners of [[], [{ ...corner, listed: null }]]) {
    checked(corners)
    expect(linesOf(homeView(corners, viewer, start))).toEqual([
      'You have no role in any project here; an administrator can give you one in lamplighter.yaml.',
      '[Refresh]',
    ])
  }
})

test('the active come first, and what does not fit is counted', () => {
  const endpoints = Array.from(
    { length: 2_000 },
    (_, at): Endpoint => ({
      id: `ep-${at}`,
      name: `n${at}`,
      active: at === 1_999,
    }),
  )
  const home = checked([
    {
      project: 'p',
      role: 'operator',
      mayAnswer: () => false,
      commands,
      membersOf,
      open: [],
      coming: [],
      saved: null,
      listed: { at: start, endpoints },
    },
  ])
  expect(home.indexOf('n1999')).toBeLessThan(home.indexOf('n10'))
  expect(home).toContain('1,980 more: /endpoint list')
  expect(home).toContain('Seen 2 min ago.')
})

test('a question waits for whoever may answer it, with its buttons and why it was asked; names whoever else may', () => {
  const [votes, other] = [[{ by: ben, at: start }], approving({}, { id: 's'.repeat(22), actor: ben })]
  const open = [approving({}, { votes }), other, agreed()]
  const mine = (request: Request) => request.id === open[0]?.id
  const home = homeView(
    [
      {
        project: 'p',
        role: 'approver',
        mayAnswer: mine,
        commands,
        membersOf,
        open,
        coming: [],
        saved: null,
        listed: null,
      },
    ],
    ben,
    start,
  )
  const lines = linesOf(home)
  const asked = lines.slice(lines.indexOf('Waits for you'), lines.indexOf('You have asked for'))
  expect(asked).toEqual([
    'Waits for you',
    'Stop my-llm? It is active, 3 replicas. It takes 2 approvals. @sre may give them, the requester may not. Open until Jan 15, 2027 at 08:30.',
    '1 of 2 · agreed by @ben',
    'The rule: of this project, on what interrupts (protected).',
    'Reason from @ana: “moving to v2”',
    '@ana stop my-llm',
    '[Stop my-llm] [Leave it running] [Decline with a reason…]',
  ])
  expect(lines).toContain('Stop my-llm? It is active, 3 replicas.')
})

test('nothing that is decided already waits for anybody', () => {
  const corner = {
    project: 'p',
    role: 'admin',
    mayAnswer: () => true,
    commands,
    membersOf,
    open: [agreed()],
    coming: [],
    saved: null,
    listed: null,
  } as const
  expect(linesOf(homeView([corner], ben, start))).toContain('Nothing waits for you.')
})

test('only blocks of a Home name a project', () => {
  expect(projectIn('project:default:ask.0.1')).toBe('default')
  for (const block of ['', 'b1', 'project:', 'project:UPPER:x', 'project:a']) expect(projectIn(block)).toBeUndefined()
})

test('what rules will bring about is told in its order, the next ten of all projects', () => {
  const endpoint = { id: 'ep-llm', name: 'my-llm' }
  const coming = Array.from(
    { length: 12 },
    (_, nth) => ({ endpoint, at: start + nth * 3_600_000, want: 'down' }) as const,
  )
  const tts = { endpoint: { id: 'ep-tts', name: 'my-tts' }, at: start + 1, want: 'up' } as const
  const corner = {
    project: 'p',
    role: 'viewer',
    mayAnswer: () => false,
    commands,
    membersOf,
    open: [],
    coming,
    saved: null,
    listed: null,
  } as const
  const lines = linesOf(homeView([corner, { ...corner, project: 'q', coming: [tts] }], ben, start))
  const from = lines.indexOf('Starts and stops in the next 24 h')
  expect(lines.slice(from + 1, from + 3).map((line) => line.replace(/ J.*/, ''))).toEqual([
    'my-llm (project p): down',
    'my-tts (project q): up',
  ])
  expect(lines.slice(from).filter((line) => line.startsWith('my-'))).toHaveLength(10)
  expect(lines).toContain('All that is laid down: /endpoint schedules')
  expect(linesOf(homeView([{ ...corner, coming: [] }], ben, start)).join()).not.toContain('in the next 24 h')
})

test('a stop for idleness that people have been told of stands there too, for whoever only looks', () => {
  const notice = { requirement: 'notice', via: 'idle', ask: ask({ due: start + 600_000 }) } as const
  const open = [asked({}, notice), asked({}, { ...notice, via: 'schedule' }), asked()]
  const looks = { role: 'viewer', mayAnswer: () => false, commands, membersOf } as const
  const corner = { project: 'p', ...looks, open, coming: [], saved: null, listed: null }
  const lines = linesOf(homeView([corner], ben, start))
  const from = lines.indexOf('Starts and stops in the next 24 h')
  expect(lines.slice(from).filter((line) => line.startsWith('my-llm: down'))).toHaveLength(1)
  expect(lines[from + 1]).toContain('since nobody uses it')
})

test('what rules have saved this week is told for each project, people’s stops apart, and left out where it is not known', () => {
  const corner = {
    project: 'p',
    role: 'viewer',
    mayAnswer: () => false,
    commands,
    membersOf,
    open: [],
    coming: [],
    listed: null,
  } as const
  const lines = linesOf(homeView([{ ...corner, saved }], ben, start))
  expect(lines[lines.indexOf('Saved this week') + 1]).toBe(
    '31 replica-hours, 23.20 USD by schedules and the idle watch',
  )
  const total = { schedule: none, idle: none, person: hours }
  const two = [
    { ...corner, saved },
    { ...corner, project: 'q', saved: { ...saved, total } },
  ]
  expect(linesOf(homeView(two, ben, start))).toContain(
    'p: 31 replica-hours, 23.20 USD · q: 0 replica-hours by schedules and the idle watch',
  )
  expect(linesOf(homeView([{ ...corner, saved: null }], ben, start)).join()).not.toContain('Saved')
})

test('a notice needs no answer: it stands below, and nothing waits', () => {
  const open = [asked({}, { requirement: 'notice', via: 'schedule', ask: ask({ due: start + 600_000 }) })]
  const corner = {
    project: 'p',
    role: 'operator',
    mayAnswer: () => true,
    commands,
    membersOf,
    open,
    coming: [],
    saved: null,
    listed: { at: start, endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true }] },
  } as const
  const lines = linesOf(homeView([corner], ben, start))
  expect(lines).toContain('Nothing waits for you.')
  expect(lines[lines.indexOf('Stopping soon') + 1]).toContain('my-llm will be stopped')
  expect(lines.join()).toContain('running · stops in 10 min (schedule)')
})
