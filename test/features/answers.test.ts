import { describe, expect, test } from 'vitest'
import type { Context, Query } from '../../src/core/commands/define.ts'
import { help, summaryOf } from '../../src/core/commands/help.ts'
import { readLine } from '../../src/core/commands/parse.ts'
import { whoami } from '../../src/core/commands/permissions.ts'
import type { Endpoint, EndpointPage, KeyContext } from '../../src/core/model/endpoint.ts'
import type { OwnAccess, QueryAnswer } from '../../src/core/model/query-answer.ts'
import { noEvidence, type Use } from '../../src/core/model/reading.ts'
import type { FieldValues, Request } from '../../src/core/model/request.ts'
import type { Actor, Member, Role } from '../../src/core/model/roles.ts'
import type { Hold, Rules } from '../../src/core/model/rules.ts'
import { whyOf } from '../../src/core/policy/requirement.ts'
import { instant } from '../../src/core/time/format.ts'
import { rows } from '../../src/features/command-table.ts'
import { list } from '../../src/features/endpoints/list.ts'
import { allActions, markOf, rowActions, startStopButtons, stateOf } from '../../src/features/endpoints/state.ts'
import { status } from '../../src/features/endpoints/status.ts'
import { costsIn } from '../../src/features/savings/format.ts'
import { english, inEnglish } from '../support/words.ts'

function contextOf(values: FieldValues, role: Role | null = 'viewer'): Context<FieldValues> {
  return { values, project: 'default', role, rows, now: Date.parse('2026-11-20T13:00:00Z') }
}

function show(row: Query, answer: unknown, values: FieldValues = {}, role?: Role | null): QueryAnswer {
  return inEnglish(row.show(answer, contextOf(values, role)))
}

const llm: Endpoint = {
  id: 'ep-llm',
  name: 'my-llm',
  active: true,
  status: 'DEPLOYING',
  replicas: 3,
  replicasByState: { RUNNING: 2, PENDING: 1 },
  gpu: 'RTX 4090',
  url: 'https://llm.example/v1',
  updatedAt: '2026-11-20T10:00:00Z',
}
const tts: Endpoint = { id: 'ep 2', name: 'my tts', active: false, status: 'RUNNING', replicas: 1 }
const odd: Endpoint = { id: 'ep-3', name: 'odd', active: null }

const until = Date.parse('2026-11-20T15:00:00Z')
const hold: Hold = { kind: 'hold', id: 'h', endpoint: 'ep-3', at: 0, until, by: { team: 'T1', user: 'U1' } }
const noRules: Rules = { weekly: [], once: [], holds: [], skip: new Set(), protected: false, freeze: null }
const asking = (asked: Pick<Request, 'status' | 'requirement'>): Request => ({
  id: 'r1',
  kind: 'operation',
  project: 'default',
  line: 'stop ep-3',
  actor: { team: 'T1', user: 'U1' },
  place: { channel: 'C1' },
  receivedAt: 0,
  nextAt: 0,
  notes: [],
  ...asked,
})
const usedOn = (spared: string | null): Use => ({
  last: { state: 'unknown', why: '', evidence: noEvidence, from: 0, to: 1 },
  quietMs: 0,
  clock: { since: 0, forMs: 0, unknown: 1 },
  idleMs: 3_600_000,
  watched: { mode: 'on', spared, earlyRestarts: 0 },
})

