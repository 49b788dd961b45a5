import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isPrivate, isPrivateName } from '../../../src/adapters/http/ssrf-guard.ts'
import { type Fetcher, type ProbeMemory, probe, type Target } from '../../../src/adapters/metrics/probe.ts'
import { createFetcher } from '../../../src/adapters/metrics/watch.ts'
import { startTunnels } from '../../support/tunnels.ts'
import { inEnglish } from '../../support/words.ts'
import { page } from './fixtures.ts'

const day = 86_400_000
const nothing: ProbeMemory = { misses: {} }

let fetcher: Fetcher
let server: Server | undefined
let asked: { url: string; authorization: string | undefined }[]
beforeEach(() => {
  asked = []
  fetcher = createFetcher({ allowPrivate: true, timeoutMs: 5_000 })
})
afterEach(async () => {
  await fetcher.stop()
  if (server === undefined) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
  server = undefined
})

/** Starts a server and returns the URL of an endpoint on it. */
async function serving(answer: RequestListener): Promise<string> {
  const one = createServer((request, response) => {
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization })
    answer(request, response)
  })
  server = one
  one.listen(0, '127.0.0.1')
  await once(one, 'listening')
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}/ac/7/e1`
}

/** Serves texts by path, and 404 for other paths. */
function pages(texts: Readonly<Record<string, string>>): Promise<string> {
  return serving(({ url = '' }, response) => {
    const text = texts[url.replace('/ac/7/e1', '')]
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
}

async function probed(url: string, memory = nothing, now = 0, more: Partial<Target> = {}, key?: string) {
  return inEnglish(await probe(fetcher, { url, replicas: 1, name: 'my-llm', key, ...more }, memory, now))
}

function paths(): readonly string[] {
  return asked.splice(0).map(({ url }) => url.replace('/ac/7/e1', ''))
}

describe('The metrics path', () => {
  test('is looked for in the usual places and remembered', async () => {
    const url = await pages({ '/prometheus/metrics': page('vllm-idle') })
    const first = await probed(url)
    expect(first).toMatchObject({ samples: [{ servers: ['vLLM'] }], memory: { path: '/prometheus/metrics' } })
    expect(paths()).toEqual(['/metrics', '/v1/metrics', '/prometheus/metrics'])
    await probed(url, first.memory)
    expect(paths()).toEqual(['/prometheus/metrics'])
  })

  test('is tried first if somebody has set it', async () => {
    const url = await pages({ '/stats': page('tgi-idle'), '/metrics': page('vllm-idle') })
    const found = await probed(url, nothing, 0, { path: '/stats' })
    expect(found.samples[0]?.servers).toEqual(['TGI'])
    expect(paths()).toEqual(['/stats'])
  })

  test.each(['/../e2/metrics', '/..%2fe2/metrics', '/..%5Ce2', '/%2E%2e/e2', '/..\\e2', '/%252e%252e/e2'])(
    'is never %s, which could lead to another endpoint',
    async (path) => {
      const url = await pages({})
      await probed(url, nothing, 0, { path })
      expect(paths()).toEqual(['/metrics', '/v1/metrics', '/prometheus/metrics'])
    },
  )

  test('is not tried for a day after it was missing twice', async () => {
    const url = await pages({})
    let { memory } = await probed(url, nothing, 0)
    ;({ memory } = await probed(url, memory, 1))
    expect(paths()).toHaveLength(6)
    const resting = await probed(url, memory, 2)
    expect(paths()).toEqual([])
    expect(resting).toMatchObject({
      samples: [],
      missing: expect.stringContaining('no metrics were found at /metrics'),
    })
    await probed(url, memory, day + 1)
    expect(paths()).toHaveLength(3)
  })

  test('is searched for again once it is gone', async () => {
    const url = await pages({ '/metrics': page('vllm-idle') })
    const found = await probed(url, { path: '/v1/metrics', misses: {} })
    expect(found.memory).toEqual({ path: '/metrics', misses: { '/v1/metrics': { times: 1, at: 0 } } })
  })

  test('is not one that serves another kind of text', async () => {
    const url = await pages({ '/metrics': '<!DOCTYPE html><title>App</title>', '/v1/metrics': page('nim-idle') })
    expect((await probed(url)).samples[0]?.servers).toEqual(['NIM'])
  })

  test('is searched for further if a page shows no use', async () => {
    const url = await pages({ '/metrics': 'process_open_fds 9\n', '/v1/metrics': page('nim-idle') })
    expect((await probed(url)).samples[0]?.servers).toEqual(['NIM'])
  })

  test('may redirect to itself with a trailing slash, which is remembered', async () => {
    const url = await serving(({ url: path = '' }, response) =>
      path.endsWith('/metrics/')
        ? response.end(page('vllm-idle'))
        : response.writeHead(307, { location: `${path}/` }).end(),
    )
    const first = await probed(url, nothing, 0, {}, 'probe-key')
    expect(first).toMatchObject({ samples: [{ servers: ['vLLM'] }], memory: { path: '/metrics/' } })
    expect(paths()).toEqual(['/metrics', '/metrics/'])
    await probed(url, first.memory, 1)
    expect(paths()).toEqual(['/metrics/'])
  })

  test('may redirect like that even for an app that does not know its own prefix', async () => {
    const url = await serving(({ url: path = '', headers }, response) =>
      path.endsWith('/metrics/')
        ? response.end(page('vllm-idle'))
        : response.writeHead(307, { location: `http://${headers.host}${path.replace('/ac/7/e1', '')}/` }).end(),
    )
    expect((await probed(url)).samples[0]?.servers).toEqual(['vLLM'])
    expect(paths()).toEqual(['/metrics', '/metrics/'])
  })

  test('is searched for elsewhere after one redirect back and forth', async () => {
    const url = await serving(({ url: path = '' }, response) => {
      const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
      if (path.includes('/v1/')) response.end(page('nim-idle'))
      else response.writeHead(308, { location: other }).end()
    })
    expect((await probed(url)).samples[0]?.servers).toEqual(['NIM'])
    expect(paths()).toEqual(['/metrics', '/metrics/', '/v1/metrics'])
  })

  test.each([
    '//127.0.0.2/ac/7/e1/metrics/',
    '/ac/8/metrics/',
    '/ac/7/e1/metrics/?to=x',
    'http://[',
    '/ac/7/e1/metrics',
  ])('is not followed to %s, and people are told what to do', async (location) => {
    const url = await serving((_, response) => response.writeHead(302, { location }).end())
    const { missing, memory } = await probed(url, nothing, 0, { name: 'my-llm' })
    expect(missing).toContain('redirects (302)')
    expect(missing).toContain('patch my-llm metrics=/…')
    expect(memory).toEqual(nothing)
    expect(paths()).toEqual(['/metrics', '/v1/metrics', '/prometheus/metrics'])
  })

  test('never leads out of the endpoint', async () => {
    const url = await pages({})
    for (const path of ['/../e2/metrics', '/%2e%2e/e2/metrics', '/..', 'metrics', '//127.0.0.2/metrics', '/a?b#c'])
      await probed(url, nothing, 0, { path })
    expect(asked.filter(({ url: one }) => !one.startsWith('/ac/7/e1/'))).toEqual([])
  })
})

