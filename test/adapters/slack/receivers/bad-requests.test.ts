import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { App } from '@slack/bolt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createSocketReceiver } from '../../../../src/adapters/slack/receivers/socket-mode.ts'
import { unmetered } from '../../../../src/core/ports/meter.ts'
import { heard, until } from './support.ts'

/** A Slack that sends whatever a test tells it to, which the sandbox would not. */
async function startRudeSlack() {
  const answers: object[] = []
  let opens = 0
  let hello = true
  const server = createServer((request, response) => {
    opens += 1
    const good = { ok: true, url: `ws://${request.headers.host}/link` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers.shift() ?? good))
  })
  const wss = new WebSocketServer({ server })
  const acks: unknown[] = []
  const openBeside: number[] = []
  wss.on('connection', (socket) => {
    openBeside.push([...wss.clients].filter((one) => one !== socket && one.readyState === 1).length)
    if (hello) socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
    socket.on('message', (data) => acks.push(JSON.parse((data as Buffer).toString())))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    answers,
    acks,
    clients: wss.clients,
    /** The number of other open connections, for each new one. */
    openBeside,
    opens: () => opens,
    keepQuiet: () => {
      hello = false
    },
    say: (frame: string) => {
      for (const client of wss.clients) client.send(frame)
    },
    async stop() {
      for (const client of wss.clients) client.terminate()
      wss.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
let slack: Awaited<ReturnType<typeof startRudeSlack>>
let ends: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  process.on('unhandledRejection', note)
  slack = await startRudeSlack()
  ends = [() => slack.stop()]
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  process.off('unhandledRejection', note)
  expect(unhandled.splice(0)).toEqual([])
})

function connect(lingerMs = 1_000) {
  const { logger } = heard()
  const onFatal = () => expect.unreachable()
  const [meter, secondAfterMs] = [unmetered, 60_000]
  const options = { appToken: 'xapp-test', apiUrl: slack.url, logger, meter, onFatal, secondAfterMs, lingerMs }
  const receiver = createSocketReceiver(options)
  const app = new App({
    receiver,
    logger,
    convoStore: false,
    authorize: async () => ({ botId: 'B1', botUserId: 'U0' }),
  })
  app.command('/endpoint', ({ ack }) => ack('here'))
  ends.push(() => receiver.stop())
  return { receiver, start: () => receiver.start() as Promise<void> }
}

const payload = { command: '/endpoint', text: '', team_id: 'T1', user_id: 'U1', channel_id: 'C1', trigger_id: 't' }

test('invalid frames are ignored', async () => {
  await connect().start()
  const odd = [
    'null',
    '{',
    '{"type":"events_api"}',
    '{"type":"slash_commands","envelope_id":"x"}',
    '"disconnect"',
    '[]',
    '7',
  ]
  for (const frame of odd) slack.say(frame)
  slack.say(JSON.stringify({ type: 'slash_commands', envelope_id: 'e-1', payload }))
  await until(() => slack.acks.length > 0)
  expect(slack.acks).toEqual([{ envelope_id: 'e-1', payload: { text: 'here' } }])
  expect(slack.opens()).toBe(1)
})

test('a socket that Slack wants refreshed but leaves open is closed once the next one is open', async () => {
  await connect(50).start()
  const [old] = slack.clients
  slack.say(JSON.stringify({ type: 'disconnect', reason: 'warning' }))
  await until(() => slack.openBeside.length === 2 && old?.readyState === 3 && slack.clients.size === 1)
  expect(slack.openBeside).toEqual([0, 1])
})

test.each([
  ['without an address', { ok: true }],
  ['with an address where nobody listens', { ok: true, url: 'ws://127.0.0.1:1/' }],
  ['with an address that is none', { ok: true, url: 'nonsense' }],
])('an answer %s makes the receiver try again', async (_, answer) => {
  slack.answers.push(answer)
  await connect().start()
  expect(slack.opens()).toBe(2)
})

test('stopping does not wait for a Slack that accepts a socket and says nothing', async () => {
  slack.keepQuiet()
  const { start, receiver } = connect()
  const started = expect(start()).rejects.toThrow('Stopped before')
  await until(() => slack.clients.size === 1)
  await receiver.stop()
  await started
  await until(() => slack.clients.size === 0)
})
