import { setTimeout as wait } from 'node:timers/promises'
import { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../../../sandbox/slack/link.ts'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import type { SlackRefusedError } from '../../../../src/adapters/slack/receivers/linked-sockets.ts'
import { createSocketReceiver } from '../../../../src/adapters/slack/receivers/socket-mode.ts'
import { unmetered } from '../../../../src/core/ports/meter.ts'
import { heard, until } from './support.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
let slack: SlackSandbox
let ends: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  process.on('unhandledRejection', note)
  slack = await startSlack()
  ends = [() => slack.stop()]
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  process.off('unhandledRejection', note)
  expect(unhandled.splice(0)).toEqual([])
})

function connect(options: { secondAfterMs?: number; apiUrl?: string } = {}) {
  const { logger, said } = heard()
  const fatal: SlackRefusedError[] = []
  const receiver = createSocketReceiver({
    appToken: slack.appToken,
    apiUrl: slack.url,
    meter: unmetered,
    logger,
    onFatal: (error) => fatal.push(error),
    secondAfterMs: 20,
    ...options,
  })
  const app = new App({
    receiver,
    logger,
    convoStore: false,
    authorize: async () => ({ botId: 'B1', botUserId: 'U0' }),
  })
  ends.push(() => receiver.stop())
  return { app, receiver, fatal, said, start: () => receiver.start() as Promise<void> }
}

/** Echoes each command after `delay` ms; returns the ids of the deliveries. */
function echo(app: App, delay = 0): unknown[] {
  const deliveries: unknown[] = []
  app.command('/endpoint', async ({ ack, context, command }) => {
    deliveries.push(context['deliveryId'])
    if (delay) await wait(delay)
    await ack({ text: command.text })
  })
  return deliveries
}

/** Sends a command and returns what Slack sees of its answer. Only an answer over the same socket counts. */
function say(text: string): Promise<Answer> {
  const payload = { command: '/endpoint', text, team_id: 'T1', user_id: 'U1', channel_id: 'C1', trigger_id: 't' }
  return slack.link.send({ type: 'slash_commands', payload, acceptsAnswer: true })
}

function opens(): number {
  return slack.calls('apps.connections.open').length
}

const alone = { secondAfterMs: 60_000 }