describe('The state of an endpoint', () => {
  test.each<[string, Endpoint, string, string]>([
    ['is one word of ours', llm, 'changing', 'starting · 2 of 3 replicas running · RTX 4090'],
    ['of a stopped one leaves out a status that would only mislead', tts, 'stopped', 'stopped · starts with 1 replica'],
    ['is said to be unknown where the platform does not say', odd, 'attention', 'state unknown'],
    ['is not told twice', { ...odd, active: true, status: 'RUNNING' }, 'running', 'running'],
    [
      'that fails is in the platform’s words too',
      { ...odd, active: true, status: 'DEPLOY_FAILED' },
      'failed',
      'failing · DEPLOY_FAILED',
    ],
    [
      'that is neither up nor down is not in the platform’s words',
      { ...odd, active: true, status: 'STOPPED' },
      'changing',
      'changing',
    ],
    [
      'that nobody knows is in the platform’s words',
      { ...odd, active: true, status: 'NAPPING' },
      'running',
      'running · NAPPING',
    ],
    [
      'tells whether the platform scales it',
      { ...tts, replicas: 2, autoscaled: true },
      'stopped',
      'stopped · starts with 2 replicas, autoscaled',
    ],
  ])('%s', (_, endpoint, mark, says) => {
    expect(english(stateOf(endpoint))).toBe(says)
    expect(markOf(endpoint)).toBe(mark)
  })

  test('includes the hourly cost, or for a stopped endpoint the cost when running', () => {
    expect(english(stateOf({ ...llm, active: true }, { cost: '$2.25' }))).toMatch(/ · RTX 4090 · \$2\.25 an hour$/)
    expect(english(stateOf({ ...llm, active: false }, { cost: '$2.25' }))).toMatch(/ · \$2\.25 an hour when running$/)
  })

  test.each<[Partial<Endpoint>, string | undefined]>([
    [{ active: true }, 'It’s running.'],
    [{ active: true, replicas: 0 }, 'It’s running with 0 replicas.'],
    [{ active: true, replicas: 1 }, '1 replica'],
    [{ active: true, replicas: 3, autoscaled: true }, 'with 3 replicas, autoscaled.'],
    [{ active: true, replicas: 3, replicasByState: { RUNNING: 3 } }, 'with 3 replicas.'],
    [{ active: true, replicas: 3, replicasByState: { RUNNING: 0 } }, 'with 0 of 3 replicas.'],
    [
      { active: true, replicas: 3, autoscaled: true, replicasByState: { RUNNING: 1 } },
      'with 1 of 3 replicas, autoscaled.',
    ],
    [{ active: true, replicas: 3, replicasByState: { PENDING: 3 } }, 'with 3 replicas.'],
    [{ active: false, replicas: 3, replicasByState: { RUNNING: 1 } }, 'It’s stopped; it starts with 3 replicas.'],
  ])('with %j says %j of the replicas', (part, says) => {
    expect(english(whyOf({ ...odd, ...part }, 'active'))).toContain(says)
  })

  test('offers no replicas for an autoscaled endpoint', () => {
    const offered = [...rowActions({ ...llm, autoscaled: true }), ...allActions({ ...llm, autoscaled: true }).flat()]
    expect(offered.map(({ line }) => line)).not.toContain('scale ep-llm')
  })

  test('offers start or stop by id, and neither if the state is unknown', () => {
    expect(inEnglish([llm, tts, odd].map(startStopButtons))).toEqual([
      [{ label: 'Stop my-llm', line: 'stop ep-llm' }],
      [{ label: 'Start my tts', line: 'start "ep 2"' }],
      [],
    ])
  })
})

