import { describe, expect, test } from 'vitest'
import { outcomeOfStatus, outcomeOfThrown, pauseOf } from '../../../src/adapters/platform/errors.ts'
import { say } from '../../../src/core/model/words.ts'
import { english } from '../../support/words.ts'

const statuses = [400, 401, 403, 404, 405, 408, 409, 410, 418, 422, 425, 429, 500, 501, 502, 503, 504, 302]

const shapes: readonly (readonly [shape: string, body: unknown, says: string])[] = [
  ['a detail', { detail: 'Endpoint not found' }, 'Endpoint not found'],
  ['a message', { message: 'No balance left' }, 'No balance left'],
  ['a message that repeats its detail', { message: 'Failed to start', detail: 'Failed to start' }, 'Failed to start'],
  ['a message and a detail', { message: 'Failed', detail: 'No GPU is free' }, 'Failed: No GPU is free'],
  [
    'a list of faults',
    { detail: [{ loc: ['body', 'container_port'], msg: 'Input should be less than or equal to 65535', type: 'x' }] },
    'container_port: Input should be less than or equal to 65535',
  ],
  [
    'two faults',
    {
      detail: [
        { loc: ['query', 'page'], msg: 'too small' },
        { loc: ['body', 'env', 0, 'key'], msg: 'Field required' },
      ],
    },
    'page: too small; env.0.key: Field required',
  ],
  [
    'a problem object',
    { type: '/errors/upstream-timeout', title: 'Upstream timeout', status: 504, detail: 'Ray did not answer' },
    'Upstream timeout: Ray did not answer',
  ],
  ['a nested error', { error: { message: 'quota exceeded' } }, 'quota exceeded'],
  ['a plain text', 'invalid api key', 'invalid api key'],
  ['a token', { detail: 'The token xoxb-1234567890-canary is not valid' }, 'The token xoxb-[masked] is not valid'],
  ['control characters', 'one\u0000two\u001b[31m\r\nthree\u202e\u2028four', 'one two three four'],
]
const silent: readonly (readonly [shape: string, body: unknown])[] = [
  ['nothing', undefined],
  ['an empty text', ''],
  ['null', null],
  ['an empty object', {}],
  ['a number', 17],
  ['fields of other types', { detail: 4, message: { code: true } }],
  ['a page of HTML', '<html><head><title>502 Bad Gateway</title></head><body>…</body></html>'],
  ['a heading', '<h1>500</h1>'],
  ['a page behind some words', 'upstream said: <html><body><h1>500</h1></body></html>'],
  ['HTML without a title', '<!doctype html><body>Oops</body>'],
  ['only control characters', '\u0000\u0001'],
]

describe('The sentence for an error', () => {
  test.each(shapes)('repeats %s, whatever the status', (_, body, says) => {
    for (const status of statuses) expect(outcomeOfStatus(status, body).says).toBe(says)
  })

  test.each(silent)('explains the status if the body is %s', (_, body) => {
    for (const status of statuses) {
      const says = english(outcomeOfStatus(status, body).says)
      expect(says).toMatch(/^\p{Lu}.+\.$/u)
      expect(says.length).toBeLessThanOrEqual(300)
    }
    expect(english(outcomeOfStatus(401, body).says)).toContain('PLATFORM_API_KEY')
    expect(english(outcomeOfStatus(403, body).says)).toContain('no access to this endpoint')
    expect(english(outcomeOfStatus(404, body).says)).toContain('No endpoint has this id')
  })

  test('cuts a huge body at a whole character', () => {
    const says = english(outcomeOfStatus(500, { detail: '💡'.repeat(5_000_000) }).says)
    expect(Array.from(says)).toHaveLength(301)
    expect(says).toBe(`${'💡'.repeat(300)}…`)
  })

  test('survives a body that contains itself', () => {
    const body: Record<string, unknown> = { detail: null }
    body['detail'] = body
    expect(english(outcomeOfStatus(400, body).says)).toBe('The platform rejected the call (400) and gave no reason.')
  })
})

