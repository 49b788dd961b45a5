import { expect, test } from 'vitest'
import { eventKinds, type Webhook } from '../../../src/core/model/policy.ts'
import type { Request } from '../../../src/core/model/request.ts'
import { say } from '../../../src/core/model/words.ts'
import type { AuditStep, EventPorts, ProvenEntry, Sent, WebhookState } from '../../../src/core/ports/audit.ts'
import { Tampered } from '../../../src/core/ports/services.ts'
import { asText } from '../../../src/core/words/render.ts'
import { commands } from '../../../src/features/command-table.ts'
import { deliverEvents, type Telling } from '../../../src/features/events/deliver.ts'
import { webhookChecks } from '../../../src/features/events/webhook-checks.ts'

const actor = { team: 'T1', user: 'U0ANA' }

/** A project with one webhook, in memory. Its first audit entry is older than the webhook. */
async function stage(own: Partial<Webhook> = {}) {
  const webhook: Webhook = {
    name: 'ops',
    url: 'https://x',
    secretEnv: 'EVENTS_SECRET',
    allowPrivate: false,
    kinds: eventKinds,
    ...own,
  }
  const audit: AuditStep[] = []
  const requests = new Map<string, Request>()
  const deliveries = new Map<string, WebhookState>()
  const logged: string[] = []
  const sent: { readonly id: string; readonly at: number; readonly type: string; readonly body: object }[] = []
  let now = Date.parse('2026-11-25T10:00:00Z')
  let ready = true
  let lockedAt: number | undefined
  let version = 'first'
  let tags: readonly string[] | null = ['prod']
  let list: 'known' | 'unknown' | 'tampered' | 'known once' = 'known'
  let reads = 0
  let answer: (type: string) => Sent = () => ({ kind: 'taken' })
  let save = async (name: string, delivery: WebhookState): Promise<void> => void deliveries.set(name, delivery)
  const tell = (_: object, message: string): void => void logged.push(message)

  function add(entry: AuditStep['entry']): void {
    audit.push({ seq: audit.length + 1, entry })
  }
  const services = {
    project: 'default',
    commands,
    policy: () => ({ webhooks: [webhook], version }),
    clock: { now: () => now, monotonic: () => 0 },
    log: { info: tell, warn: tell, error: tell },
    store: {
      audit: { head: async () => ({ seq: audit.length, mac: '' }) },
      records: async () => new Map(lockedAt === undefined ? [] : [['lockdown', { kind: 'lockdown', at: lockedAt }]]),
      load: async (id: string) => requests.get(id) ?? null,
      names: async () => {
        if (list === 'tampered') throw new Tampered(say('lockdown.changed', { what: 'names' }))
        reads += 1
        if (list === 'known once' && reads > 1) throw new Error('Redis does not answer.')
        const endpoints = tags === null ? [] : [{ id: 'ep-llm', name: 'my-llm', active: true, tags }]
        return list.startsWith('known') ? { at: 0, endpoints } : null
      },
      takeTurn: async () => async () => undefined,
    },
  } as unknown as Telling
  const ports: EventPorts = {
    after: async (seq, most) => audit.filter((one) => one.seq > seq).slice(0, most),
    stateOf: async (name) => deliveries.get(name) ?? null,
    saveState: (name, delivery) => save(name, delivery),
    async send(_, type, body) {
      const said = answer(type)
      const parsed = JSON.parse(body) as { readonly id: string }
      sent.push({ id: parsed.id, at: now, type, body: parsed })
      return said
    },
    isReady: () => ready,
    endOf: ({ ending }) => ending?.says ?? '',
    linkTo: async () => {
      if (list === 'tampered') throw new Tampered(say('lockdown.changed', { what: 'posts request-0' }))
      return 'https://chat.example/card'
    },
  }
  const round = () => deliverEvents(services, ports)
  const lockdown = (): void =>
    add({ at: now, what: 'lockdown', change: { put: [{ kind: 'lockdown', at: now, why: 'x' }] } })
  lockdown()
  await round()
  return {
    sent,
    logged,
    add,
    now: () => now,
    lockdown,
    round,
    /** The ids without their times. */
    ids: () => sent.map(({ id }) => id.replace(/-\d{13}-/, '-')),
    /** Everything in Redis is lost, and the audit begins anew with a lockdown. */
    loses: (): void => {
      deliveries.clear()
      audit.splice(0)
      lockedAt = now
      lockdown()
    },
    /** Ends a request and adds its usual audit entries. */
    ends: (line: string, more: Partial<Request> = {}, entry: Partial<ProvenEntry> = {}): void => {
      const status = more.status ?? 'succeeded'
      const ending = { at: now, says: `Done: ${line}` }
      const id = `request-${requests.size}`
      const request = { id, kind: 'operation', line, actor, status, ending, ...more } as unknown as Request
      requests.set(id, request)
      add({ at: now, what: 'sent', request: id, status: 'running' })
      add({ at: now, what: status, request: id, status, ...entry })
      add({ at: now, what: 'refused answer', request: id, status })
    },
    pass: (ms: number) => {
      now += ms
    },
    /** The policy file is edited. */
    edits: () => {
      version = 'second'
    },
    /** The endpoint gets other tags, or is deleted. */
    tagged: (next: typeof tags) => {
      tags = next
    },
    /** Whether the list of endpoints, and the places of messages, can be read. */
    lists: (next: typeof list) => {
      reads = 0
      list = next
    },
    ready: (next: boolean) => {
      ready = next
    },
    answers: (next: typeof answer) => {
      answer = next
    },
    /** Makes the worker die after noting this many more deliveries. Returns a function that replaces it. */
    dies: (after: number) => {
      const before = save
      let left = after
      save = async (name, delivery) => {
        if (left === 0) throw new Error('The worker is dead.')
        left -= 1
        await before(name, delivery)
      }
      return () => {
        save = before
      }
    },
    says: async () =>
      (await webhookChecks(services, ports)).map(({ says, well }) => `${well} ${asText(says, 'en')}`).join(),
    setBack: (hours: number) => {
      now -= hours * 3_600_000
    },
    passes: async (hours: number) => {
      for (let at = 0; at < hours * 360; at += 1) {
        now += 10_000
        await round()
      }
    },
  }
}