describe('list', () => {
  const page: EndpointPage = { endpoints: [llm, tts], page: 2, pages: 3, total: 32 }

  test('requests one page with the given filters', () => {
    expect(list.call?.({}, undefined)).toEqual({
      method: 'get',
      path: '/endpoints',
      params: { query: { size: 15, page: 1 } },
    })
    expect(list.call?.({ state: 'stopped', search: 'llm', page: 2 }, undefined)).toEqual({
      method: 'get',
      path: '/endpoints',
      params: { query: { size: 15, page: 2, search: 'llm', is_active: false } },
    })
    expect(list.call?.({ state: 'running' }, undefined).params?.query).toMatchObject({ is_active: true })
  })

  test('shows each endpoint with its menu and links to the other pages', () => {
    expect(show(list, page, { state: 'running', search: 'my llm', page: 2 })).toEqual({
      title: '32 running endpoints',
      items: [
        {
          text: 'my-llm',
          strong: true,
          mark: 'changing',
          detail: english(stateOf(llm)),
          more: [
            { label: 'Stop', line: 'stop ep-llm' },
            { label: 'Restart', line: 'restart ep-llm' },
            { label: 'Scale…', line: 'scale ep-llm', opens: 'form' },
            { label: 'Logs', line: 'logs ep-llm' },
            { label: 'More…', line: 'status ep-llm', opens: 'menu' },
          ],
        },
        {
          text: 'my tts',
          strong: true,
          mark: 'stopped',
          detail: 'stopped · starts with 1 replica',
          more: [
            { label: 'Start', line: 'start "ep 2"' },
            { label: 'Schedule…', line: 'schedule "ep 2"', opens: 'form' },
            { label: 'History', line: 'history "ep 2"' },
            { label: 'More…', line: 'status "ep 2"', opens: 'menu' },
          ],
        },
      ],
      foot: 'Page 2 of 3',
      offers: [
        { label: 'Previous', line: 'list running search="my llm" page=1' },
        { label: 'Next', line: 'list running search="my llm" page=3' },
      ],
    })
  })

  test('says first that automation is paused, and then announces no stop within the pause', () => {
    const context = contextOf({})
    const [by, announced] = [
      { team: 'T1', user: 'U1' },
      { at: context.now + 3_600_000, want: 'down' as const, by: 'schedule' as const },
    ]
    const linesUntil = (until: number | null) => {
      const freeze = { kind: 'freeze', by, at: 0, until, because: 'demo' } as const
      const { items } = list.show({ ...page, page: 1, pages: 1 }, { ...context, freeze, announcedOf: () => announced })
      return items.slice(0, 2).map(({ text, detail = '' }) => `${english(text)} ${english(detail)}`)
    }
    expect(linesUntil(null)).toEqual([
      'Automation is paused by @U1 until someone resumes it: “demo” ',
      `my-llm ${english(stateOf(llm))}`,
    ])
    expect(linesUntil(announced.at)[1]).toContain('stops in 1 h (schedule)')
  })

  test('shows the total cost on every page, from the last listing and this page', () => {
    const { totalOf } = costsIn({ currency: 'USD', perHour: new Map([['RTX 4090', 0.75]]) })
    const others = [
      { ...llm, active: false },
      { ...llm, id: 'ep-9' },
    ]
    const shown = list.show(page, { ...contextOf({}), totalOf, listed: others })
    expect(english(shown.items[0]?.text ?? '')).toBe('Running now: $4.50 an hour, about $3,285 a month at this rate.')
    expect(english(shown.foot ?? '')).toBe('Page 2 of 3')
    const unpriced = { ...contextOf({}), totalOf, listed: [...others, { ...llm, id: 'ep-10', gpu: 'new' }] }
    expect(english(list.show(page, unpriced).items[0]?.text ?? '')).toMatch(
      /^Running now: .* rate · 1 without a price\.$/,
    )
    const program = { ...contextOf({}), totalOf, listed: others, byProgram: true }
    expect(english(list.show(page, program).foot ?? '')).toMatch(/^Running now: .* rate\. Page 2 of 3$/)
  })

  test.each<[string, Partial<Context<FieldValues>>]>([
    ['stop waits for approval', { openOn: () => [asking({ status: 'awaiting', requirement: 'approval' })] }],
    [
      'stop waits for confirmation',
      { openOn: () => [asking({ status: 'running' }), asking({ status: 'awaiting', requirement: 'confirmation' })] },
    ],
    ['stop in progress', { openOn: () => [asking({ status: 'running' })] }],
    ['', { openOn: () => [asking({ status: 'awaiting', requirement: 'notice' })] }],
    ['automation paused for another 2 h', { rulesOf: () => ({ ...noRules, holds: [hold] }) }],
    [
      'changed outside Lamplighter: left alone for another 2 h',
      { rulesOf: () => ({ ...noRules, holds: [{ ...hold, by: 'console' }] }) },
    ],
    ['idle stop after 1 h', { useOf: () => usedOn(null) }],
    ['', { useOf: () => usedOn('it’s protected') }],
  ])('shows what waits and what comes next: “%s”', (says, known) => {
    const running: Endpoint = { ...odd, active: true }
    const [row] = list.show({ ...page, endpoints: [running] }, { ...contextOf({}), ...known }).items
    expect(english(row?.detail ?? '')).toBe(['running', says].filter(Boolean).join(' · '))
  })

  test('writes lines that parse', () => {
    const { items, offers } = show(list, page, { search: 'say "hi" \\ 100%' })
    for (const { line } of [...(offers ?? []), ...items.flatMap((item) => item.offers ?? [])])
      expect(readLine(line, rows)).toMatchObject({ kind: 'line', read: { line } })
  })

  test('shows no page links for a single page, and says so when nothing matches', () => {
    expect(show(list, { endpoints: [tts], page: 1, pages: 1, total: 1 })).toMatchObject({
      title: '1 endpoint',
      offers: [],
    })
    expect(show(list, { endpoints: [], page: 1, pages: 0, total: 0 })).toEqual({
      title: 'No endpoints match.',
      items: [],
      offers: [],
    })
    const none = { endpoints: [], page: 1, pages: 0, total: 0 }
    expect(show(list, none, { state: 'stopped' }).title).toBe('No endpoint is stopped.')
    expect(show(list, none, { state: 'stopped', search: 'x' }).title).toBe('No endpoints match.')
  })
})

