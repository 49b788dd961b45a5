import { afterEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/slack/faults.ts'
import type { ApiCall } from '../../sandbox/slack/web-api/call.ts'
import { effects, theEnd } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions): Promise<void> {
  town = await startTown(options)
}

/** Enough for everything but reading what was said in channels. */
const withoutHistory = ['chat:write', 'commands', 'users:read', 'usergroups:read', 'channels:read', 'im:write']

const done = 'Started my-tts; it’s serving.'

/** Asks for a start and lets time pass until all of it is shown. */
async function start(): Promise<void> {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))
  await timePassesUntil(town, town.calm())
  expect(effects(town)).toEqual(['start'])
}

/** The posts of a card. Where time has passed, the end stands in its thread besides. */
function cardCalls(): readonly ApiCall[] {
  return town.slack.calls('chat.postMessage').filter(({ args }) => args['thread_ts'] === undefined)
}

function cards(): readonly string[] {
  const messages = town.slack.channel('ops').messages()
  return messages.flatMap(({ threadTs, ephemeralTo, text }) => ((threadTs ?? ephemeralTo) ? [] : [text]))
}

describe('a post whose answer is lost', () => {
  test.each<[string, Fault]>([
    ['the connection drops', { kind: 'drop-after' }],
    ['a gateway answers', { kind: 'status-after', status: 502 }],
  ])('is found by what it carries, and not posted again (%s)', async (_, fault) => {
    await begin()
    const planned = town.slack.fault('chat.postMessage', fault, 1)
    await start()
    expect(planned.hits()).toBe(1)
    expect(theEnd(town)).toBe(done)
    expect(cardCalls()).toHaveLength(1)
  })

  test('is found also when looking for it fails at first', async () => {
    await begin()
    const planned = [
      town.slack.fault('chat.postMessage', { kind: 'drop-after' }, 1),
      town.slack.fault('conversations.history', { kind: 'rate-limited', retryAfterS: 1 }, 1),
      town.slack.fault('conversations.history', { kind: 'drop-before' }, 1),
    ]
    await start()
    expect(planned.map((fault) => fault.hits())).toEqual([1, 1, 1])
    expect(theEnd(town)).toBe(done)
    expect(cardCalls()).toHaveLength(1)
  })

  test('is posted once more where the channel cannot be read, and says that it is repeated', async () => {
    await begin({ slack: { scopes: withoutHistory } })
    const planned = town.slack.fault('chat.postMessage', { kind: 'drop-after' }, 1)
    await start()
    expect(planned.hits()).toBe(1)
    expect(cardCalls()).toHaveLength(2)
    const [first, second] = cardCalls().map(({ args }) => `${args['text'] as string} ${args['blocks'] as string}`)
    expect(first).not.toContain('epeated')
    expect(second).toContain('(repeated)')
    expect(second).toContain('Repeated: the first copy may not have arrived.')
  })

  test('is posted no third time where the channel cannot be read', async () => {
    await begin({ slack: { scopes: withoutHistory } })
    const planned = town.slack.fault('chat.postMessage', { kind: 'drop-after' }, 3)
    await start()
    await town.minutesPass(5)
    await timePassesUntil(town, town.calm())
    expect(planned.hits()).toBe(3)
    expect(cards()).toHaveLength(2)
    // The outcome goes on to whoever asked.
    expect(town.slack.transcript('U0ANA')).toContain('Started my-tts')
  })

  test('waits until Slack is back, also where the channel cannot be read', async () => {
    await begin({ slack: { scopes: withoutHistory } })
    town.platform.onCall(({ operation, when }) => {
      if (operation === 'startEndpoint' && when === 'before answering') town.slack.down()
    })
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint start my-tts')
    await expect.poll(() => effects(town)).toEqual(['start'])
    for (let minute = 0; minute < 5; minute += 1) await town.minutesPass(1)
    town.slack.up()
    await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))
    await timePassesUntil(town, town.calm())
    expect(theEnd(town)).toBe(done)
  })
})

test.each([1, 30])('a 429 with Retry-After %i is waited for, and then it is said', async (seconds) => {
  await begin()
  const fault = town.slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfterS: seconds }, 1)
  await start()
  expect(fault.hits()).toBe(1)
  const [refused, posted] = cardCalls().map(({ at }) => at)
  expect(posted! - refused!).toBeGreaterThanOrEqual(seconds * 1000)
  expect(theEnd(town)).toBe(done)
})

test('a 429 that does not say for how long is not taken for a post', async () => {
  await begin()
  const fault = town.slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfterS: 'soon' }, 1)
  await start()
  expect(fault.hits()).toBe(1)
  expect(theEnd(town)).toBe(done)
  expect(cards()).toHaveLength(1)
})

test('Slack is away for minutes: the platform’s work goes on and ends, and is told when Slack is back', async () => {
  await begin({ platform: { startDelayMs: 120_000 } })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await ana.sees('Starting my-tts… waiting until it serves', { in: 'ops' })
  town.slack.down()
  const reads = () => town.platform.calls().filter(({ operation }) => operation === 'getEndpointStatus').length
  for (let minute = 1; minute <= 5; minute += 1) {
    const before = reads()
    await town.minutesPass(1)
    if (minute < 2) await expect.poll(reads).toBeGreaterThan(before)
  }
  expect(effects(town)).toEqual(['start'])
  town.slack.up()
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))
  await timePassesUntil(town, town.calm())
  expect(theEnd(town)).toBe(done)
})

test('blocks that Slack will not have are said as one plain sentence', async () => {
  await begin()
  const fault = town.slack.fault('chat.postMessage', { kind: 'error', error: 'invalid_blocks' }, 1)
  await start()
  expect(fault.hits()).toBe(1)
  const [refused, plain] = cardCalls().map(({ args }) => args['blocks'])
  expect(refused).toContain('U0ANA')
  expect(plain).not.toContain('U0ANA')
  // A later edit may have its blocks again.
  expect(town.slack.transcript('ops')).toMatch(/^App: (✅ )?Started my-tts; it’s serving\./)
})
