import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { writeCode } from '../../src/core/model/token.ts'
import { buildProduct, startChild } from '../support/child.ts'
import { measuredAs, metricsOf } from '../support/metered.ts'
import { asks, presses } from '../support/ops.ts'
import { projectRoot } from '../support/pages.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

const secret = 'only the receiver and we know this'

let receiver: Receiver
let town: Town
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  // The receiver stops first; otherwise the worker would wait for its answer until the timeout.
  await receiver.stop()
  await town.stop()
})

/** A project with one webhook that has these extra lines. */
function policyWith(lines: string): string {
  return policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
      admin: [user:U0BEN]
    tokens: [user:U0ANA]
    events:
      - name: incidents
        url: ${receiver.url}
        secret_env: EVENTS_SECRET
${lines}`)
}

/** Starts a town whose webhook is active, so it gets every event from now on. */
async function begins(
  lines = '        allow_private: true',
  roles?: TownOptions['roles'],
  listed = false,
): Promise<void> {
  const env = { EVENTS_SECRET: secret, LAMPLIGHTER_KEY: randomBytes(32).toString('base64') }
  const endpoints = [
    { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 },
    { id: 'ep-tts', name: 'my-tts', active: false, replicas: 1, tags: ['demo'] },
  ]
  town = await startTown({ policy: policyWith(lines), env, endpoints, listed, ...(roles && { roles }) })
  if (roles === undefined) await hasBegun()
}

async function hasBegun(): Promise<void> {
  await ana('doctor', /incidents: nothing delivered yet/)
}

/** ana runs a line and waits until she sees the answer. */
async function ana(line: string, seen: string | RegExp): Promise<void> {
  await asks(town.slack.as('U0ANA'), `${line}`, seen)
}

/** Makes the worker check for events at once, until it has sent its first one. */
async function untilCalled(): Promise<void> {
  await expect
    .poll(async () => {
      await town.minutesPass(0)
      return receiver.calls.length
    })
    .toBe(1)
}

/** Lets time pass until the receiver has taken this many events. */
async function untilTaken(count: number, minutes = 0.2): Promise<void> {
  await expect
    .poll(
      async () => {
        await town.minutesPass(minutes)
        return receiver.taken().length
      },
      { interval: 100 },
    )
    .toBeGreaterThanOrEqual(count)
}

test('A receiver gets the outcome of a request, signed the way Slack signs', async () => {
  await begins()
  await ana('start my-tts reason="a demo"', 'Started my-tts')
  await untilTaken(1)
  const [call] = receiver.calls
  expect(call?.body).toMatchObject({
    id: expect.stringMatching(/^default-\d+-\d{13}-request\.ended$/),
    type: 'request.ended',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    project: 'default',
    endpoint: { id: 'ep-tts', name: 'my-tts' },
    by: 'U0ANA',
    says: { en: expect.stringContaining('Started my-tts'), ko: expect.stringContaining('my-tts') },
    request: {
      line: 'start my-tts',
      reason: 'a demo',
      status: 'succeeded',
      via: 'typed',
      link: expect.stringMatching(/^https?:/),
    },
  })
  const { 'x-lamplighter-request-timestamp': timestamp, 'x-lamplighter-signature': signature } = call?.headers ?? {}
  const expected = createHmac('sha256', secret)
    .update(`v0:${String(timestamp)}:${call?.text}`)
    .digest('hex')
  expect(signature).toBe(`v0=${expected}`)
  expect(Math.abs(Number(timestamp) * 1_000 - town.clock.now())).toBeLessThan(120_000)
  expect(call?.headers['x-lamplighter-event']).toBe('request.ended')
  // Checked with the code in docs/events.md.
  const page = await readFile(join(projectRoot, 'docs/events.md'), 'utf8')
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  const { isFromLamplighter } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isFromLamplighter: (headers: object, body: string, secret: string) => boolean
  }
  vi.spyOn(Date, 'now').mockReturnValue(town.clock.now())
  const checked = [call?.text ?? '', `${call?.text} `].map((body) =>
    isFromLamplighter(call?.headers ?? {}, body, secret),
  )
  vi.restoreAllMocks()
  expect(checked).toEqual([true, false])
  expect(town.log()).not.toContain(secret)
})

test('A rejected event is sent again under the same id, before any later event, and each try is counted', async () => {
  await begins('        allow_private: true', [])
  const worker = await town.opens('worker')
  await town.begin('worker', worker)
  await town.begin('bot')
  await hasBegun()
  receiver.answers(503)
  await ana('start my-tts', 'Started my-tts')
  await untilCalled()
  await ana('keep my-tts 2h', 'Paused automation for my-tts')
  await ana('doctor', /incidents: .*3 waiting.*The receiver answered with 503/s)
  receiver.answers(200)
  await untilTaken(3)
  const ids = receiver.calls.map(({ body }) => String(body['id']))
  expect(receiver.calls[0]?.body['id']).toBe(receiver.taken()[0])
  expect(receiver.taken().map((id) => id.replace(/^default-\d+-\d+-/, ''))).toEqual([
    'request.ended',
    'request.ended',
    'hold.set-ep-tts',
  ])
  expect(ids.filter((id, at) => id !== ids[at - 1])).toEqual(receiver.taken())
  await ana('doctor', /incidents: last delivered .* ago, nothing waiting/)
  const tries = async (end: string) =>
    measuredAs(await metricsOf(worker), 'event_tries_total', { webhook: 'incidents', end })
  expect([await tries('failed'), await tries('taken')]).toEqual([receiver.calls.length - 3, 3])
})

test('An event in flight at a worker’s death is resent under the same id', async () => {
  await buildProduct()
  await begins(undefined, ['bot'])
  const first = await startChild(town, 'worker')
  try {
    await hasBegun()
    receiver.onCall(() => first.signal('SIGKILL'))
    await ana('start my-tts', 'Started my-tts')
    await timePassesUntil(town, first.gone)
  } finally {
    await first.stop()
  }
  receiver.onCall(() => undefined)
  const redis = new Redis(inject('redisUrl'))
  // Removes the dead worker's turn, as if it had expired.
  await redis.del(`{${town.prefix}:default}:pursuits:turn:events`)
  redis.disconnect()
  await town.begin('worker')
  await ana('keep my-tts 2h', 'Paused automation for my-tts')
  await untilTaken(4)
  const [ended, again, ...rest] = receiver.taken()
  expect(again).toBe(ended)
  expect(rest.map((id) => id.replace(/^default-\d+-\d+-/, ''))).toEqual(['request.ended', 'hold.set-ep-tts'])
})

test('A receiver that never answers delays nothing else', async () => {
  await begins()
  receiver.answers(0)
  await ana('start my-tts', 'Started my-tts')
  await untilCalled()
  await ana('stop my-llm', 'Stop my-llm?')
  await town.slack.as('U0ANA').presses('Stop my-llm', { in: 'ops' })
  await ana('list', 'my-llm')
  await town.slack.as('U0ANA').sees('Stopped my-llm', { in: 'ops' })
  expect(receiver.calls).toHaveLength(1)
})

test('An event says who confirmed, and leaves out a token’s code and private text', async () => {
  await begins()
  const person = town.slack.as('U0BEN')
  await ana('stop my-llm reason="over"', 'Stop my-llm?')
  await presses(person, 'Stop my-llm', 'Stopped my-llm')
  await ana('token new plain', 'Created the token')
  const code = writeCode(`lamp_${'a'.repeat(65)}`, 'd'.repeat(43), town.clock.now())
  await ana(`token new "terminal of lap" code=${code}`, 'Log in “terminal of lap”?')
  await town.slack.as('U0ANA').presses('Yes, it’s my terminal', { in: 'ops' })
  await untilTaken(3)
  const bodies = receiver.calls.map(({ body }) => body as { says: { en: string }; request: Record<string, unknown> })
  expect(bodies.map(({ says, request }) => [says.en, request['line'], request['decided']])).toEqual([
    [expect.stringContaining('Stopped my-llm.'), 'stop my-llm', { yes: true, by: 'U0BEN' }],
    ['Created the token “plain”.', 'token new plain', undefined],
    ['Logged in “terminal of lap”.', 'token new "terminal of lap"', { yes: true, by: 'U0ANA' }],
  ])
  await ana('history', 'terminal of lap')
  expect(town.slack.transcript('ops')).not.toContain(code)
})

test('A request that ends without a change says who declined or cancelled it', async () => {
  await begins()
  const [own, other] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await ana('stop my-llm reason="over"', 'Stop my-llm?')
  await other.presses('Leave it running', { in: 'ops' })
  await own.sees('declined by', { in: 'ops' })
  await town.calm()
  // The declined card no longer says this, so it comes from the new request.
  await ana('stop my-llm', 'any operator can confirm')
  await ana('cancel my-llm', 'Cancelled: Stop my-llm.')
  await ana('stop my-llm', 'Stop my-llm?')
  await town.calm()
  await own.presses('Leave it running', { in: 'ops' })
  await untilTaken(3)
  expect(receiver.calls.map(({ body }) => (body['says'] as { readonly en: string }).en)).toEqual([
    'Stop my-llm declined by @U0BEN.',
    'Stop my-llm cancelled by @U0ANA. Nothing changed.',
    'Stop my-llm cancelled by @U0ANA. Nothing changed.',
  ])
})

test('A webhook for some kinds of events and a tag gets only those, and automatic actions as such', async () => {
  await begins(
    '        allow_private: true\n        kinds: [automation, holds]\n        on: ["tag:demo"]',
    undefined,
    true,
  )
  await ana('keep my-llm 1h', 'Paused automation for my-llm')
  await ana('keep my-tts 1h', 'Paused automation for my-tts')
  await ana('resume my-tts', 'Resumed automation for my-tts')
  await ana('start my-tts for 30m', 'Starting my-tts until')
  await untilTaken(3)
  expect(receiver.calls.map(({ body }) => body['type'])).toEqual(['hold.set', 'hold.ended', 'request.ended'])
  expect(receiver.calls.map(({ body }) => body['endpoint'])).toMatchObject(Array(3).fill({ name: 'my-tts' }))
  expect(receiver.calls[2]?.body).toMatchObject({ request: { via: 'schedule', line: 'start ep-tts' } })
})

test('A webhook calls neither a private address nor a redirect’s target', async () => {
  await begins()
  receiver.answers(307)
  await ana('start my-tts', 'Started my-tts')
  await untilCalled()
  await ana('doctor', /The receiver answered with 307/)
  await town.rules(policyWith('').replace(receiver.url, receiver.url.replace('http:', 'https:')))
  const shown = async () => {
    await town.minutesPass(1)
    await town.slack.as('U0ANA').types('ops', '/endpoint doctor')
    return JSON.stringify(await town.slack.as('U0ANA').sees(/incidents/, { in: 'ops' }))
  }
  await expect.poll(shown, { interval: 300 }).toContain('Its address is private')
  const before = receiver.calls.length
  await town.minutesPass(30)
  await expect.poll(shown, { interval: 300 }).toContain('Its address is private')
  expect(receiver.calls).toHaveLength(before)
})