test('list of a page beyond the last says so and offers the last page', () => {
  expect(show(list, { endpoints: [], page: 9, pages: 3, total: 42 }, { state: 'running' })).toEqual({
    title: 'There’s no page 9; the last is page 3.',
    items: [],
    offers: [{ label: 'Last page', line: 'list running page=3' }],
  })
})

describe('status', () => {
  test('requests the given endpoint', () => {
    expect(status.call?.({ endpoint: 'my-llm' }, llm)).toEqual({
      method: 'get',
      path: '/endpoints/{endpoint_id}',
      params: { path: { endpoint_id: 'ep-llm' } },
    })
  })

  test('shows the endpoint as it was read', () => {
    expect(show(status, llm)).toEqual({
      title: 'my-llm',
      items: [
        { text: english(stateOf(llm)), mark: 'changing', more: inEnglish(rowActions(llm).slice(1)) },
        { text: 'RUNNING: 2' },
        { text: 'PENDING: 1' },
      ],
      foot: 'Changed 3 h ago · https://llm.example/v1',
      offers: inEnglish(startStopButtons(llm)),
    })
  })

  test('does not repeat that all replicas are in one state', () => {
    const texts = show(status, { ...llm, replicasByState: { RUNNING: 3 } }).items.map(({ text }) => text)
    expect(texts).not.toContain('RUNNING: 3')
    expect(show(status, { ...llm, updatedAt: 'lately' }).foot).toBe('https://llm.example/v1')
  })

  test('does not repeat when one of our own requests changed it', () => {
    const changed = Date.parse('2026-11-20T10:00:00Z')
    const footAfter = (endedAt: number) => {
      const one = { ...asking({ status: 'succeeded' }), startedAt: changed - 1_000, ending: { at: endedAt, says: '' } }
      return english(status.show(llm, { ...contextOf({}), past: [one] }).foot ?? '')
    }
    expect(footAfter(changed + 30_000)).toBe('https://llm.example/v1')
    expect(footAfter(changed - 120_000)).toContain('Changed 3 h ago')
  })

  test('shows the platform’s error', () => {
    expect(show(status, { ...odd, problem: 'The cluster did not answer.' })).toEqual({
      title: 'odd',
      items: [
        {
          text: 'state unknown',
          mark: 'attention',
          more: inEnglish(rowActions(odd).slice(1)),
          detail: 'The cluster did not answer.',
        },
      ],
      offers: [],
    })
  })
})

