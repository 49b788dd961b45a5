import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, expect, type TestContext, test } from 'vitest'
import type { SlackOptions } from '../../sandbox/slack/options.ts'
import { buildProduct, type Child } from '../support/child.ts'
import { childDuring, townDuring } from '../support/during.ts'
import { callsOf, effects, theEnd } from '../support/ends.ts'
import { asks } from '../support/ops.ts'
import { startProxy } from '../support/proxy.ts'
import { timePassesUntil } from '../support/time.ts'
import type { Town } from '../support/town.ts'
import { through } from '../support/wires.ts'

/*
 * A worker that stands still, loses its lease and comes back without knowing. Another worker has done its work by
 * then, and people may have undone it, so anything that it still does would be a repetition.
 */

const lease = 500 + 10_000

const endpoints = [
  { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 },
  { id: 'ep-tts', name: 'my-tts', active: false },
  { id: 'ep-two', name: 'my-two', active: true },
]

beforeAll(buildProduct)

interface Stage {
  readonly town: Town
  /** The worker that will be paused. */
  readonly zombie: Child
}

async function begin(
  context: TestContext,
  env: (town: Town) => Promise<Record<string, string>>,
  slack: SlackOptions = {},
): Promise<Stage> {
  const town = await townDuring(context, { roles: ['bot'], endpoints, slack, env: { PLATFORM_TIMEOUT_MS: '500' } })
  const zombie = await childDuring(context, town, 'worker', await env(town))
  return { town, zombie }
}

/** Starts another worker in this process and waits until it has ended the request. */
async function another(town: Town, end: RegExp): Promise<void> {
  await town.begin('worker')
  await wait(lease)
  await timePassesUntil(town, town.slack.as('U0ANA').sees(end, { in: 'ops' }))
  await timePassesUntil(town, town.calm())
}

test.concurrent('A worker paused during its call says and does nothing when it comes back', async (context) => {
  const { town, zombie } = await begin(context, async () => ({}))
  const ana = town.slack.as('U0ANA')
  town.platform.onCall((call) => {
    if (call.operation === 'stopEndpoint' && call.when === 'before acting') zombie.signal('SIGSTOP')
  })
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await context.expect.poll(() => effects(town)).toEqual(['stop'])
  await another(town, /^Stopped my-llm\. The platform’s reply was lost/)

  zombie.signal('SIGCONT')
  await wait(1_000)
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe('Stopped my-llm. The platform’s reply was lost; its status confirms this.')
  expect(callsOf(town, 'stopEndpoint')).toHaveLength(1)
  expect(zombie.log()).not.toContain('"level":"error"')
})

test.concurrent('A worker paused with messages to post does not post them when it comes back', async (context) => {
  const { town, zombie } = await begin(context, async () => ({}), { paceRealistically: true })
  const ana = town.slack.as('U0ANA')
  // A channel takes only two questions at once, so later messages have to wait.
  await asks(ana, 'stop my-two', '[Stop my-two]')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  town.platform.onCall((call) => {
    if (call.operation === 'stopEndpoint' && call.when === 'before acting') zombie.signal('SIGSTOP')
  })
  await ana.presses('Stop my-llm', { in: 'ops' })
  await context.expect.poll(() => effects(town)).toEqual(['stop'])
  await another(town, /^Stopped my-llm\./)
  // my-two's messages depend on the clock, so only those about my-llm count.
  const calls = () => town.slack.calls().filter(({ method }) => method.startsWith('chat.'))
  const said = () => calls().filter(({ args }) => JSON.stringify(args).includes('my-llm')).length
  // The other worker may still have messages waiting for their turn.
  let before = Number.NaN
  while (said() !== before) {
    before = said()
    await wait(1_500)
    await timePassesUntil(town, town.calm())
  }

  zombie.signal('SIGCONT')
  await wait(3_000)
  await timePassesUntil(town, town.calm())
  expect(said()).toBe(before)
  expect(callsOf(town, 'stopEndpoint')).toHaveLength(1)
})

test.concurrent('A worker paused right before its call does not make it when it comes back', async (context) => {
  const { town, zombie } = await begin(context, async () => ({}))
  // A start without a question is read once, right before its call.
  let reads = 0
  town.platform.onCall((call) => {
    if (call.operation === 'getEndpointStatus' && call.when === 'before answering' && ++reads === 1)
      zombie.signal('SIGSTOP')
  })
  await town.slack.as('U0ANA').types('ops', '/endpoint start my-tts')
  await context.expect.poll(() => reads).toBe(1)
  await another(town, /^Started my-tts/)
  town.platform.console.stop('ep-tts')

  zombie.signal('SIGCONT')
  await wait(1_000)
  expect(effects(town)).toEqual(['start', 'stop'])
  expect(callsOf(town, 'startEndpoint')).toHaveLength(1)
})

test.concurrent('A worker whose journal is confirmed too late does not make its call', async (context) => {
  const wires: Awaited<ReturnType<typeof startProxy>>[] = []
  const { town, zombie } = await begin(context, async ({ env }) => {
    const { port, hostname } = new URL(env['REDIS_URL']!)
    const wire = await startProxy(Number(port), hostname)
    context.onTestFinished(() => wire.stop())
    wires.push(wire)
    return { REDIS_URL: through(wire, env['REDIS_URL']!) }
  })
  const [wire] = wires
  let reads = 0
  town.platform.onCall((call) => {
    if (call.operation === 'getEndpointStatus' && call.when === 'before answering' && ++reads === 1)
      wire!.hold('replies')
  })
  await town.slack.as('U0ANA').types('ops', '/endpoint start my-tts')
  await context.expect.poll(() => reads).toBe(1)
  await another(town, /^Started my-tts/)
  town.platform.console.stop('ep-tts')

  await wire!.pass()
  await wait(1_000)
  expect(effects(town)).toEqual(['start', 'stop'])
  expect(callsOf(town, 'startEndpoint')).toHaveLength(1)
  expect(zombie.log()).not.toContain('"level":"error"')
})
