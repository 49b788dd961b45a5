import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertOurs, createPlatform, UnsafeCall } from '../../../src/adapters/platform/client.ts'
import { type Call, call } from '../../../src/core/commands/call.ts'
import { endpointIdPattern } from '../../../src/core/model/endpoint.ts'
import { tries } from '../../support/search.ts'
import { anyText } from '../../support/text.ts'

const base = 'https://platform.invalid/external/api/v1'
const body = JSON.stringify({ endpoint_id: 'x', is_active: true, message: 'ok' })

function listening(): { sent: string[]; platform: ReturnType<typeof createPlatform> } {
  const sent: string[] = []
  const options = {
    baseUrl: base,
    apiKey: 'sk-canary-0123456789',
    timeoutMs: 5_000,
    scaleField: 'replica_count',
    log: { warn: () => undefined },
  } as const
  const platform = createPlatform({
    ...options,
    async fetch({ url }) {
      sent.push(url)
      return new Response(body)
    },
  })
  return { sent, platform }
}

function start(endpoint_id: string): Call {
  return call('post', '/endpoints/{endpoint_id}/start', { params: { path: { endpoint_id } } })
}

describe('An id that must not become a path', () => {
  test.each([
    '',
    '.',
    '..',
    '/',
    'a/b',
    'a/../b',
    '%2e%2e',
    '..%2f',
    'a?b',
    'a#b',
    'a b',
    'ä',
    '-a',
    '_a',
    'a\n',
    'a'.repeat(65),
  ])('never leaves the process: %j', async (id) => {
    const { sent, platform } = listening()
    await expect(platform.send(start(id))).rejects.toThrow(UnsafeCall)
    expect(sent).toEqual([])
  })

  test('is refused with a sentence that says what ids look like', async () => {
    await expect(listening().platform.send(start('../me'))).rejects.toThrow(
      '"../me" cannot be an endpoint\'s id: ids are 1 to 64 letters, digits, "-" and "_". Nothing was sent.',
    )
  })

  test('is refused in any type that a stored call may hold', async () => {
    const { sent, platform } = listening()
    for (const id of [undefined, null, 5, ['a'], { toString: () => 'a' }]) {
      const stored = { ...start('a'), params: { path: { endpoint_id: id } } } as unknown as Call
      await expect(platform.send(stored)).rejects.toThrow(UnsafeCall)
    }
    expect(sent).toEqual([])
  })

  test('never leads to a request outside the path of an endpoint', async () => {
    const { sent, platform } = listening()
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '%2e',
      '%2F',
      '%00',
      '?',
      '#',
      ';',
      ':',
      '@',
      ' ',
      '\t',
      'a',
      'Z',
      '9',
      '-',
      '_',
      '。',
      '％',
    )
    const id = fc.oneof(
      { weight: 4, arbitrary: anyText(20) },
      { weight: 4, arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')) },
      { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9._-]{0,70}$/) },
      { weight: 1, arbitrary: fc.stringMatching(endpointIdPattern) },
    )
    const count = tries(50_000)
    let refused = 0
    // Checked at the end: an `expect` for each would take longer than the calls.
    const strange: unknown[] = []
    for (const one of fc.sample(id, { numRuns: count, seed: 20_260_101 })) {
      const before = sent.length
      await platform.send(start(one)).catch((fault: unknown) => {
        if (!(fault instanceof UnsafeCall) || sent.length !== before) strange.push(fault)
        refused++
      })
    }
    expect(strange).toEqual([])
    expect(sent.length + refused).toBe(count)
    expect(Math.min(sent.length, refused)).toBeGreaterThan(count / 10)
    const whole = /^https:\/\/platform\.invalid\/external\/api\/v1\/endpoints\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\/start$/
    expect(sent.filter((address) => !whole.test(address))).toEqual([])
  })
})

describe('A call that is not in the specification', () => {
  test.each([
    { method: 'delete', path: '/endpoints/{endpoint_id}', params: { path: { endpoint_id: 'a' } } },
    { method: 'get', path: '/endpoints/a' },
    { method: 'get', path: 'https://elsewhere.invalid/me' },
    { method: 'get', path: '/me', params: { path: { endpoint_id: 'a' } } },
    { method: 'get', path: '/me', params: { path: { other: 'a' } } },
    { method: 'get', path: '/endpoints/{endpoint_id}' },
    { method: 'get', path: '__proto__' },
  ])('is not sent: $method $path', async (stored) => {
    const { sent, platform } = listening()
    await expect(platform.send(stored as Call)).rejects.toThrow(UnsafeCall)
    expect(sent).toEqual([])
  })
})

describe('The URL of a call', () => {
  const at = new URL(base)
  const template = '/endpoints/{endpoint_id}/start'

  test.each([
    ['another origin', 'https://elsewhere.invalid/external/api/v1/endpoints/a/start'],
    ['another port', 'https://platform.invalid:8443/external/api/v1/endpoints/a/start'],
    ['another scheme', 'http://platform.invalid/external/api/v1/endpoints/a/start'],
    ['another base', 'https://platform.invalid/endpoints/a/start'],
    ['an id too few', 'https://platform.invalid/external/api/v1/endpoints/../start'],
    ['an empty id', 'https://platform.invalid/external/api/v1/endpoints//start'],
    ['a part too many', 'https://platform.invalid/external/api/v1/endpoints/a/b/start'],
    ['another end', 'https://platform.invalid/external/api/v1/endpoints/a/stop'],
    ['an encoded id', 'https://platform.invalid/external/api/v1/endpoints/%2e%2e%2fa/start'],
  ])('is refused for %s', (_, address) => {
    expect(() => assertOurs(address, at, template)).toThrow(UnsafeCall)
  })

  test('is accepted when it is the template under the base', () => {
    expect(() => assertOurs(`${base}/endpoints/my-llm/start`, at, template)).not.toThrow()
    expect(() => assertOurs(`${base}/endpoints?page=1&search=..%2F`, at, '/endpoints')).not.toThrow()
  })
})
