import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { maskOf } from '../../../src/core/text/redact.ts'

const mask = maskOf()
/** Not a real token; assembled below so that secret scanners do not report it. */
const made = 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'

describe('A mask hides', () => {
  test.each([
    `xoxb-${made}`,
    `sk-${made}`,
    `ghp_${made}`,
    `github_pat_11${made}`,
    `lamp_${made}`,
    `glpat-${made}`,
    `hf_${made}`,
    `nvapi-${made}`,
    `npm_${made}`,
    `AIza${made}`,
    `eyJ${made}.${made}.${made}`,
    `Authorization: Bearer ${made}`,
    `"authorization": "Basic ${made}=="`,
    `redis://:${made}@cache:6379/0`,
    `postgres://app:${made}@db/prod`,
    `DB_PASSWORD=${made}`,
    `"api_key": "${made}"`,
    `access-key: ${made}`,
    `-----BEGIN RSA PRIVATE KEY-----${made}-----END RSA PRIVATE KEY-----`,
  ])('the secret part of %s', (text) => {
    expect(mask(`before ${text} after`)).not.toContain(made)
    expect(mask(`before ${text} after`)).toMatch(/^before .*\[masked\].* after$/)
  })

  test('the key id of a cloud account', () => {
    expect(mask('id AKIAABCDEFGHIJKLMNOP.')).toBe('id AKIA[masked].')
  })
})

describe('A mask leaves alone', () => {
  test.each([
    'Avg prompt throughput: 12.5 tokens/s, max_tokens=16384, bos_token_id=128000',
    'task-12345678 is done; risk-assessments follow',
    'Basic authentication is on',
    'GET /v1/models?page=2 HTTP/1.1 200 at http://10.0.0.1:8000/health',
    'loading hf_transfer and npm_config_cache',
    'token: none',
  ])('%s', (line) => {
    expect(mask(line)).toBe(line)
  })
})

describe('A secret known only by its digest', () => {
  const digest = (word: string) => createHmac('sha256', 'a key of this test').update(word).digest('base64')
  const digests = new Set([digest('hunter2-and-more'), digest('x=y:"z",w(v)'), digest('short'), digest('p@ss.Word/9!')])
  const knowing = maskOf({ known: (word) => digests.has(digest(word)) })

  test.each([
    ['DSN hunter2-and-more', 'DSN [masked]'],
    ['pass=hunter2-and-more.', 'pass=[masked].'],
    ['{"pass":"hunter2-and-more","n":1}', '{"pass":"[masked]","n":1}'],
    ['("hunter2-and-more")', '("[masked]")'],
    ['value x=y:"z",w(v) as it is', 'value [masked] as it is'],
    ['k=x=y:"z",w(v).', 'k=[masked].'],
    ...[
      '$',
      '"$"',
      "'$',",
      '$,',
      '($)',
      '[$]...',
      'PW=$',
      'PW="$";',
      '--set=a.b.c.d.PW=$',
      'a=1&b=2&pw=$&c=3',
      'pw:$:x',
    ].map((around) => [around, around].map((text, at) => text.replace('$', at === 0 ? 'p@ss.Word/9!' : '[masked]'))),
    ['{"a":[1,2],"env":{"pw":"p@ss.Word/9!"},"b":[3,4]}', '{"a":[1,2],"env":{"pw":"[masked]"},"b":[3,4]}'],
    ['"{\\"pw\\":\\"p@ss.Word/9!\\"}"', '"{\\"pw\\":\\"[masked]\\"}"'],
    ['one=hunter2-and-more,two=p@ss.Word/9!', 'one=[masked],two=[masked]'],
  ])('is masked in %s', (line, masked) => {
    expect(knowing(line)).toBe(masked)
  })

  test('is not looked for among words that are too short', () => {
    expect(knowing('a short one')).toBe('a short one')
  })
})

describe('A secret known only by its digest is masked when it is encoded as', () => {
  const value = 'a"b\\c-123456 ü/ß+?'
  const known = Object.assign((text: string) => text === value, { lengths: new Set([value.length]) })
  const knowing = maskOf({ known })
  const percent = encodeURIComponent(value)
  const base64 = Buffer.from(value).toString('base64')

  test.each([
    ['JSON', `{"level":"info","v":${JSON.stringify(value)},"n":1}`, '{"level":"info","v":"[masked]","n":1}'],
    ['percent-encoded text', `GET /v1?pw=${percent}&n=1`, 'GET /v1?pw=[masked]&n=1'],
    ['percent-encoded text in lower case', `pw=${percent.toLowerCase()}`, 'pw=[masked]'],
    ['form data', `pw=${percent.replaceAll('%20', '+')}&n=1`, 'pw=[masked]&n=1'],
    ['base64', `pw=${base64},n=1`, 'pw=[masked],n=1'],
    ['base64url', `pw=${Buffer.from(value).toString('base64url')}`, 'pw=[masked]'],
  ])('%s', (_, line, masked) => {
    expect(knowing(line)).toBe(masked)
  })
})

test('text whose length matches no known secret is not looked up', () => {
  const asked: string[] = []
  const known = Object.assign((text: string) => asked.push(text) < 0, { lengths: new Set([11]) })
  maskOf({ known })('GET /v1/models/some-model with elevenchars and twelve-chars')
  expect(new Set(asked.map(({ length }) => length))).toEqual(new Set([11]))
})

test('a word that would need too many look-ups is masked rather than shown unchecked', () => {
  let asked = 0
  const count = () => {
    asked += 1
    return false
  }
  const known = Object.assign(count, { lengths: new Set([8, 9, 10, 11, 12, 13, 14, 15]) })
  const hostile = Array.from({ length: 250 }, (_, n) => `abc${n}.b.c.d.e.f"`).join('')
  expect(maskOf({ known })(`before ${hostile} after`)).toBe('before [masked] after')
  expect(asked).toBeLessThanOrEqual(64 * 5)
})

test('the number of look-ups for a word grows no faster than its length', () => {
  let asked = 0
  const counting = maskOf({
    known: () => {
      asked += 1
      return false
    },
  })
  for (const piece of ['.', 'a.b', '"a=b",', 'abcdefgh,', '"abcd.efgh/ijkl:mn@op"']) {
    const word = piece.repeat(Math.ceil(4_000 / piece.length))
    asked = 0
    counting(word)
    expect(asked).toBeLessThan(word.length)
  }
})

test('masking takes time linear in the length of any text', () => {
  for (const piece of [' ', 'Bearer ', 'token=', 'a:', '://', 'eyJ-', 'sk-', '-----BEGIN ']) {
    const long = piece.repeat(200_000 / piece.length)
    // Quadratic time would take minutes here; the timeout of a test is seconds.
    expect(mask(long).length).toBeGreaterThan(0)
  }
})
