import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError, WebClient } from '@slack/web-api'
import { afterEach, expect, test } from 'vitest'
import { close, listen } from '../../../sandbox/platform/replica.ts'
import { clientOptions } from '../../../src/adapters/slack/web/client.ts'
import { heard } from '../slack/receivers/support.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(request, response))
  const url = await listen(server)
  ends.push(() => close(server))
  return url
}

/** The product's client, connected to a Slack that answers with `answer`. */
async function clientAt(answer: Answer, timeoutMs = 5_000): Promise<WebClient> {
  return new WebClient('xoxb-1', clientOptions({ apiUrl: await serve(answer), logger: heard().logger, timeoutMs }))
}

async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('It went well.'),
    (error: unknown) => error,
  )
}

const post = { channel: 'C0OPS', text: 'Grüße & more' }

test('A call arrives as the client wrote it, and its answer as Slack wrote it', async () => {
  const came: unknown[] = []
  const client = await clientAt(async (request, response) => {
    const { authorization, 'content-type': type } = request.headers
    came.push(request.method, request.url, authorization, type, (await request.toArray()).join(''))
    response.writeHead(200, { 'X-OAuth-Scopes': 'chat:write,commands', 'content-type': 'application/json' })
    response.end('{"ok":true,"ts":"1.2","message":{"text":"Grüße"}}')
  })
  expect(await client.chat.postMessage(post)).toMatchObject({
    ts: '1.2',
    message: { text: 'Grüße' },
    response_metadata: { scopes: ['chat:write', 'commands'] },
  })
  const form = 'channel=C0OPS&text=Gr%C3%BC%C3%9Fe%20%26%20more'
  expect(came).toEqual(['POST', '/chat.postMessage', 'Bearer xoxb-1', 'application/x-www-form-urlencoded', form])
})

test('An answer may be compressed', async () => {
  const client = await clientAt((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"ok":true,"ts":"1.2"}'))
  })
  expect(await client.chat.postMessage(post)).toMatchObject({ ts: '1.2' })
})

test('A compressed answer that breaks off is an error', async () => {
  const packed = gzipSync(JSON.stringify({ ok: true, ts: 'x'.repeat(500) }))
  const client = await clientAt((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, packed.length - 12))
  })
  expect(await thrown(client.chat.postMessage(post))).toBeInstanceOf(WebAPIRequestError)
})

test.each([301, 302, 303, 307, 308])('A redirect is an error, and the token goes nowhere else: %i', async (status) => {
  let elsewhere = 0
  const other = await serve((_, response) => {
    elsewhere += 1
    response.end('{"ok":true}')
  })
  const client = await clientAt((_, response) => void response.writeHead(status, { location: other }).end('Gone.'))
  const error = await thrown(client.chat.postMessage(post))
  expect(error).toBeInstanceOf(WebAPIRequestError)
  expect(String(error)).toContain(`redirect (${status})`)
  expect(elsewhere).toBe(0)
})

test.each<[string, Answer]>([
  ['silent', () => undefined],
  ['slow in the middle of its answer', (_, response) => void response.writeHead(200).write('{"ok":')],
])('A Slack that is %s is given up at the timeout', async (_, answer) => {
  const client = await clientAt(answer, 100)
  const error = await thrown(client.chat.postMessage(post))
  expect(error).toBeInstanceOf(WebAPIRequestError)
  expect(error).toMatchObject({ original: { name: 'TimeoutError' } })
})

test('A 429 says when to try again, even if its text breaks off', async () => {
  const client = await clientAt((_, response) => {
    response.writeHead(429, { 'Retry-After': '7', 'content-length': '100' }).write('Too', () => response.destroy())
  })
  const error = await thrown(client.chat.postMessage(post))
  expect(error).toBeInstanceOf(WebAPIRateLimitedError)
  expect(error).toMatchObject({ retryAfter: 7 })
})

test('Any other status is an error with its text', async () => {
  const client = await clientAt((_, response) => void response.writeHead(502, { via: 'edge' }).end('Bad gateway'))
  const error = await thrown(client.chat.postMessage(post))
  expect(error).toBeInstanceOf(WebAPIHTTPError)
  expect(error).toMatchObject({ statusCode: 502, headers: { via: 'edge' }, body: 'Bad gateway' })
})

test('An answer that isn’t JSON is an error', async () => {
  const client = await clientAt((_, response) => void response.end('<html>Hello</html>'))
  expect(await thrown(client.chat.postMessage(post))).toMatchObject({
    data: { ok: false, error: '<html>Hello</html>' },
  })
})

test('An endless answer is cut off', async () => {
  const client = await clientAt((_, response) => {
    const more = (): unknown => response.destroyed || response.write('x'.repeat(1024 * 1024), () => setImmediate(more))
    more()
  })
  expect(String(await thrown(client.chat.postMessage(post)))).toContain('longer than')
})

test.each<[string, Answer]>([
  ['without an answer', (_, response) => void response.destroy()],
  ['in the middle of its answer', (_, response) => void response.writeHead(200).write('{', () => response.destroy())],
])('A connection that is closed %s is an error in plain words', async (_, answer) => {
  const client = await clientAt(answer)
  expect(String(await thrown(client.chat.postMessage(post)))).toContain('closed before the answer came')
})

test('A failed connection is an error that names its cause', async () => {
  const options = clientOptions({ apiUrl: 'http://127.0.0.1:1/api/', logger: heard().logger, timeoutMs: 5_000 })
  const error = await thrown(new WebClient('xoxb-1', options).chat.postMessage(post))
  expect(String(error)).toContain('ECONNREFUSED')
})

test('Consecutive calls share connections', async () => {
  const ports = new Set<number | undefined>()
  const client = await clientAt((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('{"ok":true}')
  })
  for (let n = 0; n < 20; n += 1) await client.chat.postMessage(post)
  // A second one opens if the first is not quite free yet.
  expect(ports.size).toBeLessThanOrEqual(2)
})
