import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { terms } from '../../src/core/model/request.ts'
import { buildProduct } from '../support/child.ts'
import { childDuring, townDuring } from '../support/during.ts'
import { callsOf, effects, sends, theEnd } from '../support/ends.ts'
import { startProxy } from '../support/proxy.ts'
import { sampleOf } from '../support/search.ts'
import { leasesLapse, timePassesUntil } from '../support/time.ts'
import { policyOf, type Town, type TownOptions } from '../support/town.ts'
import { through } from '../support/wires.ts'

/*
 * Kills processes at the worst moments; what comes after them runs in this process. The stories run concurrently,
 * because they mostly wait for processes to start; one waits for a real lease to expire: PLATFORM_TIMEOUT_MS plus 10 s.
 */

/** A busy machine may take a second to answer. ms. */
const timeout = 2_000
const lease = timeout + 10_000
/** From the end of the lease until a sweep has found the request and read the endpoint twice, in ms. */
const found = 5_000 + terms.apart + 2_000

beforeAll(buildProduct)

function begin(context: TestContext, options: TownOptions = {}): Promise<Town> {
  return townDuring(context, { roles: ['bot'], ...options, env: { PLATFORM_TIMEOUT_MS: String(timeout) } })
}

/** Wraps an action so that it runs once, and counts the calls. */
function once(act: () => void): { readonly act: () => void; times(): number } {
  let times = 0
  return {
    act() {
      times += 1
      if (times === 1) act()
    },
    times: () => times,
  }
}

function isEnd({ text }: Readonly<Record<string, unknown>>): boolean {
  return typeof text === 'string' && text.startsWith('Stopped')
}

const lost = 'after the journal, when the call is lost with it'

/** A moment of a stop at which `kill` is called. */
const moments: readonly (readonly [string, (town: Town, kill: () => void) => void])[] = [
  [
    lost,
    ({ platform }, kill) => {
      platform.faults.add('stopEndpoint', { kind: 'drop-before' }, 1)
      platform.onCall((call) => {
        if (call.operation === 'stopEndpoint' && call.when === 'before acting') kill()
      })
    },
  ],
  [
    'after the journal, when the call arrives all the same',
    ({ platform }, kill) => {
      platform.onCall((call) => {
        if (call.operation === 'stopEndpoint' && call.when === 'before acting') kill()
      })
    },
  ],
  [
    'when the platform has acted and not answered',
    ({ platform }, kill) => {
      platform.onCall((call) => {
        if (call.operation === 'stopEndpoint' && call.when === 'before answering') kill()
      })
    },
  ],
  [
    'when the platform has answered and is read again',
    ({ platform }, kill) => {
      let stopped = false
      platform.onCall(({ operation, when }) => {
        if (stopped && operation === 'getEndpointStatus') kill()
        stopped ||= operation === 'stopEndpoint' && when === 'before answering'
      })
    },
  ],
  [
    'right before the end is posted',
    ({ platform, slack }, kill) => {
      platform.onCall(({ operation, when }) => {
        if (operation === 'stopEndpoint' && when === 'before answering')
          slack.fault('chat.postMessage', { kind: 'drop-before' }, 1)
      })
      slack.onCall(({ method, args }, moment) => {
        if (method === 'chat.postMessage' && isEnd(args) && moment === 'before') kill()
      })
    },
  ],
  [
    'when the end is posted and Slack has not answered',
    ({ slack }, kill) => {
      slack.onCall(({ method, args }, moment) => {
        if (method === 'chat.postMessage' && isEnd(args) && moment === 'after') kill()
      })
    },
  ],
  [
    'when the card is edited and Slack has not answered',
    ({ slack }, kill) => {
      slack.onCall(({ method, args }, moment) => {
        if (method === 'chat.update' && isEnd(args) && moment === 'after') kill()
      })
    },
  ],
]

describe.concurrent('A worker', () => {
  // The explorer kills workers at every moment of a stop; with real processes, these stand for the others.
  const answers = 'when the platform has acted and not answered'
  const tried = sampleOf(
    moments,
    ([moment]) => moment === lost || moment === answers || moment.endsWith('Slack has not answered'),
  )
  test.for(tried)('killed %s acts and ends once', async ([moment, when], context) => {
    const town = await begin(context)
    const first = await childDuring(context, town, 'worker')
    const kill = once(() => first.signal('SIGKILL'))
    when(town, kill.act)
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.presses('Stop my-llm', { in: 'ops' })
    expect(await first.gone).toBeNull()
    // One lease expires by itself.
    if (moment !== lost) await leasesLapse(town)

    await town.begin('worker')
    if (moment === lost) await wait(lease + found)
    await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, { in: 'ops' }), moment === lost ? 0.1 : 0.005)
    await timePassesUntil(town, town.calm())
    expect(theEnd(town)).toMatch(/^Stopped my-llm\./)
    expect(effects(town)).toEqual(['stop'])
    const [at = 0, again] = callsOf(town, 'stopEndpoint')
    // Only a lost call is sent again, after two reads have shown no effect.
    expect(sends(town)).toHaveLength(moment === lost ? 2 : 1)
    if (again !== undefined) expect(again - at).toBeGreaterThanOrEqual(terms.apart)
    if (again !== undefined) expect(again - at).toBeLessThan(90_000)
    expect(kill.times()).toBeGreaterThan(0)
    expect(town.log()).not.toContain('"level":"error"')
  })

  test.for(['before', 'after'] as const)(
    'killed while reporting to a workflow, %s Slack took the report, leaves it to the next worker',
    async (moment, context) => {
      const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN] }
    workflows: [user:U0ANA]