describe('Several replicas', () => {
  function replicas(count: number, seed: (turn: number) => number): Promise<string> {
    let turn = 0
    return serving((_, response) => {
      const which = seed(turn++) % count
      response.end(page('vllm-idle').replace('1.79514e+09', `17951400${10 + which}`))
    })
  }

  test('are scraped until each of them was seen', async () => {
    const found = await probed(await replicas(3, (turn) => Math.floor(turn / 2)), nothing, 0, { replicas: 3 })
    expect(new Set(found.samples.map(({ process }) => process)).size).toBe(3)
    expect(asked).toHaveLength(5)
  })

  test('are given up after four scrapes for each', async () => {
    const found = await probed(await replicas(3, (turn) => turn % 2), nothing, 0, { replicas: 3 })
    expect(new Set(found.samples.map(({ process }) => process)).size).toBe(2)
    expect(asked).toHaveLength(12)
  })

  test('are scraped at most sixteen times, even if there are a hundred', async () => {
    await probed(await replicas(1, () => 0), nothing, 0, { replicas: 100 })
    expect(asked).toHaveLength(16)
  })

  test('are scraped once if nothing distinguishes them', async () => {
    await probed(await pages({ '/metrics': page('tgi-idle') }), nothing, 0, { replicas: 5 })
    expect(asked).toHaveLength(1)
  })

  test('are scraped over a new connection each time', async () => {
    const ports = new Set<number | undefined>()
    const url = await serving(({ socket }, response) => {
      ports.add(socket.remotePort)
      response.end(page('vllm-idle'))
    })
    await probed(url, nothing, 0, { replicas: 2 })
    expect(ports.size).toBe(8)
  })
})