const failed: Sent = { kind: 'failed', why: say('events.status', { status: '503' }) }

test('Each outcome is sent once with its request, and nothing from before the webhook', async () => {
  const { ends, round, sent, add } = await stage()
  ends('stop my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
  ends('list', { kind: 'query' })
  ends('approve my-llm')
  add('unproven')
  await round()
  await round()
  expect(sent.map(({ body }) => body)).toEqual([
    {
      id: `default-3-${Date.parse('2026-11-25T10:00:00Z')}-request.ended`,
      type: 'request.ended',
      at: '2026-11-25T10:00:00.000Z',
      project: 'default',
      says: { en: 'Done: stop my-llm', ko: 'Done: stop my-llm' },
      endpoint: { id: 'ep-llm', name: 'my-llm' },
      by: 'U0ANA',
      request: { id: 'request-0', line: 'stop my-llm', status: 'succeeded', person: 'U0ANA', via: 'typed' },
    },
  ])
})

test('Holds and lockdowns are sent when they begin and when they end', async () => {
  const { add, round, sent, lockdown, now } = await stage()
  const hold = { kind: 'hold', id: 'h', endpoint: 'ep-llm', at: 0, until: Date.parse('2026-11-26T00:00:00Z') } as const
  add({ at: now(), what: 'moved by hand', change: { put: [{ ...hold, by: 'console' }] } })
  add({ at: now(), what: 'spent', change: { drop: ['hold:ep-llm', 'rule:x'] } })
  lockdown()
  add({ at: now(), what: 'agreed', by: actor, change: { drop: ['lockdown'] } })
  await round()
  expect(sent.map(({ body }) => body)).toMatchObject([
    { type: 'hold.set', by: 'console', until: '2026-11-26T00:00:00.000Z', endpoint: { name: 'my-llm' } },
    { type: 'hold.ended', endpoint: { id: 'ep-llm', name: 'my-llm' } },
    { type: 'lockdown.began', says: { en: 'x' } },
    { type: 'lockdown.ended', by: 'U0ANA' },
  ])
})

test('A lockdown is sent even if its cause was the loss of all data, but not to a webhook added a day later', async () => {
  const { ends, round, sent, loses } = await stage()
  loses()
  ends('start my-llm', { status: 'refused' })
  await round()
  await round()
  expect(sent.map(({ type }) => type)).toEqual(['lockdown.began', 'request.ended'])
  const late = await stage()
  late.loses()
  late.pass(24 * 3_600_000)
  await late.round()
  await late.round()
  expect([late.sent, late.logged]).toEqual([[], []])
})

test.each([
  ['loses its tag', []],
  ['is deleted', null],
])(
  'An event that a receiver did not take is sent again if its endpoint %s, but not if the policy changes',
  async (_, tags) => {
    const { ends, round, sent, answers, tagged, passes, edits } = await stage({ on: ['tag:prod'] })
    answers(() => failed)
    ends('stop my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
    await round()
    tagged(tags)
    await passes(0.1)
    expect(sent.length).toBeGreaterThan(1)
    const { length } = sent
    edits()
    await passes(0.5)
    expect(sent).toHaveLength(length)
  },
)

test.each([
  ['automation alone', { kinds: ['automation'] }, ['stop a']],
  ['endpoints by their tag, and what is about none', { on: ['tag:prod'] }, ['keep my-llm 2h', 'freeze']],
  ['endpoints by their name', { on: ['other*'] }, ['stop a', 'freeze']],
] as const)('A webhook can select %s', async (_, own, lines) => {
  const { ends, round, sent } = await stage(own)
  ends('stop a', { via: 'schedule', endpoint: { id: 'ep-a', name: 'other' } })
  ends('keep my-llm 2h', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
  ends('freeze')
  await round()
  expect(sent.map(({ body }) => body)).toMatchObject(lines.map((line) => ({ request: { line } })))
})

test('Events are sent although the list of endpoints and the places of messages were changed in Redis', async () => {
  const { ends, lists, lockdown, round, sent } = await stage()
  lists('tampered')
  ends('start my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' }, plan: [] })
  lockdown()
  await round()
  expect(sent.map(({ type }) => type)).toEqual(['request.ended', 'lockdown.began'])
})

test.each(['unknown', 'tampered'] as const)(
  'Without a list (%s), an event waits up to a day for its tags',
  async (list) => {
    const { ends, lists, lockdown, round, sent, pass } = await stage({ on: ['tag:prod'] })
    lists(list)
    ends('start my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
    lockdown()
    await round()
    expect(sent).toEqual([])
    lists('known')
    await round()
    expect(sent.map(({ type }) => type)).toEqual(['request.ended', 'lockdown.began'])
    lists(list)
    ends('stop my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
    pass(24 * 3_600_000)
    lockdown()
    await round()
    expect(sent.map(({ type }) => type)).toEqual(['request.ended', 'lockdown.began', 'lockdown.began'])
  },
)

test('A lockdown in force is sent though the list of endpoints was changed and a webhook waits for tags', async () => {
  const { ends, lists, lockdown, loses, round, sent } = await stage({ on: ['tag:prod'] })
  loses()
  lists('tampered')
  await round()
  ends('start my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
  lockdown()
  await round()
  expect(sent.map(({ type }) => type)).toEqual(['lockdown.began', 'lockdown.began'])
})

test('An event is not passed over because Redis did not answer for the list', async () => {
  const { ends, lists, round, sent } = await stage({ on: ['tag:prod'] })
  ends('start my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
  lists('known once')
  await round().catch(() => undefined)
  lists('known')
  await round()
  expect(sent.map(({ type }) => type)).toEqual(['request.ended'])
})

test.each([
  [{ kinds: ['lockdowns'] }, ['lockdown.began']],
  [{ on: ['my-*', 'tag:prod'] }, ['request.ended', 'lockdown.began']],
] as const)(
  'Without a list, a webhook (%j) waits for no event on which the list decides nothing',
  async (own, types) => {
    const { ends, lists, lockdown, round, sent } = await stage({ on: ['tag:prod'], ...own })
    lists('unknown')
    ends('start my-llm', { endpoint: { id: 'ep-llm', name: 'my-llm' } })
    lockdown()
    await round()
    expect(sent.map(({ type }) => type)).toEqual(types)
  },
)

test('A webhook for some endpoints hears of no line whose endpoint was never found', async () => {
  const { ends, round, sent } = await stage({ on: ['tag:prod'] })
  ends('stop merger-lm reason="the deal is off"', { status: 'refused' })
  ends('freeze reason="the deal is off"')
  // It has no endpoint yet, but a name that is known.
  ends('stop my-llm', { status: 'failed' })
  await round()
  const lines = ['freeze', 'stop my-llm']
  expect(sent.map(({ body }) => body)).toMatchObject(lines.map((line) => ({ request: { line } })))
})

test('An edit of the policy ends a pause, because it may mend the webhook', async () => {
  const { ends, round, answers, passes, edits, sent } = await stage()
  ends('stop my-llm')
  answers(() => failed)
  await passes(2)
  const tries = sent.length
  await round()
  expect(sent).toHaveLength(tries)
  edits()
  await round()
  await round()
  expect(sent).toHaveLength(tries + 1)
})

test('A failed attempt is repeated after pauses of up to an hour and given up after a day', async () => {
  const { ends, answers, passes, sent, ids, logged, says, pass } = await stage()
  answers(() => failed)
  ends('stop my-llm')
  pass(1_000)
  ends('start my-llm')
  await passes(1)
  expect(await says()).toMatch(
    /^false ops: nothing delivered yet, 2 waiting\. The last attempt failed: The receiver answered/,
  )
  await passes(24)
  const first = sent.filter(({ id }) => id.startsWith('default-3-'))
  const pauses = first.slice(1).map(({ at }, nth) => at - (first[nth]?.at ?? 0))
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(pauses[0]).toBeLessThanOrEqual(10_000)
  expect(Math.max(...pauses)).toBe(3_600_000)
  expect(new Set(ids()).size).toBe(1)
  expect(logged.filter((line) => line === 'could not deliver an event; trying again')).toHaveLength(1)
  expect(logged.filter((line) => line === 'gave up on an event')).toHaveLength(2)
  expect(await says()).toMatch(/^false ops: .* nothing waiting\. Gave up on an event/)
  answers(() => ({ kind: 'taken' }))
  ends('stop my-llm')
  await passes(24)
  expect(await says()).toMatch(/^true ops: last delivered .* ago, nothing waiting\.$/)
})

test('An event that waits is counted, even if its entry has others that the webhook does not get', async () => {
  const { ends, answers, passes, says } = await stage({ kinds: ['holds'] })
  answers(() => failed)
  const hold = { kind: 'hold', id: 'h', endpoint: 'ep-llm', at: 0, until: 1, by: actor } as const
  ends('keep my-llm 2h', {}, { change: { put: [hold] } })
  await passes(1)
  expect(await says()).toMatch(/^false ops: nothing delivered yet, 1 waiting\. The last attempt failed/)
})

test('Wherever a worker dies, events it has not noted are resent in order under their ids', async () => {
  const wanted = [3, 6, 9].map((seq) => `default-${seq}-request.ended`)
  let deaths = 0
  for (let moment = 0, isOver = false; !isOver; moment += 1) {
    const { ends, round, dies, ids } = await stage()
    for (const line of ['stop a', 'start a', 'stop b']) ends(line)
    const lives = dies(moment)
    isOver = await round().then(
      () => true,
      () => false,
    )
    lives()
    await round()
    deaths += isOver ? 0 : 1
    expect(ids().filter((id, at, all) => id !== all[at - 1])).toEqual(wanted)
    expect(ids().length).toBeLessThanOrEqual(4)
  }
  expect(deaths).toBeGreaterThan(6)
})

test('A webhook that delivers again after failures is logged once', async () => {
  const { ends, round, answers, logged, pass } = await stage()
  const trouble = ['could not deliver an event; trying again', 'events of this webhook are delivered again']
  for (const nth of [1, 2]) {
    answers(() => failed)
    ends('stop my-llm')
    ends('start my-llm')
    await round()
    pass(5_000)
    await round()
    pass(10_000)
    answers(() => ({ kind: 'taken' }))
    await round()
    expect(logged).toEqual(Array.from({ length: nth }, () => trouble).flat())
  }
})

test('A webhook that delivers again after an event was given up is logged, and until then its failures are not new', async () => {
  const { ends, passes, answers, logged } = await stage()
  const trouble = [
    'could not deliver an event; trying again',
    'gave up on an event',
    'events of this webhook are delivered again',
  ]
  for (const nth of [1, 2]) {
    answers(() => failed)
    ends('stop my-llm')
    await passes(25)
    ends('start my-llm')
    await passes(2)
    answers(() => ({ kind: 'taken' }))
    await passes(2)
    ends('stop my-llm')
    await passes(1)
    expect(logged).toEqual(Array.from({ length: nth }, () => trouble).flat())
  }
})

test('Of two events from one entry only the failed one is repeated', async () => {
  const { ends, round, answers, ids, pass } = await stage()
  const hold = { kind: 'hold', id: 'h', endpoint: 'ep-llm', at: 0, until: 1, by: actor } as const
  ends('keep my-llm 2h', {}, { change: { put: [hold] } })
  answers((type) => (type === 'hold.set' ? failed : { kind: 'taken' }))
  await round()
  answers(() => ({ kind: 'taken' }))
  pass(5_000)
  await round()
  expect(ids()).toEqual(['default-3-request.ended', 'default-3-hold.set-ep-llm', 'default-3-hold.set-ep-llm'])
})

test('Events about several endpoints in one entry have different ids', async () => {
  const { add, round, ids, now } = await stage()
  add({ at: now(), what: 'spent', change: { drop: ['hold:ep-llm', 'hold:ep-tts'] } })
  await round()
  expect(ids()).toHaveLength(2)
  expect(new Set(ids()).size).toBe(2)
})

test('An event that the receiver will never take does not block the next one', async () => {
  const { ends, round, answers, ids, logged } = await stage()
  ends('stop a')
  ends('start a')
  answers(() => (ids().length === 0 ? { kind: 'never', why: 'no' } : { kind: 'taken' }))
  await round()
  expect(ids()).toEqual(['default-3-request.ended', 'default-6-request.ended'])
  expect(logged).toEqual(['gave up on an event'])
})

test('A webhook that is far behind gives up the oldest events', async () => {
  const { ends, round, answers, ids, add, pass, says } = await stage()
  answers(() => failed)
  ends('stop a')
  await round()
  for (let at = 0; at < 10_000; at += 1) add({ at: 0, what: 'spent' })
  ends('start a')
  answers(() => ({ kind: 'taken' }))
  pass(5_000)
  await round()
  expect(ids()).toEqual(['default-3-request.ended', 'default-10006-request.ended'])
  expect(await says()).toMatch(/^false .*More than 10,000 entries/)
})

test('An entry that only a newer version can read is waited for a day', async () => {
  const { add, ends, passes, ids, says } = await stage()
  add('newer')
  await passes(23)
  ends('stop a')
  expect(ids()).toEqual([])
  expect(await says()).toMatch(/^false .*newer version/)
  await passes(2)
  expect(ids()).toEqual(['default-4-request.ended'])
})

test('A webhook without its secret is off and names the missing variable until it is set', async () => {
  const { ends, round, ids, says, ready } = await stage()
  ready(false)
  ends('stop a')
  await round()
  expect(ids()).toEqual([])
  expect(await says()).toMatch(/^false ops: .* 1 waiting\. It’s off: EVENTS_SECRET isn’t set here\./)
  ready(true)
  await round()
  expect(ids()).toEqual(['default-3-request.ended'])
  expect(await says()).toMatch(/^true /)
})

test('A failed event is sent again although the clock was set back', async () => {
  const { ends, answers, passes, sent, setBack } = await stage()
  answers(() => failed)
  ends('stop my-llm')
  await passes(4)
  answers(() => ({ kind: 'taken' }))
  const tried = sent.length
  setBack(3)
  await passes(1)
  expect(sent).toHaveLength(tried + 1)
})