describe('two sockets', () => {
  test('are ready at the first hello, and the second one follows', async () => {
    await connect({ secondAfterMs: 100 }).start()
    expect(slack.sockets.count()).toBe(1)
    await slack.sockets.connected(2)
  })

  test('carry the id of each delivery and answer it on the socket it came on', async () => {
    const { app, start } = connect()
    const deliveries = echo(app)
    await start()
    await slack.sockets.connected(2)
    for (const text of ['one', 'two', 'three']) expect(await say(text)).toEqual({ kind: 'acked', body: { text } })
    expect(new Set(deliveries).size).toBe(3)
    for (const id of deliveries) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('give a repeated envelope the same id', async () => {
    const { app, start } = connect()
    const deliveries = echo(app)
    await start()
    await say('once')
    await slack.link.sendAgain(0)
    expect(deliveries[1]).toBe(deliveries[0])
  })

  test('are both closed by a stop, and earlier deliveries are still answered', async () => {
    const { app, receiver, start } = connect()
    const deliveries = echo(app, 100)
    await start()
    await slack.sockets.connected(2)
    const late = say('late')
    await until(() => deliveries.length === 1)
    await receiver.stop()
    expect(await late).toMatchObject({ kind: 'acked' })
    await until(() => slack.sockets.count() === 0)
    await wait(100)
    expect(slack.sockets.count()).toBe(0)
    expect(opens()).toBe(2)
  })
})

describe('a refresh', () => {
  test('of random sockets leaves no command unanswered', async () => {
    const { app, start } = connect()
    echo(app)
    await start()
    await slack.sockets.connected(2)
    const answers: Promise<Answer>[] = []
    const refreshes: Promise<void>[] = []
    for (let tick = 0; tick < 500; tick++) {
      answers.push(say('again'))
      if (tick % 25 === 0 && slack.sockets.count() === 2) refreshes.push(slack.sockets.refresh('random', 40))
      await wait(4)
    }
    await Promise.all(refreshes)
    expect(refreshes.length).toBeGreaterThan(10)
    expect((await Promise.all(answers)).filter(({ kind }) => kind !== 'acked')).toEqual([])
  })

  test('of both sockets at once opens two new ones', async () => {
    const { app, start } = connect()
    echo(app)
    await start()
    await slack.sockets.connected(2)
    const refreshed = [slack.sockets.refresh(0, 100), slack.sockets.refresh(1, 100)]
    expect(await say('meanwhile')).toMatchObject({ kind: 'acked' })
    await slack.sockets.connected(2)
    expect(opens()).toBe(4)
    await Promise.all(refreshed)
    expect(await say('afterwards')).toMatchObject({ kind: 'acked' })
  })

  test('does not lose an answer in progress', async () => {
    const { app, start } = connect(alone)
    echo(app, 80)
    await start()
    const answer = say('slow')
    await wait(20)
    await slack.sockets.refresh(0, 150)
    expect(await answer).toMatchObject({ kind: 'acked' })
  })
})

describe('failures', () => {
  test('a broken socket is replaced', async () => {
    const { app, start } = connect(alone)
    echo(app)
    await start()
    slack.sockets.drop()
    await until(() => opens() === 2)
    await slack.sockets.connected()
    expect(await say('back')).toMatchObject({ kind: 'acked' })
  })

  test('an answer whose socket is gone is logged, and the listener continues', async () => {
    const { app, start, said } = connect(alone)
    let wentOn = false
    app.command('/endpoint', async ({ ack }) => {
      slack.sockets.drop()
      await wait(50)
      await ack('too late')
      wentOn = true
    })
    await start()
    void say('x')
    await until(() => wentOn)
    expect(said()).toMatch(/The answer to [0-9a-f-]{36} did not reach Slack/)
  })

  test('a listener that throws is logged, and the next delivery is served', async () => {
    const { app, start, said } = connect(alone)
    app.command('/endpoint', async ({ ack, command }) => {
      if (command.text === 'bad') throw new Error('a bug')
      await ack()
    })
    await start()
    void say('bad')
    expect(await say('good')).toMatchObject({ kind: 'acked' })
    expect(said()).toContain('a bug')
  })

  test.each([
    ['an internal error', { kind: 'error', error: 'fatal_error' }],
    ['a 503', { kind: 'status', status: 503 }],
    ['a rate limit', { kind: 'rate-limited', retryAfterS: 1 }],
    ['a broken connection', { kind: 'drop-before' }],
  ] as const)('%s at the opening is retried, at the start and later', async (_, fault) => {
    const { start } = connect(alone)
    const first = slack.fault('apps.connections.open', fault, 1)
    await start()
    const second = slack.fault('apps.connections.open', fault, 1)
    await slack.sockets.refresh(0, 10)
    await until(() => second.hits() === 1)
    await slack.sockets.connected()
    expect([first.hits(), opens()]).toEqual([1, 4])
  })

  test('the start waits for a Slack that is down', async () => {
    const { start, receiver, said } = connect({ apiUrl: 'http://127.0.0.1:1/api/' })
    const started = expect(start()).rejects.toThrow('Stopped before Slack said hello.')
    await until(() => said().includes('No socket to Slack yet'))
    await receiver.stop()
    await started
  })

  test('stopping does not wait for an opening that hangs', async () => {
    slack.fault('apps.connections.open', { kind: 'hang' })
    const { start, receiver } = connect()
    const started = expect(start()).rejects.toThrow('Stopped before')
    await until(() => opens() === 1)
    await receiver.stop()
    await started
  })
})

describe('a token that Slack refuses', () => {
  test.each(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'missing_scope'])(
    'fails the start with a sentence and is not tried again: %s',
    async (error) => {
      const { start, fatal } = connect()
      slack.fault('apps.connections.open', { kind: 'error', error })
      await expect(start()).rejects.toThrow(`Slack refuses the app token (${error}). Check that SLACK_APP_TOKEN`)
      await wait(50)
      expect(opens()).toBe(1)
      expect(fatal).toEqual([])
    },
  )

  test('is reported once after the start, and never as an unhandled rejection', async () => {
    const { start, fatal } = connect()
    await start()
    await slack.sockets.connected(2)
    slack.fault('apps.connections.open', { kind: 'error', error: 'account_inactive' })
    await Promise.all([slack.sockets.refresh(0, 20), slack.sockets.refresh(1, 20)])
    await until(() => opens() === 4 && fatal.length > 0)
    await wait(50)
    expect(fatal.map(({ message }) => message)).toEqual([expect.stringContaining('(account_inactive)')])
  })
})
