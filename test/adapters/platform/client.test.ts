import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { close, listen } from '../../../sandbox/platform/replica.ts'
import { startPlatform } from '../../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../../sandbox/platform/types.ts'
import { createPlatform, type PlatformOptions } from '../../../src/adapters/platform/client.ts'
import { type Call, call } from '../../../src/core/commands/call.ts'
import { say } from '../../../src/core/model/words.ts'
import { english } from '../../support/words.ts'

const at = { path: { endpoint_id: 'my-llm' } }
const start = call('post', '/endpoints/{endpoint_id}/start', { params: at })
const stop = call('post', '/endpoints/{endpoint_id}/stop', { params: at })
const status = call('get', '/endpoints/{endpoint_id}', { params: at })

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

type HttpPlatform = ReturnType<typeof createPlatform>

function connect(options: Partial<PlatformOptions> & { baseUrl: string }): HttpPlatform {
  const platform = createPlatform({
    apiKey: 'sk-canary-0123456789',
    timeoutMs: 5000,
    scaleField: 'replica_count',
    log: { warn: () => undefined },
    ...options,
  })
  ends.push(() => platform.close())
  return platform
}

test.each(['raw', 'spelled'])('A name with our own time marks is shown with them spelled out (%s)', async (way) => {
  const name = way === 'raw' ? '\ue0001800000000000\ue001' : '\\uE0001800000000000\\ue001'
  const text = `{"id":"my-llm","name":"\\\\ue000 ${name}","is_active":true}`
  const fetch = async () => new Response(text)
  const platform = connect({ baseUrl: 'http://127.0.0.1/external/api/v1', fetch })
  expect(await platform.send(status)).toMatchObject({
    kind: 'answered',
    answer: { name: '\\ue000 \\u{e000}1800000000000\\u{e001}' },
  })
})