describe('A metrics key', () => {
  test('is sent as a bearer token, and nothing is sent without one', async () => {
    const url = await pages({ '/metrics': page('vllm-idle') })
    await probed(url)
    await probed(url, nothing, 0, {}, 'probe-key')
    expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer probe-key'])
  })

  test('that is missing or rejected is reported with what to do', async () => {
    const url = await serving((_, response) => response.writeHead(401).end())
    const found = await probed(url)
    expect(found).toMatchObject({ samples: [], memory: nothing })
    expect(found.missing).toContain('needs a key (401); create a separate API key')
    expect(found.missing).toContain('signals: { key_env: … }')
    expect(found.missing).toContain('never the key Lamplighter uses for the platform')
    expect((await probed(url, nothing, 0, {}, 'old')).missing).toContain('rejects the metrics key (401)')
    expect(asked).toHaveLength(2)
  })

  test('is not sent over plain HTTP, except to this machine', async () => {
    const keys: (string | undefined)[] = []
    const listening: Fetcher = {
      async get(_, key) {
        keys.push(key)
        return { kind: 'page', text: page('vllm-idle') }
      },
      stop: async () => undefined,
    }
    for (const url of ['http://serving.example.com/a', 'https://serving.example.com/a', 'http://127.0.0.1/a'])
      await probe(listening, { url, replicas: 1, name: 'my-llm', key: 'k' }, nothing, 0)
    expect(keys).toEqual([undefined, 'k', 'k'])
  })
})

describe('A hostile server', () => {
  test.each([301, 302, 307, 308])('is not followed when it redirects with %i', async (status) => {
    const url = await serving(({ url: path }, response) =>
      path?.endsWith('/elsewhere')
        ? response.end(page('vllm-idle'))
        : response.writeHead(status, { location: '/elsewhere' }).end(),
    )
    expect(await probed(url, nothing, 0, {}, 'probe-key')).toMatchObject({
      samples: [],
      missing: expect.stringContaining(`the metrics URL redirects (${status}), which I don’t follow`),
    })
    expect(paths()).toEqual(['/metrics', '/v1/metrics', '/prometheus/metrics'])
  })

  test('that sends 50 MB is cut off and disconnected', async () => {
    let sent = 0
    const piece = '# a comment that is long enough to fill a page\n'.repeat(1_400)
    const closed: boolean[] = []
    const url = await serving((_, response) => {
      response.once('close', () => closed.push(true))
      const pour = () => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', pour)
        }
        response.end()
      }
      pour()
    })
    expect(await probed(url)).toMatchObject({
      samples: [],
      missing: 'the metrics are longer than 4 MB',
      memory: nothing,
    })
    await expect.poll(() => closed).toEqual([true])
    expect(sent).toBeLessThan(20_000_000)
  })

  test.each([
    ['hangs', (() => undefined) as RequestListener],
    ['hangs half way', ((_, response) => void response.write('a 1\n')) as RequestListener],
  ])('that %s is given up after the timeout', async (_, answer) => {
    await fetcher.stop()
    fetcher = createFetcher({ allowPrivate: true, timeoutMs: 400 })
    const url = await serving(answer)
    expect(await probed(url)).toMatchObject({ missing: 'the metrics took longer than 0.4 s', memory: nothing })
  })

  test('that drops the connection or is unreachable is unknown', async () => {
    const url = await serving((_, response) => response.destroy())
    expect((await probed(url)).missing).toBe('the metrics URL couldn’t be reached')
    expect((await probed('http://127.0.0.1:1/x')).missing).toBe('the metrics URL couldn’t be reached')
  })

  test('that compresses its page is not decompressed', async () => {
    const url = await serving((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
    expect((await probed(url)).missing).toBe('the metrics came compressed, which isn’t supported')
  })

  test('that fails is asked again at the next check', async () => {
    const url = await serving((_, response) => response.writeHead(503).end())
    expect(await probed(url)).toMatchObject({ missing: 'the metrics URL answered 503', memory: nothing })
  })

  test.each(['', 'not an address', 'file:///etc/passwd', 'https://user:secret@example.com/'])(
    'with a URL like %j is not asked',
    async (url) => {
      expect((await probed(url)).missing).toBe('the platform gives no URL for it')
    },
  )
})