describe('whoami', () => {
  const key: KeyContext = { organization: 'Lamps', project: 'p-1', key: 'key-1', user: 'u-1' }

  test.each<[Role | null, string]>([
    [null, 'You don’t have a role here'],
    ['viewer', 'You’re a viewer in project default'],
    ['operator', 'You’re an operator in project default'],
    ['approver', 'You’re an approver in project default'],
    ['admin', 'You’re an admin in project default'],
  ])('says for role %s: %s', (role, title) => {
    expect(show(whoami, key, {}, role).title).toBe(title)
  })

  test('shows the API key’s owner to admins only', () => {
    const { items, ...viewers } = show(whoami, key)
    expect(items).toEqual([{ text: 'You can see everything but logs' }])
    expect(viewers).not.toHaveProperty('foot')
    expect(show(whoami, key, {}, 'admin').foot).toBe(
      'Platform organization Lamps · platform project p-1 · API key key-1, created by u-1',
    )
    expect(show(whoami, { ...key, key: null, user: null }, {}, 'admin').foot).toMatch(/API key unknown$/)
  })

  test('shows waiting requests, delegates and whom to ask', () => {
    const you = { absent: [], standIn: null, waiting: 0, approvers: [], admins: [] }
    function told(more: Partial<OwnAccess>): QueryAnswer['items'] {
      const { items } = whoami.show(key, { ...contextOf({}), you: { ...you, ...more } })
      // The first item says what the role allows.
      return inEnglish(items).slice(1)
    }
    expect(told({})).toEqual([{ text: 'Nothing is waiting for you.' }])
    const [ben, cleo] = ['U0BEN', 'U0CLEO'].map((user) => ({ team: 'T0', user })) as [Actor, Actor]
    const standIn = { kind: 'away', who: ben, to: cleo, at: 1, until: 5_000 } as const
    const dana = { kind: 'user', id: 'U0DANA' } as const
    expect(told({ approvers: [dana], admins: [dana] })).toEqual([
      { text: 'Nothing is waiting for you.' },
      { text: 'Who can approve:', whom: [dana] },
      { text: 'Who to ask for another role:', whom: [dana] },
    ])
    expect(told({ waiting: 2, absent: [ben], standIn })).toEqual([
      { text: '2 requests are waiting for you.', offers: [{ label: 'Show', line: 'approve' }] },
      { text: 'You can approve for', whom: [{ kind: 'user', id: 'U0BEN' }] },
      { text: `Can approve for you until ${instant(5_000)}:`, whom: [{ kind: 'user', id: 'U0CLEO' }] },
    ])
  })

  test('says what the role allows, and mentions approving only if the policy lets this person approve', () => {
    const [dana, leads] = [
      { kind: 'user', id: 'U0DANA' },
      { kind: 'group', id: 'S0LEADS' },
    ] as const
    const you = { absent: [], standIn: null, waiting: 0, admins: [] }
    const told = (role: Role, approvers: OwnAccess['approvers'], by: Member) =>
      inEnglish(whoami.show(key, { ...contextOf({}, role), by, you: { ...you, approvers } }).items)
        .slice(0, 2)
        .map(({ text }) => text)
    expect(told('approver', [dana], dana)).toEqual([
      'You can see everything, request and confirm changes, and approve or cancel those of others',
      'The policy gives this role to you by name',
    ])
    expect(told('admin', [dana], leads)[0]).toBe(
      'You can see everything, request and confirm changes, cancel those of others, and bypass approvals in an emergency',
    )
  })

  test('requests the key’s context', () => {
    expect(whoami.call?.({}, undefined)).toEqual({ method: 'get', path: '/me' })
  })
})

describe('help', () => {
  test('lists every command in its group, with an example and its effect', () => {
    const { title, items } = show(help, undefined, {}, 'admin')
    expect(title).toBe('Commands: each begins with /endpoint')
    expect(items.map(({ text }) => text)).toEqual([
      'Endpoints',
      'Schedules and automation',
      'Requests and approvals',
      'History, savings and checks',
      'Programs',
    ])
    const usages = items.flatMap((item) => item.usages ?? [])
    // Every command but help, nearly all within one line of a phone.
    expect(new Set(usages.map(({ about }) => about)).size).toBe(rows.length - 1)
    expect(usages).toHaveLength(rows.length - 1)
    expect(usages).toContainEqual({ line: 'idle my-llm after 60m', about: 'stop it when idle' })
    const lengths = usages.map(({ line, about = '' }) => Math.ceil((line.length + english(about).length + 4) / 40))
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBeLessThan(50)
  })

  test.each(['stop', 'STOP', 'down'])('about %s shows its examples', (about) => {
    expect(show(help, undefined, { about }, 'operator')).toEqual({
      title: '/endpoint stop',
      items: [
        {
          text: english(summaryOf({ name: 'stop' })),
          usages: [{ line: '/endpoint stop <endpoint> [at 19:00] [reason="…"]' }],
        },
        {
          text: 'Examples',
          usages: [
            { line: '/endpoint stop my-llm' },
            { line: '/endpoint stop my-llm at 19:00' },
            { line: '/endpoint stop my-llm reason="moving to v2"' },
          ],
        },
      ],
    })
  })

  test('about an unknown command suggests the nearest one and lists all', () => {
    const shown = show(help, undefined, { about: 'stpo' })
    expect(shown.title).toMatch(/^No command “stpo”\. Did you mean stop\b/)
    expect(shown.items.flatMap((item) => item.usages ?? [])).toHaveLength(rows.length - 1)
    expect(show(help, undefined, { about: 'zzz' }).title).toBe('No command “zzz”.')
  })

  test('needs no call', () => {
    expect(help.call).toBeUndefined()
  })
})