describe('The outcome of a status', () => {
  test.each([400, 401, 403, 404, 405, 409, 410, 418, 422])('is refused for %i', (status) => {
    expect(outcomeOfStatus(status, '')).toMatchObject({ kind: 'refused', status })
  })

  test('is failed for 500', () => {
    expect(outcomeOfStatus(500, '')).toMatchObject({ kind: 'failed', status: 500 })
  })

  test('is unreached for 429 and for 503 with Retry-After, because nothing was applied', () => {
    expect(outcomeOfStatus(429, '')).toEqual({ kind: 'unreached', says: say('platform.tooMany') })
    expect(outcomeOfStatus(429, '', 2_000)).toMatchObject({ kind: 'unreached', pause: 2_000 })
    expect(outcomeOfStatus(503, '', 2_000)).toMatchObject({ kind: 'unreached', pause: 2_000 })
    expect(outcomeOfStatus(502, '', 2_000)).toMatchObject({ kind: 'unknown' })
  })

  const date = 'Sun, 22 Nov 2026 10:00:00 GMT'
  test.each([
    ['2', 2_000],
    ['0', 1_000],
    ['3600', 60_000],
    ['9'.repeat(400), 60_000],
    ['Sun, 22 Nov 2026 10:00:20 GMT', 20_000],
    ['Sunday, 22-Nov-26 10:00:20 GMT', 20_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 1_000],
    ['Mon, 23 Nov 2026 10:00:00 GMT', 60_000],
    ['2.5', undefined],
    ['-2', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads Retry-After %j as a pause of %j ms', (retryAfter, pause) => {
    expect(pauseOf(retryAfter, date)).toBe(pause)
  })

  test('compares a Retry-After date with our clock if the answer has no date', () => {
    const inHalfAMinute = new Date(Date.now() + 30_000).toUTCString()
    const pause = pauseOf(inHalfAMinute) ?? 0
    expect(pause).toBeGreaterThan(1_000)
    expect(pause).toBeLessThanOrEqual(30_000)
  })

  test.each([408, 425, 501, 502, 503, 504, 302])('is unknown for %i', (status) => {
    expect(outcomeOfStatus(status, '')).toMatchObject({ kind: 'unknown', status })
  })
})

describe('The outcome of a thrown error', () => {
  const before = [
    { code: 'ECONNREFUSED', syscall: 'connect' },
    { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
    { code: 'EHOSTUNREACH', syscall: 'connect' },
    { code: 'UND_ERR_CONNECT_TIMEOUT' },
    { code: 'CERT_HAS_EXPIRED' },
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
  ]
  test.each(before)('is unreached for $code', (cause) => {
    const thrown = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), cause) })
    const outcome = outcomeOfThrown(thrown, 'https://platform.invalid', 10_000)
    expect(outcome.kind).toBe('unreached')
    expect(english(outcome.says)).toContain(`https://platform.invalid (${cause.code})`)
  })

  test('is unreached when every address of a name refuses', () => {
    const cause = Object.assign(new AggregateError([new Error('a')]), { code: 'ECONNREFUSED' })
    expect(outcomeOfThrown(new TypeError('fetch failed', { cause }), 'https://x', 1).kind).toBe('unreached')
  })

  test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT', ''])(
    'is unknown for %s',
    (code) => {
      const thrown = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
      expect(outcomeOfThrown(thrown, 'https://x', 10_000).kind).toBe('unknown')
    },
  )

  test('says how long a call waited before it timed out', () => {
    const thrown = new DOMException('x', 'TimeoutError')
    expect(outcomeOfThrown(thrown, 'https://x', 10_000)).toEqual({
      kind: 'unknown',
      says: say('platform.timeout', { seconds: 10 }),
    })
  })

  test.each([undefined, null, 'text', 4, {}])('is unknown even for %o', (thrown) => {
    expect(outcomeOfThrown(thrown, 'https://x', 1).kind).toBe('unknown')
  })
})
