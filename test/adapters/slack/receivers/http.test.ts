import { createHash, createHmac } from 'node:crypto'
import { Agent, request as send } from 'node:http'
import { connect as dial } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHttpReceiver } from '../../../../src/adapters/slack/receivers/http.ts'
import { unmetered } from '../../../../src/core/ports/meter.ts'
import { heard, until } from './support.ts'

const secret = 'signing-secret'
const form = 'application/x-www-form-urlencoded'
const command = new URLSearchParams({
  command: '/endpoint',
  text: 'stop my-llm',
  team_id: 'T1',
  user_id: 'U1',
  channel_id: 'C1',
  trigger_id: 't',
}).toString()

let said: () => string
// The clock stands still at a whole second, so no request is late on a busy machine.
const begun = Math.floor(Date.now() / 1_000) * 1_000
const clock = { offset: 0, now: () => begun + clock.offset }
let receiver: ReturnType<typeof createHttpReceiver>
let app: App
let port: number
let deliveries: unknown[]
let well: boolean

beforeEach(async () => {
  clock.offset = 0
  const { logger, said: words } = heard()
  said = words
  deliveries = []
  well = true
  receiver = createHttpReceiver({
    signingSecret: secret,
    port: 0,
    host: '127.0.0.1',
    logger,
    clock,
    meter: unmetered,
    isWell: async () => well,
    unhandledRequestTimeoutMillis: 200,
  })
  app = new App({ receiver, logger, convoStore: false, authorize: async () => ({ botId: 'B1', botUserId: 'U0' }) })
  const note = async ({ context, ack }: { context: object; ack: () => Promise<void> }) => {
    deliveries.push('deliveryId' in context && context.deliveryId)
    await ack()
  }
  app.command('/endpoint', note)
  app.action(/.*/, note)
  port = (await receiver.start()).port
})
afterEach(() => receiver.stop())

interface Post {
  body?: string | Buffer
  type?: string
  seconds?: number
  signature?: string | undefined
  headers?: Record<string, string>
  path?: string
  method?: string
  agent?: Agent
}

function signatureOf(body: string | Buffer, stamp: number | string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${stamp}:`).update(body).digest('hex')}`
}

/** Posts a signed request as Slack would, with the changes of a test; returns the status and the text. */
function post({
  body = command,
  type = form,
  seconds = 0,
  path = '/slack/events',
  method = 'POST',
  agent,
  ...rest
}: Post = {}) {
  const stamp = Math.floor(clock.now() / 1_000) + seconds
  const signature = 'signature' in rest ? rest.signature : signatureOf(body, stamp)
  const headers = {
    'content-type': type,
    ...(signature !== undefined && { 'x-slack-signature': signature, 'x-slack-request-timestamp': String(stamp) }),
    ...rest.headers,
  }
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, path, method, headers, ...(agent && { agent }) }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    request.on('error', reject)
    request.end(method === 'GET' ? undefined : body)
  })
}

test('requests with an invalid signature share one line in the log', async () => {
  for (let n = 0; n < 12; n += 1) expect(await post({ signature: 'v0=forged' })).toMatchObject({ status: 401 })
  expect(said().match(/whose signature is invalid or too old/g)).toHaveLength(1)
})

describe('a delivery', () => {
  test('that Slack has just signed reaches a listener, with the hash of its signature as its id', async () => {
    const stamp = Math.floor(clock.now() / 1_000)
    const signature = signatureOf(command, stamp)
    const headers = { 'x-slack-request-timestamp': String(stamp) }
    expect(await post({ signature, headers })).toEqual({ status: 200, text: '' })
    expect(deliveries).toEqual([createHash('sha256').update(signature).digest('hex')])
  })

  test('returns the answer of its listener', async () => {
    app.command('/echo', ({ ack }) => ack({ text: 'heard' }))
    const { text } = await post({ body: command.replace('endpoint', 'echo') })
    expect(JSON.parse(text)).toEqual({ text: 'heard' })
  })

  test('that no listener answers gets a 404', async () => {
    expect(await post({ body: command.replace('endpoint', 'other') })).toMatchObject({ status: 404 })
  })

  test('whose listener fails gets a 500, and the process goes on', async () => {
    app.command('/broken', () => Promise.reject(new Error('a bug')))
    expect(await post({ body: command.replace('endpoint', 'broken') })).toMatchObject({ status: 500 })
    expect(said()).toContain('a bug')
    expect(await post()).toMatchObject({ status: 200 })
  })

  test('in progress is answered before a stop completes', async () => {
    let isSlow = false
    app.command('/slow', async ({ ack }) => {
      isSlow = true
      await wait(100)
      await ack('done')
    })
    const agent = new Agent({ keepAlive: true })
    const slow = post({ body: command.replace('endpoint', 'slow'), agent })
    await until(() => isSlow)
    await receiver.stop()
    expect(await slow).toEqual({ status: 200, text: 'done' })
    await expect(post()).rejects.toThrow(/ECONNREFUSED/)
    agent.destroy()
  })
})