`)
      const town = await begin(context, { policy })
      const first = await childDuring(context, town, 'worker')
      const kill = once(() => first.signal('SIGKILL'))
      if (moment === 'before') town.slack.fault('functions.completeSuccess', { kind: 'drop-before' }, 1)
      town.slack.onCall(({ method }, at) => {
        if (method === 'functions.completeSuccess' && at === moment) kill.act()
      })
      const inputs = { endpoint: 'my-tts', person: 'U0ANA', reason: 'the nightly evaluation' }
      const { id } = await town.slack.workflows.run('start_endpoint', inputs)
      await town.slack.as('U0BEN').presses('Start my-tts', { in: 'ops' })
      expect(await first.gone).toBeNull()
      await leasesLapse(town)

      await town.begin('worker')
      await timePassesUntil(town, town.slack.workflows.ended(id))
      await timePassesUntil(town, town.calm())
      expect(town.slack.workflows.execution(id)).toMatchObject({ state: 'completed', outputs: { result: 'done' } })
      expect(town.slack.calls('functions.completeSuccess')).toHaveLength(2)
      expect(sends(town)).toEqual(['startEndpoint'])
      expect(town.log()).not.toContain('"level":"error"')
    },
  )

  test('told to exit during a start leaves at once, and the next worker finishes the start', async (context) => {
    const town = await begin(context, { platform: { startDelayMs: 60_000 } })
    const first = await childDuring(context, town, 'worker')
    const ana = town.slack.as('U0ANA')
    const told = once(() => first.signal('SIGTERM'))
    town.platform.onCall((call) => {
      if (call.operation === 'startEndpoint' && call.when === 'before acting') told.act()
    })
    await ana.types('ops', '/endpoint start my-tts')
    expect(await Promise.race([first.gone, wait(25_000, 'still there', { ref: false })])).toBe(0)
    expect(first.log()).not.toContain('"level":"error"')
    expect(effects(town)).toEqual(['start'])
    expect(sends(town)).toEqual(['startEndpoint'])

    await town.begin('worker')
    await timePassesUntil(town, ana.sees(/^Started my-tts; it’s serving\./, { in: 'ops' }))
    await timePassesUntil(town, town.calm())
    expect(theEnd(town)).toBe('Started my-tts; it’s serving.')
    expect(effects(town)).toEqual(['start'])
    expect(sends(town)).toEqual(['startEndpoint'])
  })
})

test.concurrent('A command runs once if its bot dies before answering and Slack repeats it', async (context) => {
  const town = await begin(context, { roles: ['worker'], slack: { ackTimeoutMs: 2_500 } })
  const { port, hostname } = new URL(town.env['REDIS_URL']!)
  const wire = await startProxy(Number(port), hostname)
  context.onTestFinished(() => wire.stop())
  const bot = await childDuring(context, town, 'bot', { REDIS_URL: through(wire, town.env['REDIS_URL']!) })
  await town.slack.sockets.connected()

  // The bot has stored a line before, so all its connections are set up when the replies are held back.
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint history')
  await timePassesUntil(town, town.calm())
  const redis = new Redis(town.env['REDIS_URL']!)
  context.onTestFinished(() => redis.disconnect())
  const requests = () => redis.keys(`{${town.prefix}:default}:request:*`)
  const known = (await requests()).length

  wire.hold('replies')
  // On a busy machine, Redis may refuse a line because it comes later than the bot waits for its storage, a second.
  let [deliveries, typed, stored] = [0, Promise.resolve(''), known]
  while (stored === known) {
    deliveries = town.slack.link.sent.length
    typed = ana.types('ops', '/endpoint start my-tts')
    // Polled often: the bot gives up, and answers, after a second.
    const answered = typed.then(() => true)
    for (let isOver = false; stored === known && !isOver; ) {
      isOver = await Promise.race([answered, wait(5, false)])
      stored = (await requests()).length
    }
  }
  bot.signal('SIGKILL')
  expect(await typed).toContain('/endpoint failed with the error')
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))

  await town.begin('bot')
  await town.slack.sockets.connected()
  expect(await town.slack.link.sendAgain(deliveries)).toEqual({ kind: 'acked', body: undefined })
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toContain('Started my-tts')
  expect(effects(town)).toEqual(['start'])
  expect(sends(town)).toEqual(['startEndpoint'])
})
