import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { App, type Logger } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SlackRefusedError } from '../../src/slack/receivers/link.ts'
import { createSocketReceiver } from '../../src/slack/receivers/socket.ts'

/** Just enough of Slack's Socket Mode: tickets, hello, envelopes to any one socket, refreshes. */
async function startSlack() {
  const answers: ((opened: () => object) => { status?: number; headers?: Record<string, string>; body: object })[] = []
  const acks = new Map<string, (payload: unknown) => void>()
  const sockets = new Set<WebSocket>()
  let opens = 0
  let tickets = 0
  let envelopes = 0
  let hello = true
  const server = createServer((request, response) => {
    opens += 1
    const opened = () => ({ ok: true, url: `ws://${request.headers.host}/link?ticket=${++tickets}` })
    const { status = 200, headers = {}, body } = answers.shift()?.(opened) ?? { body: opened() }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  const wss = new WebSocketServer({ server })
  wss.on('connection', (socket) => {
    if (hello) socket.send(JSON.stringify({ type: 'hello', num_connections: sockets.size + 1 }))
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data) => {
      const { envelope_id, payload } = JSON.parse((data as Buffer).toString())
      acks.get(envelope_id)?.({ payload, socket })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as AddressInfo).port

  /** Sends a command over one socket that Slack did not ask to go; 'unanswered' after 3 s. */
  function deliver(text: string, over = [...sockets][Math.floor(Math.random() * sockets.size)]) {
    const id = `envelope-${++envelopes}`
    const body = { command: '/endpoint', text, team_id: 'T1', user_id: 'U1', channel_id: 'C1', trigger_id: 't' }
    over?.send(
      JSON.stringify({ envelope_id: id, type: 'slash_commands', payload: body, accepts_response_payload: true }),
    )
    const answer = new Promise<{ payload: unknown; socket: WebSocket }>((resolve) =>
      acks.set(id, resolve as () => void),
    )
    return Promise.race([answer, wait(3_000, 'unanswered' as const, { ref: false })])
  }

  /** As Slack does it: a frame, then some time, then the end. No new payload goes to a socket that was asked to go. */
  function refresh(socket: WebSocket, reason = 'warning', closeAfterMs = 100) {
    sockets.delete(socket)
    socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: {} }))
    if (closeAfterMs < Number.POSITIVE_INFINITY) setTimeout(() => socket.close(), closeAfterMs)
  }

  async function stop() {
    for (const client of wss.clients) client.terminate()
    wss.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}/api/`,
    answers,
    sockets,
    clients: wss.clients,
    deliver,
    refresh,
    stop,
    opens: () => opens,
    keepQuiet: () => {
      hello = false
    },
  }
}

type Slack = Awaited<ReturnType<typeof startSlack>>

const said: string[] = []
const log = (...words: unknown[]) => said.push(words.map(String).join(' '))
const logger = {
  debug() {},
  info() {},
  warn: log,
  error: log,
  setLevel() {},
  setName() {},
  getLevel: () => 'info',
} as unknown as Logger

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
let slack: Slack
let ends: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  process.on('unhandledRejection', note)
  said.length = 0
  slack = await startSlack()
  ends = [() => slack.stop()]
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  process.off('unhandledRejection', note)
  expect(unhandled.splice(0)).toEqual([])
})

function connect(options: { secondAfterMs?: number; lingerMs?: number; apiUrl?: string } = {}) {
  const fatal: SlackRefusedError[] = []
  const onFatal = (error: SlackRefusedError) => fatal.push(error)
  const receiver = createSocketReceiver({
    appToken: 'xapp-test',
    apiUrl: slack.url,
    logger,
    onFatal,
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
  return { app, receiver, fatal, start: () => receiver.start() as Promise<void> }
}

async function until(what: () => boolean, ms = 5_000) {
  for (const end = Date.now() + ms; Date.now() < end; await wait(5)) if (what()) return
  throw new Error(`It did not come to this: ${what.toString()}`)
}

function echo(app: App, delay = 0) {
  const deliveries: unknown[] = []
  app.command('/endpoint', async ({ ack, context, command }) => {
    deliveries.push(context['deliveryId'])
    if (delay) await wait(delay)
    await ack({ text: command.text })
  })
  return deliveries
}

describe('two sockets', () => {
  test('it is ready at the first hello, and the second socket follows', async () => {
    const { start } = connect({ secondAfterMs: 100 })
    await start()
    expect(slack.sockets.size).toBe(1)
    await until(() => slack.sockets.size === 2)
  })

  test('a delivery carries its envelope id, and is answered once, through the socket it came on', async () => {
    const { app, start } = connect()
    const deliveries = echo(app)
    await start()
    await until(() => slack.sockets.size === 2)
    for (const socket of slack.sockets)
      expect(await slack.deliver('hello', socket)).toMatchObject({ payload: { text: 'hello' }, socket })
    expect(deliveries).toEqual(['envelope-1', 'envelope-2'])
  })

  test('stopping closes both and leaves nothing behind, and what was delivered before is still answered', async () => {
    const { app, receiver, start } = connect()
    echo(app, 100)
    await start()
    await until(() => slack.sockets.size === 2)
    const late = slack.deliver('late')
    await wait(20)
    await receiver.stop()
    expect(await late).toMatchObject({ payload: { text: 'late' } })
    await until(() => slack.clients.size === 0)
    await wait(50)
    expect(slack.clients.size).toBe(0)
  })
})

describe('a refresh', () => {
  test('of either socket at random, while commands come every few ms, leaves none unanswered', async () => {
    const { app, start } = connect({ lingerMs: 1_000 })
    echo(app)
    await start()
    await until(() => slack.sockets.size === 2)
    const answers: Promise<unknown>[] = []
    let refreshes = 0
    for (let tick = 0; tick < 500; tick++) {
      answers.push(slack.deliver('again'))
      if (tick % 25 === 0 && slack.sockets.size === 2) {
        const socket = [...slack.sockets][refreshes % 2]
        if (socket) slack.refresh(socket, refreshes % 3 ? 'warning' : 'refresh_requested')
        refreshes += 1
      }
      await wait(4)
    }
    expect(refreshes).toBeGreaterThan(10)
    expect((await Promise.all(answers)).filter((answer) => answer === 'unanswered')).toEqual([])
  })

  test('of both at once is answered by two new ones before Slack closes the old ones', async () => {
    const { start } = connect()
    await start()
    await until(() => slack.sockets.size === 2)
    const old = [...slack.sockets]
    for (const socket of old) slack.refresh(socket, 'warning', Number.POSITIVE_INFINITY)
    await until(() => slack.sockets.size === 2)
    expect(old.map(({ readyState }) => readyState)).toEqual([1, 1])
  })

  test('does not lose an answer that is under way', async () => {
    const { app, start } = connect()
    echo(app, 80)
    await start()
    const [socket] = slack.sockets
    if (!socket) throw new Error('no socket')
    const answer = slack.deliver('slow', socket)
    await wait(20)
    slack.refresh(socket, 'warning', 300)
    expect(await answer).toMatchObject({ payload: { text: 'slow' }, socket })
  })

  test('that Slack does not follow up is ended by us', async () => {
    const { start } = connect({ lingerMs: 50, secondAfterMs: 60_000 })
    await start()
    const [socket] = slack.sockets
    if (socket) slack.refresh(socket, 'warning', Number.POSITIVE_INFINITY)
    await until(() => socket?.readyState === 3 && slack.clients.size === 1)
  })
})

describe('trouble', () => {
  test('a socket that breaks is replaced', async () => {
    const { app, start } = connect({ secondAfterMs: 60_000 })
    echo(app)
    await start()
    for (const socket of slack.sockets) socket.terminate()
    await until(() => slack.opens() === 2 && slack.sockets.size === 1)
    expect(await slack.deliver('back')).toMatchObject({ payload: { text: 'back' } })
  })

  test('an answer whose socket is gone is logged, and the listener goes on', async () => {
    const { app, start } = connect({ secondAfterMs: 60_000 })
    let wentOn = false
    app.command('/endpoint', async ({ ack }) => {
      for (const socket of slack.clients) socket.terminate()
      await wait(50)
      await ack('too late')
      wentOn = true
    })
    await start()
    void slack.deliver('x')
    await until(() => wentOn)
    expect(said.join('\n')).toMatch(/The answer to envelope-1 did not reach Slack/)
  })

  test('frames that make no sense change nothing', async () => {
    const { app, start } = connect({ secondAfterMs: 60_000 })
    echo(app)
    await start()
    for (const socket of slack.sockets)
      for (const frame of [
        'null',
        '{',
        '{"type":"events_api"}',
        '{"type":"slash_commands","envelope_id":"x"}',
        '"disconnect"',
        '[]',
      ])
        socket.send(frame)
    expect(await slack.deliver('still here')).toMatchObject({ payload: { text: 'still here' } })
    expect(slack.opens()).toBe(1)
  })

  test('a listener that throws is logged, and the next delivery is served', async () => {
    const { app, start } = connect({ secondAfterMs: 60_000 })
    app.command('/endpoint', async ({ ack, command }) => {
      if (command.text === 'bad') throw new Error('a bug')
      await ack()
    })
    await start()
    void slack.deliver('bad')
    expect(await slack.deliver('good')).toMatchObject({ payload: {} })
    expect(said.join('\n')).toContain('a bug')
  })

  test.each([
    ['an internal error', () => ({ body: { ok: false, error: 'fatal_error' } })],
    ['a 503', () => ({ status: 503, body: {} })],
    ['a rate limit', () => ({ status: 429, headers: { 'retry-after': '1' }, body: { ok: false } })],
    ['an answer without an address', () => ({ body: { ok: true } })],
    ['an address where nobody listens', () => ({ body: { ok: true, url: 'ws://127.0.0.1:1/' } })],
  ])('%s at the opening is tried again, at the start and later', async (_, answer) => {
    const { start } = connect({ secondAfterMs: 60_000 })
    slack.answers.push(answer)
    await start()
    expect(slack.opens()).toBe(2)
    slack.answers.push(answer)
    for (const socket of slack.sockets) slack.refresh(socket)
    await until(() => slack.opens() === 4 && slack.sockets.size === 1)
  })

  test('a Slack that is away for a while is waited for', async () => {
    const { start, receiver } = connect({ apiUrl: 'http://127.0.0.1:1/api/' })
    const started = start()
    await until(() => said.some((line) => line.startsWith('No socket to Slack yet')))
    await receiver.stop()
    await expect(started).rejects.toThrow('Stopped before Slack said hello.')
  })

  test('stopping does not wait for a Slack that accepts and says nothing', async () => {
    slack.keepQuiet()
    const { start, receiver } = connect()
    const started = expect(start()).rejects.toThrow('Stopped before')
    await until(() => slack.clients.size === 1)
    await receiver.stop()
    await started
    await until(() => slack.clients.size === 0)
  })
})

describe('a token that Slack refuses', () => {
  const refusal = (error: string) => () => ({ body: { ok: false, error } })

  test.each(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'missing_scope'])(
    '%s ends the start with a sentence, and is not asked again',
    async (error) => {
      const { start, fatal } = connect()
      slack.answers.push(refusal(error))
      await expect(start()).rejects.toThrow(`Slack refuses the app token (${error}). Check that SLACK_APP_TOKEN`)
      await wait(50)
      expect(slack.opens()).toBe(1)
      expect(fatal).toEqual([])
    },
  )

  test('after the start it is told once, and never as an unhandled rejection', async () => {
    const { start, fatal } = connect()
    await start()
    await until(() => slack.sockets.size === 2)
    slack.answers.push(refusal('account_inactive'), refusal('account_inactive'))
    for (const socket of slack.sockets) slack.refresh(socket)
    await until(() => slack.opens() === 4)
    await wait(50)
    expect(fatal.map(({ message }) => message)).toEqual([expect.stringContaining('(account_inactive)')])
  })
})