describe('the time of a request', () => {
  test.each([
    [-3_600, 401],
    [-301, 401],
    [-300, 200],
    [0, 200],
    [300, 200],
    [301, 401],
    [3_600, 401],
  ])('that is %i s from now is answered with %i', async (seconds, status) => {
    expect(await post({ seconds })).toMatchObject({ status })
    expect(deliveries).toHaveLength(status === 200 ? 1 : 0)
  })

  test('is measured by the clock of the receiver', async () => {
    clock.offset = 86_400_000
    expect(await post()).toMatchObject({ status: 200 })
    expect(await post({ seconds: -86_400 })).toMatchObject({ status: 401 })
    clock.offset = -86_400_000
    expect(await post()).toMatchObject({ status: 200 })
  })

  test.each(['', 'now', '1e9', '0x10', '-5', `${Math.floor(Date.now() / 1_000)}.5`])('cannot be %j', async (stamp) => {
    expect(await post({ headers: { 'x-slack-request-timestamp': stamp } })).toMatchObject({ status: 401 })
  })
})

describe('a signature', () => {
  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['of another secret', `v0=${createHmac('sha256', 'other').update('x').digest('hex')}`],
    ['of another version', 'v1=00'],
    ['a short one', 'v0=00'],
  ])('that is wrong is refused: %s', async (_, signature) => {
    expect(await post({ signature })).toMatchObject({ status: 401 })
    expect(deliveries).toEqual([])
  })

  test('for a body that was changed on the way is refused', async () => {
    const stamp = Math.floor(clock.now() / 1_000)
    const signature = signatureOf(command, stamp)
    expect(await post({ body: `${command}&x=1`, signature })).toMatchObject({ status: 401 })
    expect(deliveries).toEqual([])
  })

  test('that comes again runs no listener, and its sender gets no error until it is too old', async () => {
    const stamp = Math.floor(clock.now() / 1_000)
    const signature = signatureOf(command, stamp)
    const again = { signature, headers: { 'x-slack-request-timestamp': String(stamp) } }
    for (let copy = 0; copy < 3; copy++) expect(await post(again)).toEqual({ status: 200, text: '' })
    clock.offset = 290_000
    expect(await post(again)).toEqual({ status: 200, text: '' })
    clock.offset = 310_000
    expect(await post(again)).toMatchObject({ status: 401 })
    expect(deliveries).toHaveLength(1)
  })

  test('can’t be made new by writing it another way', async () => {
    const stamp = Math.floor(clock.now() / 1_000)
    const signature = signatureOf(command, stamp)
    await post({ signature })
    for (const spelling of [
      `${signature}=`,
      `${signature}=x`,
      signature.toUpperCase(),
      ` ${signature}`,
      `${signature},`,
    ])
      await post({ signature: spelling, headers: { 'x-slack-request-timestamp': String(stamp) } })
    await post({ signature, headers: { 'x-slack-request-timestamp': `00${stamp}` } })
    expect(deliveries).toHaveLength(1)
  })

  test('of a failed delivery may come again, because it is the only copy', async () => {
    let broken = true
    app.command('/broken', async ({ ack }) => {
      if (broken) throw new Error('not stored')
      await ack('stored')
    })
    const body = command.replace('endpoint', 'broken')
    const stamp = Math.floor(clock.now() / 1_000)
    const same = { body, signature: signatureOf(body, stamp), headers: { 'x-slack-request-timestamp': String(stamp) } }
    expect(await post(same)).toMatchObject({ status: 500 })
    broken = false
    expect(await post(same)).toEqual({ status: 200, text: 'stored' })
  })
})

describe('the certificate check', () => {
  const press = `payload=${encodeURIComponent(
    JSON.stringify({
      type: 'block_actions',
      actions: [{ action_id: 'approve' }],
      user: { id: 'U1' },
      team: { id: 'T1' },
    }),
  )}`

  test('is answered without a signature', async () => {
    expect(await post({ body: 'ssl_check=1&token=x', signature: undefined })).toEqual({ status: 200, text: '' })
  })

  test.each([
    `ssl_check=1&${press}`,
    `${press}&ssl_check=1`,
    `ssl_check=0&${press}`,
    `ssl_check=&${press}`,
    `ssl_check=1&ssl_check=1&${press}`,
    `ssl_check=1&ssl_check=0&${press}`,
    `ssl_check[]=1&${press}`,
    `SSL_Check=1&${press}`,
    `ssl_check=true&${press}`,
    `ssl%5Fcheck=1&${press}`,
    `ssl_check=1&${command}`,
  ])('%s reaches no listener', async (body) => {
    for (const type of [form, `${form}; charset=utf-8`, 'application/json', ''])
      expect((await post({ body, type, signature: undefined })).text).toBe('')
    expect(deliveries).toEqual([])
  })

  test('in a signed body reaches no listener either', async () => {
    for (const value of ['1', '0']) await post({ body: `ssl_check=${value}&${press}` })
    expect(deliveries).toEqual([])
    expect(await post({ body: press })).toMatchObject({ status: 200 })
    expect(deliveries).toHaveLength(1)
  })

  test('is not found in words that somebody typed', async () => {
    await post({ body: command.replace('stop', encodeURIComponent('a&ssl_check=1')) })
    expect(deliveries).toHaveLength(1)
  })
})