describe('With a working platform', () => {
  let sandbox: PlatformSandbox
  let platform: HttpPlatform
  beforeEach(async () => {
    sandbox = await startPlatform({ endpoints: [{ id: 'my-llm', name: 'My LLM' }], listeningReplicas: false })
    ends.push(() => sandbox.stop())
    platform = connect({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
  })

  test('every answer is converted to our own types', async () => {
    expect(await platform.send(call('get', '/me'))).toMatchObject({
      kind: 'answered',
      answer: { project: 'proj-sandbox' },
    })
    expect(await platform.send(start)).toEqual({
      kind: 'answered',
      answer: { id: 'my-llm', active: true, message: 'Endpoint started successfully' },
    })
    expect(await platform.send(status)).toMatchObject({
      answer: { id: 'my-llm', active: true, replicasByState: { RUNNING: 1 } },
    })
    const replicas = await platform.send(call('get', '/endpoints/{endpoint_id}/replicas', { params: at }))
    expect(replicas).toMatchObject({ answer: [{ state: 'RUNNING' }] })
    const scale = call('post', '/endpoints/{endpoint_id}/scale', { params: at, body: { replica_count: 3 } })
    expect(await platform.send(scale)).toMatchObject({ answer: { message: expect.stringContaining('from 1 to 3') } })
    const files = await platform.send(call('get', '/endpoints/{endpoint_id}/logs', { params: at }))
    if (files.kind !== 'answered' || !files.answer[0]) throw new Error('There is no log file.')
    const { node: node_id, filename } = files.answer[0]
    const file = call('get', '/endpoints/{endpoint_id}/logs/file', { params: { ...at, query: { node_id, filename } } })
    expect(await platform.send(file)).toMatchObject({ answer: { content: expect.stringContaining('Loading My LLM') } })
    expect(await platform.send(stop)).toMatchObject({
      answer: { active: false, message: 'Endpoint stopped successfully' },
    })
    const patch = call('patch', '/endpoints/{endpoint_id}', { params: at, body: { container_port: 8080 } })
    expect(await platform.send(patch)).toMatchObject({ answer: { container_port: 8080, active: false } })
  })

  test('the base URL may end in a slash', async () => {
    const slashed = connect({ baseUrl: `${sandbox.url}/`, apiKey: sandbox.apiKey })
    expect(await slashed.send(status)).toMatchObject({ kind: 'answered' })
  })

  test('the replica count is sent under the configured name only', async () => {
    const scale = call('post', '/endpoints/{endpoint_id}/scale', { params: at, body: { replica_count: 3 } })
    const other = await startPlatform({
      endpoints: [{ id: 'my-llm', name: 'x', active: true }],
      scaleField: 'num_replicas',
      listeningReplicas: false,
    })
    ends.push(() => other.stop())
    const seed = connect({ baseUrl: other.url, apiKey: other.apiKey })
    const docs = connect({ baseUrl: other.url, apiKey: other.apiKey, scaleField: 'num_replicas' })
    expect(await seed.send(scale)).toMatchObject({ kind: 'refused', status: 422, says: 'num_replicas: Field required' })
    expect(await docs.send(scale)).toMatchObject({
      kind: 'answered',
      answer: { message: expect.stringContaining('to 3 replicas') },
    })
  })

  test('a list has the endpoints of all its pages', async () => {
    for (let i = 0; i < 4500; i++) await sandbox.add({ id: `e-${i}`, name: `endpoint ${i}` })
    const list = await platform.list()
    if (list.kind !== 'answered') throw new Error(english(list.says))
    expect(new Set(list.answer.map(({ id }) => id)).size).toBe(4501)
    expect(sandbox.calls().filter(({ operation }) => operation === 'listEndpoints')).toHaveLength(3)
  })

  test('instance types come from all pages; a platform without them is no failed call', async () => {
    const prices = Object.fromEntries(Array.from({ length: 2100 }, (_, at) => [`GPU ${at}`, 100 + at]))
    const priced = await startPlatform({ prices })
    onTestFinished(() => priced.stop())
    const list = await connect({ baseUrl: priced.url, apiKey: priced.apiKey }).instanceTypes()
    if (list.kind !== 'answered') throw new Error(english(list.says))
    expect(list.answer).toHaveLength(2100)
    expect(list.answer[7]).toEqual({
      names: ['gpu-gpu-7-1x', 'GPU 7'],
      gpu: 'GPU 7',
      perHour: 107,
      currency: 'KRW',
    })
    const warned: unknown[] = []
    const log = { warn: (fields: unknown) => warned.push(fields) }
    const without = connect({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, log })
    expect(await without.instanceTypes()).toMatchObject({ kind: 'refused', status: 404 })
    expect(warned).toEqual([])
    await without.send(call('get', '/endpoints/{endpoint_id}', { params: { path: { endpoint_id: 'gone' } } }))
    const address = new URL(sandbox.url).host
    const operation = 'GET /endpoints/{endpoint_id}'
    expect(warned).toEqual([{ operation, address, endpoint: 'gone', outcome: 'refused', status: 404 }])
  })

  test('a list is unknown if its third page fails', async () => {
    for (let i = 0; i < 4500; i++) await sandbox.add({ id: `e-${i}`, name: `endpoint ${i}` })
    let page = 0
    sandbox.onCall(({ when }) => {
      if (when === 'before acting' && ++page === 2) sandbox.faults.add('listEndpoints', { kind: 'drop-before' }, 1)
    })
    expect(await platform.list()).toMatchObject({ kind: 'unknown' })
    expect(page).toBe(3)
  })

  test('a list is unknown if an endpoint disappears between two pages', async () => {
    for (let i = 0; i < 2500; i++) await sandbox.add({ id: `e-${i}`, name: `endpoint ${i}` })
    const stopListening = sandbox.onCall(({ when }) => {
      if (when === 'before answering') {
        sandbox.remove('e-7')
        stopListening()
      }
    })
    expect(await platform.list()).toEqual({ kind: 'unknown', says: say('platform.listChanged') })
  })

  test('a wrong key and an unknown id are refused with the platform’s reason', async () => {
    const wrong = connect({ baseUrl: sandbox.url, apiKey: 'sk-wrong-0123456789' })
    expect(await wrong.send(start)).toEqual({
      kind: 'refused',
      status: 401,
      says: 'Invalid API key',
      remedy: say('platform.key'),
    })
    const nobody = call('post', '/endpoints/{endpoint_id}/start', { params: { path: { endpoint_id: 'nobody' } } })
    expect(await platform.send(nobody)).toEqual({ kind: 'refused', status: 404, says: 'Endpoint not found' })
  })
})

describe('The log', () => {
  let said: string[]
  let answer: (path: string) => number | Error
  let logged: HttpPlatform
  const place = '"operation":"POST /endpoints/{endpoint_id}/start","address":"platform.test"'
  const others = call('post', '/endpoints/{endpoint_id}/start', { params: { path: { endpoint_id: 'other' } } })
  beforeEach(() => {
    vi.useFakeTimers()
    ends.push(async () => vi.useRealTimers())
    said = []
    logged = connect({
      baseUrl: 'http://platform.test/external/api/v1',
      log: { warn: (fields, message) => said.push(`${message} ${JSON.stringify(fields)}`) },
      fetch: async ({ url }) => {
        const status = answer(url)
        if (status instanceof Error) throw status
        return Response.json({ endpoint_id: 'my-llm', is_active: true, message: 'Started' }, { status })
      },
    })
  })

  test('names an outage with the address, and its end, but no end of a mere refusal', async () => {
    answer = () => 404
    await logged.send(start)
    answer = () => 200
    await logged.send(start)
    vi.advanceTimersByTime(60_000)
    const failed = 'a call to the platform failed'
    expect(said.splice(0)).toEqual([`${failed} {${place},"outcome":"refused","status":404,"endpoint":"my-llm"}`])
    answer = () => new Error('dropped')
    await logged.send(start)
    answer = () => 200
    for (let times = 0; times < 2; times += 1) await logged.send(start)
    vi.advanceTimersByTime(60_000)
    expect(said).toEqual([
      `${failed} {${place},"outcome":"unknown","endpoint":"my-llm"}`,
      `the platform answers again {${place},"outcome":"answered"}`,
    ])
  })

  test.each([403, 500])(
    'counts the %d of one endpoint while others are well, and says nothing of an end',
    async (code) => {
      answer = (url) => (url.includes('other') ? code : 200)
      for (let second = 0; second < 600; second += 30)
        for (const one of [others, start]) {
          await logged.send(one)
          vi.advanceTimersByTime(15_000)
        }
      expect(said[0]).toContain(`"status":${code},"endpoint":"other"`)
      expect(said.join('\n')).not.toContain('again {')
      expect(said.length).toBeGreaterThan(5)
      expect(said.length).toBeLessThanOrEqual(21)
    },
  )

  test('names the end of a refused key, and of a gateway that fails', async () => {
    for (const code of [401, 502]) {
      answer = () => code
      await logged.send(start)
      answer = () => 200
      await logged.send(start)
      vi.advanceTimersByTime(60_000)
      expect(said.splice(0).at(-1)).toBe(`the platform answers again {${place},"outcome":"answered"}`)
    }
  })
})

describe('When the platform fails', () => {
  let sandbox: PlatformSandbox
  let platform: HttpPlatform
  beforeEach(async () => {
    sandbox = await startPlatform({ endpoints: [{ id: 'my-llm', name: 'My LLM' }], listeningReplicas: false })
    ends.push(() => sandbox.stop())
    platform = connect({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
  })

  test('a call that hangs times out, and its outcome is unknown', async () => {
    sandbox.faults.add('startEndpoint', { kind: 'hang' })
    const impatient = connect({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, timeoutMs: 300 })
    expect(await impatient.send(start)).toEqual({ kind: 'unknown', says: say('platform.timeout', { seconds: 0.3 }) })
    expect(sandbox.changes()).toEqual([])
  })

  test('a body that never ends times out', async () => {
    const server = createServer((_, response) => response.writeHead(200).write('{"endpoint_id":'))
    const origin = await listen(server)
    ends.push(() => close(server))
    expect(await connect({ baseUrl: origin, timeoutMs: 300 }).send(start)).toMatchObject({
      kind: 'unknown',
      says: say('platform.timeout', { seconds: 0.3 }),
    })
  })

  test.each([
    ['drop-before', 0],
    ['drop-after', 1],
    ['hang-after', 1],
    ['half', 1],
  ] as const)('%s leaves the outcome unknown and is never sent again', async (kind, effects) => {
    sandbox.faults.add('startEndpoint', { kind })
    // One of them hangs, but even a busy machine carries it out before that.
    const impatient = connect({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, timeoutMs: 2_000 })
    expect(await impatient.send(start)).toMatchObject({ kind: 'unknown' })
    expect(sandbox.calls()).toHaveLength(1)
    expect(sandbox.changes()).toHaveLength(effects)
  })

  test('a dropped read is not repeated either', async () => {
    const fault = sandbox.faults.add('getEndpointStatus', { kind: 'drop-before' })
    expect(await platform.send(status)).toMatchObject({ kind: 'unknown' })
    expect(fault.hits()).toBe(1)
  })

  test('a 500 is a failure even if the platform has acted', async () => {
    sandbox.faults.add('startEndpoint', { kind: 'answer-after', status: 500, body: { detail: 'No GPU is free' } })
    expect(await platform.send(start)).toEqual({ kind: 'failed', status: 500, says: 'No GPU is free' })
    expect(sandbox.endpoints()[0]?.active).toBe(true)
  })

  test.each([
    ['HTML', '<!doctype html><title>Welcome</title>', 'text/html'],
    ['truncated JSON', '{"endpoint_id":"my-llm","is_active":tr', 'application/json'],
    ['a wrong type', '"Endpoint started successfully"', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['nothing', '', 'application/json'],
  ])('a 200 with %s is no answer to a write or a read', async (_, body, type) => {
    sandbox.faults.add('*', { kind: 'answer', status: 200, body, type })
    const calls: Call[] = [start, stop, status, call('get', '/me'), call('get', '/endpoints')]
    for (const one of calls) {
      expect(await platform.send(one)).toMatchObject({ kind: 'unknown', status: 200 })
    }
    expect(await platform.list()).toMatchObject({ kind: 'unknown' })
  })

  test('a 204 is no answer', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'answer', status: 204 })
    expect(await platform.send(stop)).toMatchObject({ kind: 'unknown', status: 204 })
  })

  test('a refusal whose text breaks off is still a refusal', async () => {
    const server = createServer((_, response) => {
      response.writeHead(403, { 'content-length': 500 })
      response.write('no access to', () => response.destroy())
    })
    const origin = await listen(server)
    ends.push(() => close(server))
    expect(await connect({ baseUrl: origin }).send(start)).toMatchObject({ kind: 'refused', status: 403 })
  })

  test('an answer of endless size is abandoned', async () => {
    const server = createServer((_, response) => {
      response.on('error', () => undefined)
      const more = () => {
        while (response.writable && response.write(Buffer.alloc(1024 * 1024, 0x20)));
      }
      response.on('drain', more)
      more()
    })
    const origin = await listen(server)
    ends.push(() => close(server))
    expect(await connect({ baseUrl: origin, timeoutMs: 20_000 }).send(start)).toEqual({
      kind: 'unknown',
      says: say('platform.broken'),
    })
  })
})

describe('A compressed answer', () => {
  /** Serves `bytes` as gzip to every call; `accepted` returns the Accept-Encoding of the request. */
  async function packed(bytes: Buffer, status = 200): Promise<{ origin: string; accepted: () => string | undefined }> {
    let accepted: string | undefined
    const server = createServer((request, response) => {
      accepted = String(request.headers['accept-encoding'])
      response.writeHead(status, { 'content-encoding': 'gzip' }).end(bytes)
    })
    const origin = await listen(server)
    ends.push(() => close(server))
    return { origin, accepted: () => accepted }
  }
  const whole = gzipSync(JSON.stringify({ endpoint_id: 'my-llm', is_active: true, message: 'ok' }))

  test('is requested and read', async () => {
    const { origin, accepted } = await packed(whole)
    expect(await connect({ baseUrl: origin }).send(start)).toMatchObject({ answer: { message: 'ok' } })
    expect(accepted()).toBe('gzip')
  })

  test.each([
    ['half of one', whole.subarray(0, whole.length / 2)],
    ['something else', Buffer.from('{"endpoint_id":"my-llm","is_active":true,"message":"ok"}')],
    ['one without end in size', gzipSync(Buffer.alloc(33 * 1024 * 1024, 0x20))],
  ])('is no answer when it is %s', async (_, bytes) => {
    const { origin } = await packed(bytes)
    expect(await connect({ baseUrl: origin }).send(start)).toEqual({
      kind: 'unknown',
      says: say('platform.broken'),
    })
  })

  test('with an error status is a refusal even if it can’t be read', async () => {
    const { origin } = await packed(Buffer.from('no'), 403)
    expect(await connect({ baseUrl: origin }).send(start)).toMatchObject({ kind: 'refused', status: 403 })
  })
})

describe('When the platform is unreachable', () => {
  test('a refused connection means that nothing was sent', async () => {
    const server = createServer()
    const origin = await listen(server)
    await close(server)
    const outcome = await connect({ baseUrl: origin }).send(start)
    expect(outcome).toEqual({
      kind: 'unreached',
      says: say('platform.unreached', { origin, code: 'ECONNREFUSED' }),
    })
  })

  test('a name that does not resolve means that nothing was sent', async () => {
    const outcome = await connect({ baseUrl: 'http://nowhere.invalid/external/api/v1' }).send(start)
    expect(outcome).toMatchObject({ kind: 'unreached' })
  })

  test('a reset after sending leaves the outcome unknown', async () => {
    const server: Server = createTcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo
    expect(await connect({ baseUrl: `http://127.0.0.1:${port}` }).send(start)).toMatchObject({ kind: 'unknown' })
  })
})

describe('The API key', () => {
  test.each([301, 302, 303, 307, 308])('goes nowhere else, because a %i is not followed', async (code) => {
    const seen: string[] = []
    const elsewhere = createServer((request, response) => {
      seen.push(request.url ?? '')
      response.end('{}')
    })
    const target = await listen(elsewhere)
    ends.push(() => close(elsewhere))
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.writeHead(code, { location: `${target}/steal` }).end()
    })
    const origin = await listen(server)
    ends.push(() => close(server))
    expect(await connect({ baseUrl: origin }).send(start)).toEqual({
      kind: 'unknown',
      says: say('platform.redirected'),
    })
    expect({ asked, seen }).toEqual({ asked: 1, seen: [] })
  })

  test('appears in no message, whatever the platform echoes', async () => {
    const key = 'sk-canary/0123"456789'
    const bodies = [
      (echo: string) => JSON.stringify({ detail: `Unknown key ${echo}`, message: echo }),
      (echo: string) => JSON.stringify({ detail: `Unknown key ${echo}` }).replaceAll('/', '\\/'),
      (echo: string) => `Authorization: Bearer ${echo}`,
      (echo: string) => JSON.stringify({ endpoint_id: 'my-llm', is_active: true, message: `Started by ${echo}` }),
    ]
    let turn = 0
    const server = createServer((request, response) => {
      const echo = request.headers.authorization?.slice('Bearer '.length) ?? ''
      response.writeHead(turn % 2 === 0 ? 200 : 401).end(bodies[Math.floor(turn / 2)]?.(echo))
      turn++
    })
    const origin = await listen(server)
    ends.push(() => close(server))
    const platform = connect({ baseUrl: origin, apiKey: key })
    for (let i = 0; i < 2 * bodies.length; i++) {
      const said = JSON.stringify(await platform.send(start))
      expect(said).not.toContain('0123')
      if (i % 2 === 1) expect(said).toContain('[API key]')
    }
    expect(turn).toBe(2 * bodies.length)
  })

  test.each(['', 'two words', 'sk-line\nbreak', 'sk-ключ', ' sk-space'])(
    'is rejected without being shown if it is %j',
    (apiKey) => {
      const create = () => connect({ baseUrl: 'https://platform.invalid', apiKey })
      expect(create).toThrow(
        /^PLATFORM_API_KEY must be one word of visible ASCII characters: copy it again from the console\.$/,
      )
    },
  )
})

describe('Connections', () => {
  test('are kept alive: forty calls in a row need at most two', async () => {
    let connections = 0
    const server = createServer((_, response) => response.end('{"message":"ok"}'))
    server.on('connection', () => connections++)
    const origin = await listen(server)
    ends.push(() => close(server))
    const platform = connect({ baseUrl: origin })
    for (let i = 0; i < 40; i++) expect(await platform.send(start)).toMatchObject({ kind: 'answered' })
    // A call that begins before the first socket is free again opens a second one.
    expect(connections).toBeLessThanOrEqual(2)
  })
})
