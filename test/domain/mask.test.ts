import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { maskOf } from '../../src/domain/mask.ts'

const mask = maskOf()
/** No token of anybody's; put together here so that no scanner takes it for one. */
const made = 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'

describe('A mask hides', () => {
  test.each([
    `xoxb-${made}`,
    `sk-${made}`,
    `ghp_${made}`,
    `github_pat_11${made}`,
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

  test('a cloud’s key id', () => {
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

describe('A value that is known only by its digest', () => {
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
  ])('is hidden in %s', (line, masked) => {
    expect(knowing(line)).toBe(masked)
  })

  test('is not looked for among words too short to tell', () => {
    expect(knowing('a short one')).toBe('a short one')
  })
})

test('what is asked about one word grows no faster than the word', () => {
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

test('a mask takes time in proportion to the text, whatever it is made of', () => {
  for (const piece of [' ', 'Bearer ', 'token=', 'a:', '://', 'eyJ-', 'sk-', '-----BEGIN ']) {
    const long = piece.repeat(200_000 / piece.length)
    // Quadratic time would be minutes here; the limit of one test is seconds.
    expect(mask(long).length).toBeGreaterThan(0)
  }
})