describe('Behind a proxy', () => {
  test('names are left to the proxy, private addresses are refused and NO_PROXY is called directly', async () => {
    const port = Number(new URL(await pages({ '/metrics': page('vllm-idle') })).port)
    const proxy = await startTunnels({ 'llm.test:80': port }, 'probe:secret')
    const httpProxy = `http://probe:secret@127.0.0.1:${proxy.port}`
    const strict = createFetcher({
      allowPrivate: false,
      timeoutMs: 5_000,
      proxy: { httpProxy, httpsProxy: httpProxy, noProxy: 'localhost,direct.test' },
    })
    const got = async (host: string) => inEnglish(await strict.get(new URL(`http://${host}/ac/7/e1/metrics`)))
    expect(await got('llm.test')).toMatchObject({ kind: 'page' })
    expect(proxy.asked).toEqual(['llm.test:80'])
    for (const host of ['127.0.0.1', '169.254.169.254', '[::1]', 'metadata', `localhost:${port}`])
      expect(await got(host)).toMatchObject({ why: expect.stringContaining('the metrics URL is a private address') })
    expect(await got('other.test')).toMatchObject({ why: 'the metrics URL couldn’t be reached' })
    // This call goes directly: the proxy never hears of it.
    expect(await got('direct.test')).toMatchObject({ why: 'the metrics URL couldn’t be reached' })
    expect(proxy.asked).toEqual(['llm.test:80', 'other.test:80'])
    await strict.stop()
    await proxy.stop()
  })

  test.each([
    ['vault', [], true],
    ['vault.', [], true],
    ['a.example.com', ['10.0.0.7'], true],
    ['a.example.com', ['8.8.8.8', '192.168.0.1'], true],
    ['a.example.com', ['8.8.8.8'], false],
    ['a.example.com', [], false],
    ['8.8.8.8', ['10.0.0.7'], false],
  ])('the name %s, which resolves here to %j, is private: %s', async (name, addresses, expected) => {
    const resolver = { resolve4: async () => addresses, resolve6: () => Promise.reject(new Error('ENODATA')) }
    expect(await isPrivateName(name, resolver as never)).toBe(expected)
  })
})

describe('Private addresses', () => {
  test('are not called unless they are allowed, neither by number nor by name', async () => {
    const url = await pages({ '/metrics': page('vllm-idle') })
    const strict = createFetcher({ allowPrivate: false, timeoutMs: 5_000 })
    const port = new URL(url).port
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
      expect(inEnglish(await strict.get(new URL(`http://${host}:${port}/ac/7/e1/metrics`)))).toMatchObject({
        kind: 'failed',
        why: expect.stringContaining('the metrics URL is a private address'),
      })
    await strict.stop()
    expect(asked).toEqual([])
  })

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.11',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '2002:a00:1::',
    '168.63.129.16',
    '192.88.99.1',
    '::8.8.8.8',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '2001:db8::1',
    'fec0::1',
    '::ffff:0:8.8.8.8',
    'not an address',
  ])('include %s', (address) => {
    expect(isPrivate(address)).toBe(true)
  })

  test.each(['1.1.1.1', '100.128.0.1', '172.32.0.1', '193.0.0.1', '2606:4700::1111', '2a00::1', '::ffff:1.1.1.1'])(
    'do not include %s',
    (address) => {
      expect(isPrivate(address)).toBe(false)
    },
  )
})
