import { afterEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/slack/faults.ts'
import type { ApiCall } from '../../sandbox/slack/web-api/call.ts'
import { effects, theEnd } from '../support/ends.ts'
import { asks } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions): Promise<void> {
  town = await startTown(options)
}

/** Every scope except those for reading channels. */
const withoutHistory = ['chat:write', 'commands', 'users:read', 'usergroups:read', 'channels:read', 'im:write']

const done = 'Started my-tts; it’s serving.'

/** Requests a start and lets time pass until everything is shown. */
async function start(): Promise<void> {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await timePassesUntil(town, ana.sees(/^Started my-tts/, { in: 'ops' }))
  await timePassesUntil(town, town.calm())
  expect(effects(town)).toEqual(['start'])
}

/** The posts of the card. If time has passed, the outcome is also in the thread. */
function cardCalls(): readonly ApiCall[] {
  return town.slack.calls('chat.postMessage').filter(({ args }) => args['thread_ts'] === undefined)
}

function cards(): readonly string[] {
  const messages = town.slack.channel('ops').messages()
  return messages.flatMap(({ threadTs, ephemeralTo, text }) => ((threadTs ?? ephemeralTo) ? [] : [text]))
}

describe('A post whose answer is lost', () => {
  test.each<[string, Fault]>([
    ['the connection drops', { kind: 'drop-after' }],
    ['a gateway answers', { kind: 'status-after', status: 502 }],
  ])('is found by its metadata and not posted again (%s)', async (_, fault) => {
    await begin()
    const planned = town.slack.fault('chat.postMessage', fault, 1)
    await start()
    expect(planned.hits()).toBe(1)
    expect(theEnd(town)).toBe(done)
    expect(cardCalls()).toHaveLength(1)
  })

  test('is found even if the search fails at first', async () => {
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

  test('is posted again, marked as repeated, if the channel can’t be read', async () => {
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

  test('is not posted a third time if the channel can’t be read', async () => {
    await begin({ slack: { scopes: withoutHistory } })
    const planned = town.slack.fault('chat.postMessage', { kind: 'drop-after' }, 3)
    await town.slack.as('U0ANA').types('ops', '/endpoint start my-tts')
    // The requester gets the outcome instead: the cards may have been posted before it was known.
    const told = expect.poll(() => town.slack.transcript('U0ANA')).toContain('Started my-tts')
    await timePassesUntil(town, told)
    await timePassesUntil(town, town.calm())
    expect(planned.hits()).toBe(3)
    expect(cards()).toHaveLength(2)
    expect(effects(town)).toEqual(['start'])
  })

  test('waits until Slack is back, even if the channel can’t be read', async () => {
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

test.each([1, 30])('A 429 with Retry-After %i is waited for, then the message is posted', async (seconds) => {
  await begin()
  const fault = town.slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfterS: seconds }, 1)
  await start()
  expect(fault.hits()).toBe(1)
  const [refused, posted] = cardCalls().map(({ at }) => at)
  expect(posted! - refused!).toBeGreaterThanOrEqual(seconds * 1000)
  expect(theEnd(town)).toBe(done)
})

test('A 429 without a usable Retry-After is not taken for success', async () => {
  await begin()
  const fault = town.slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfterS: 'soon' }, 1)
  await start()
  expect(fault.hits()).toBe(1)
  expect(theEnd(town)).toBe(done)
  expect(cards()).toHaveLength(1)
})

test('While Slack is down for minutes the work goes on, and the outcome is posted later', async () => {
  await begin({ platform: { startDelayMs: 120_000 } })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
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

test('Blocks that Slack rejects are replaced by one plain sentence', async () => {
  await begin()
  const fault = town.slack.fault('chat.postMessage', { kind: 'error', error: 'invalid_blocks' }, 1)
  await start()
  expect(fault.hits()).toBe(1)
  const [refused, plain] = cardCalls().map(({ args }) => args['blocks'])
  expect(refused).toContain('U0ANA')
  expect(plain).not.toContain('U0ANA')
  // A later edit may use blocks again.
  expect(town.slack.transcript('ops')).toMatch(/^App: (✅ )?Started my-tts; it’s serving\./)
})