describe('a body', () => {
  test('of more than 256 KiB is refused, even without a content length', async () => {
    const body = `${command}&x=${'a'.repeat(256 * 1024)}`
    expect(await post({ body })).toMatchObject({ status: 413 })
    expect(await post({ body, headers: { 'transfer-encoding': 'chunked' } })).toMatchObject({ status: 413 })
    expect(await post({ body: `${command}&x=${'a'.repeat(200 * 1024)}` })).toMatchObject({ status: 200 })
    expect(deliveries).toHaveLength(1)
  })

  test.each(['', 'null', '42', '"text"', '[]', '[{}]', '{', 'payload=null', 'payload=[]', 'payload={', 'payload=7'])(
    'that Slack signed but that has no content, like %j, gets a 400',
    async (body) => {
      const type = body.startsWith('payload') ? form : 'application/json'
      expect(await post({ body, type })).toMatchObject({ status: 400 })
      expect(await post()).toMatchObject({ status: 200 })
    },
  )

  test('that breaks off does no harm', async () => {
    const socket = dial(port, '127.0.0.1')
    socket.write('POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf')
    await wait(30)
    socket.destroy()
    expect(await post()).toMatchObject({ status: 200 })
  })

  test('with any of 300 random changes runs no listener and breaks nothing', async () => {
    const stamp = Math.floor(clock.now() / 1_000)
    const signature = signatureOf(command, stamp)
    for (let seed = 0; seed < 300; seed++) {
      const at = (seed * 7_919) % command.length
      const body = command.slice(0, at) + String.fromCharCode(33 + (seed % 90)) + command.slice(at + (seed % 3))
      if (body !== command) expect((await post({ body, signature })).status).toBe(401)
    }
    expect(deliveries).toEqual([])
    expect(await post()).toMatchObject({ status: 200 })
  })
})

describe('other paths', () => {
  test('a signed challenge is answered, an unsigned one is not', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c-1' })
    expect(JSON.parse((await post({ body, type: 'application/json' })).text)).toEqual({ challenge: 'c-1' })
    expect(await post({ body, type: 'application/json', signature: undefined })).toMatchObject({ status: 401 })
  })

  test('health is reported without a signature and without data', async () => {
    expect(await post({ path: '/healthz', method: 'GET' })).toEqual({ status: 200, text: 'ok' })
    well = false
    expect(await post({ path: '/healthz', method: 'GET' })).toEqual({ status: 503, text: '' })
  })

  test.each([
    ['GET', '/', 404],
    ['POST', '/slack/event', 404],
    ['POST', '//slack/events', 404],
    ['GET', '/slack/events', 405],
    ['POST', '/healthz', 404],
  ])('%s %s is a %i', async (method, path, status) => {
    expect(await post({ method, path })).toMatchObject({ status })
    expect(deliveries).toEqual([])
  })

  test.each<[string, Post, number]>([
    ['a delivery', {}, 1],
    ['a forged one', { signature: 'v0=forged' }, 0],
    ['a look at the health', { path: '/healthz', method: 'GET' }, 0],
    ['an expectation', { headers: { expect: 'much' } }, 0],
  ])('only Slack keeps a connection: %s', async (_, what, kept) => {
    const agent = new Agent({ keepAlive: true })
    const open = (sockets: typeof agent.sockets) => Object.values(sockets).flat().length
    await post({ ...what, agent })
    await expect.poll(() => [open(agent.freeSockets), open(agent.sockets)]).toEqual([kept, 0])
    agent.destroy()
  })

  test('a port that is taken makes the start fail', async () => {
    const isWell = async () => true
    const { logger } = heard()
    const second = createHttpReceiver({
      signingSecret: secret,
      port,
      host: '127.0.0.1',
      logger,
      clock,
      meter: unmetered,
      isWell,
    })
    await expect(second.start()).rejects.toThrow(`Port ${port} is taken.`)
    await second.stop()
  })
})
