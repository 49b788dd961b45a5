import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answersIn } from '../../src/adapters/api/views.ts'
import { writeLogin } from '../../src/cli/client/login.ts'
import { sendLine } from '../../src/cli/client/send-line.ts'
import { drawAnswer, readable } from '../../src/cli/client/show.ts'
import { type ClientTerminal, readGiven } from '../../src/cli/command-line.ts'
import { mcp } from '../../src/cli/mcp.ts'
import { helpForProgram } from '../../src/core/commands/help.ts'
import { languages } from '../../src/core/model/words.ts'
import { commands } from '../../src/features/command-table.ts'

interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Record<string, string>
}

/** The answers of a small API: each call takes the next one of its kind, and the last one stays. */
const answers: { look: Answer[]; propose: Answer[]; request: Answer[] } = { look: [], propose: [], request: [] }
const calls: { readonly path: string; readonly key?: string; readonly token?: string; readonly body: string }[] = []
const [out, err]: [string[], string[]] = [[], []]
/** The handlers that Ctrl-C would call. */
const interrupts: (() => Promise<number>)[] = []
let server: Server
let folder: string
let terminal: ClientTerminal

beforeEach(async () => {
  for (const list of [out, err, calls, interrupts]) list.length = 0
  const problem = { type: 'urn:lamplighter:other-kind', status: 422, says: { en: 'Propose it.', ko: '' } }
  Object.assign(answers, { look: [{ status: 422, body: problem }], propose: [], request: [] })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const part of request) body += String(part)
    const { url: path = '', headers } = request
    const key = headers['idempotency-key']
    calls.push({ path, body, ...(typeof key === 'string' && { key }), token: headers.authorization ?? '' })
    const kind = path.startsWith('/v1/queries') ? 'look' : path === '/v1/lines' ? 'propose' : 'request'
    const list = answers[kind]
    const answer = list.length > 1 ? list.shift() : list[0]
    if (answer === undefined) return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body))
  }
  server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  folder = await mkdtemp(join(tmpdir(), 'client-'))
  let now = 0
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  terminal = {
    env: { XDG_CONFIG_HOME: folder, APPDATA: folder, LAMPLIGHTER_API_URL: url, LAMPLIGHTER_TOKEN: 'lamp_x' },
    language: 'en',
    colors: false,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    now: () => now,
    wait: async (ms) => {
      now += ms
    },
    onInterrupt: (leave) => void interrupts.push(leave),
  }
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const view = (status: string, open: boolean, more: object = {}): Answer => ({
  status: open ? 202 : 200,
  body: { id: 'r', status, open, says: { en: `It is ${status}.`, ko: `${status} 상태` }, ...more },
})

test.each([
  [['list'], { line: 'list', wait: 0, json: false }],
  [
    ['stop', 'my-llm', '--wait', '--reason', 'job is over'],
    { line: 'stop my-llm', wait: Infinity, reason: 'job is over' },
  ],
  [['stop', '--wait=90m', 'my-llm'], { line: 'stop my-llm', wait: 5_400_000 }],
  [['stop', '--wait=2s', 'my-llm'], { line: 'stop my-llm', wait: 2_000 }],
  [['start', 'my-llm', '--wait', '10m'], { line: 'start my-llm', wait: 600_000 }],
  [['start', '--wait', 'my-llm', '2h'], { line: 'start my-llm 2h', wait: Infinity }],
  [['stop', 'my llm', 'because=a b'], { line: 'stop "my llm" because="a b"' }],
  [['stop my-llm'], { line: 'stop my-llm' }],
  [['/endpoint', 'doctor'], { line: 'doctor' }],
  [['/endpoint stop my-llm'], { line: 'stop my-llm' }],
  [['patch', 'my-llm', 'env='], { line: 'patch my-llm env=' }],
  [['list', '--json', '--key', '7'], { line: 'list', json: true, key: '7' }],
])('%j is parsed into a line and its options', (words, given) => {
  expect(readGiven(words)).toMatchObject(given)
})

test.each([[['list', '--wat']], [['list', '--wait=soon']], [['list', '--key', 'two words']]])(
  '%j is rejected with exit code 2',
  async (words) => {
    expect(await sendLine(words, terminal)).toBe(2)
    expect([calls, err.length]).toEqual([[], 1])
  },
)

test.each([
  ['succeeded', 0],
  ['failed', 1],
  ['attention', 1],
  ['refused', 2],
  ['declined', 3],
  ['cancelled', 3],
  ['expired', 4],
])('a request that ends as %s exits with %i', async (status, code) => {
  answers.propose = [view('received', true)]
  answers.request = [view('received', true), view('awaiting', true, { link: 'https://slack/1' }), view(status, false)]
  expect(await sendLine(['stop', 'my-llm', '--wait'], terminal)).toBe(code)
  expect([out, err]).toEqual([[`It is ${status}.`], ['It is awaiting. https://slack/1']])
})

test.each(['refused', 'cancelled'])('a request that is %s because its goal is met exits with 0', async (status) => {
  answers.propose = [view(status, false, { already: true })]
  expect(await sendLine(['start', 'my-llm', '--wait'], terminal)).toBe(0)
  expect(out).toEqual([`It is ${status}.`])
})

test('without --wait it exits once people have been asked, and says how to continue', async () => {
  answers.propose = [view('received', true)]
  answers.request = [view('awaiting', true), view('awaiting', true, { link: 'https://slack/1' })]
  expect(await sendLine(['stop', 'my-llm', '--key', 'job-4711'], terminal)).toBe(4)
  expect(err).toEqual(['It is awaiting. https://slack/1', expect.stringContaining('--wait --key job-4711')])
})

test('--wait ends after the given length', async () => {
  answers.propose = [view('running', true)]
  answers.request = [view('running', true)]
  expect(await sendLine(['stop', 'my-llm', '--wait=2m', '--json'], terminal)).toBe(4)
  expect(JSON.parse(out.join(''))).toMatchObject({ id: 'r', status: 'running' })
  expect(terminal.now()).toBe(120_000)
})

test('Ctrl-C leaves a request open and says how to wait for it again', async () => {
  answers.propose = [view('awaiting', true)]
  answers.request = [
    view('awaiting', true, { link: 'https://slack/1', expires: '2026-11-24T18:00:00.000Z' }),
    view('succeeded', false),
  ]
  const leaving: unknown[] = []
  const wait = async () => {
    if (leaving.length === 0) leaving.push(await interrupts[0]?.(), err.at(-1))
  }
  expect(await sendLine(['stop', 'my-llm', '--wait', '--key', 'job-4711'], { ...terminal, wait })).toBe(0)
  expect(leaving).toEqual([4, expect.stringMatching(/--wait --key job-4711\. To cancel it: .* cancel r --reason/)])
  expect(err.at(-1)).toMatch(/^It is awaiting\. Request r expires at .* if nobody answers\. https:\/\/slack\/1$/)
  answers.look = [view('succeeded', false)]
  await sendLine(['list'], terminal)
  expect(interrupts).toHaveLength(1)
})

test('Ctrl-C with --json prints one document, and that nothing was changed if nothing is proposed', async () => {
  const blocked = view('refused', false, { blockedBy: 'other', unchanged: true })
  answers.propose = [blocked]
  answers.request = [view('running', true)]
  const codes: unknown[] = []
  const leaveOn = (found: string) => async (ms: number) => {
    await terminal.wait(ms)
    if (codes.length === 0 && err.join('').includes(found)) codes.push(await interrupts[0]?.())
  }
  const line = ['start', 'my-llm', '--wait=1m', '--json', '--cancel-on-exit']
  expect(await sendLine(line, { ...terminal, wait: leaveOn('refused') })).toBe(4)
  expect([codes, out.map((one) => JSON.parse(one).unchanged)]).toEqual([[4], [true]])

  out.length = 0
  answers.look = [
    { status: 503, body: { type: 'urn:lamplighter:unchecked', status: 503, says: { en: 'Later.', ko: '' } } },
  ]
  expect(await sendLine(line, terminal)).toBe(4)
  expect(out.map((one) => JSON.parse(one).unchanged)).toEqual([true])
})

test('A query that no worker answers says so', async () => {
  answers.look = [view('received', true)]
  answers.request = [view('received', true)]
  expect(await sendLine(['list'], terminal)).toBe(4)
  expect([...out, ...err]).toEqual(['It is received.'])
})

test.each(['lamp_SECRET\nlamp_OTHER', 'lamp_…'])(
  'A token that no header can have is refused and not printed',
  async (token) => {
    const env = { ...terminal.env, LAMPLIGHTER_TOKEN: token }
    expect(await sendLine(['list', '--wait'], { ...terminal, env })).toBe(2)
    expect(err).toEqual([expect.stringMatching(/^This token isn’t valid\. /)])
  },
)

test.each([
  [{ LAMPLIGHTER_TOKEN: 'lamp_…' }, 'This token isn’t valid'],
  [{ LAMPLIGHTER_API_URL: 'localhost:8080' }, 'Set LAMPLIGHTER_API_URL to the address of the API, such as'],
  [{ LAMPLIGHTER_TOKEN: '' }, 'Set LAMPLIGHTER_API_URL to the address of the API, and LAMPLIGHTER_TOKEN'],
])('mcp with %j does not begin, and says what is wrong', async (wrong, says) => {
  expect(await mcp({ ...terminal, env: { ...terminal.env, ...wrong } })).toBe(2)
  expect(err).toEqual([expect.stringContaining(says)])
})

test('A login that cannot be read matters only to those who need it', async () => {
  // No folder can be in a file.
  const env = { ...terminal.env, XDG_CONFIG_HOME: import.meta.filename, APPDATA: import.meta.filename }
  answers.look = [view('succeeded', false)]
  expect(await sendLine(['list'], { ...terminal, env })).toBe(0)
  expect(await mcp({ ...terminal, env: { ...env, LAMPLIGHTER_API_URL: 'localhost:8080' } })).toBe(2)
})

test('A login counts for the same address with a slash at its end', async () => {
  const { LAMPLIGHTER_TOKEN: _, LAMPLIGHTER_API_URL: url = '', ...env } = terminal.env
  await writeLogin({ url, token: 'lamp_x', name: 'x' }, env)
  answers.look = [view('succeeded', false)]
  expect(await sendLine(['list'], { ...terminal, env: { ...env, LAMPLIGHTER_API_URL: `${url}/` } })).toBe(0)
})

test('--cancel-on-exit cancels a request that is still open when the wait ends', async () => {
  answers.propose = [view('awaiting', true), view('succeeded', false)]
  answers.request = [view('awaiting', true)]
  expect(await sendLine(['start', 'my-llm', '--wait=2m', '--cancel-on-exit'], terminal)).toBe(3)
  const { key, body = '' } = calls.at(-1) ?? {}
  expect([key, JSON.parse(body)]).toMatchObject(['cancel-r', { line: 'cancel r', reason: expect.any(String) }])
  answers.propose = [view('awaiting', true), view('succeeded', false)]
  await sendLine(['start', 'my-llm', '--wait=2m', '--cancel-on-exit', '--json'], terminal)
  expect(JSON.parse(out.join(''))).toMatchObject({ id: 'r', status: 'awaiting' })
})

test('a request that is still being sent on exit is cancelled once its id is known', async () => {
  answers.propose = [view('received', true), view('succeeded', false)]
  const answer = new EventEmitter()
  const arrived = once(answer, 'arrived')
  const fetched = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
    const response = await fetched(...given)
    const isProposal = calls.at(-1)?.path === '/v1/lines'
    if (isProposal && calls.filter(({ path }) => path === '/v1/lines').length === 1) await arrived
    return response
  })
  const over = sendLine(['start', 'my-llm', '--cancel-on-exit'], {
    ...terminal,
    wait: () => new Promise(() => undefined),
  })
  await expect.poll(() => calls.some(({ path }) => path === '/v1/lines')).toBe(true)
  const left = interrupts[0]?.()
  answer.emit('arrived')
  expect(await left).toBe(3)
  expect(JSON.parse(calls.at(-1)?.body ?? '')).toMatchObject({ line: 'cancel r' })
  void over
})

test('a call that is refused as busy or breaks off is repeated with the same key', async () => {
  const busy = { type: 'urn:lamplighter:too-many-calls', status: 429, says: { en: 'Busy.', ko: '' } }
  answers.propose = [{ status: 429, body: busy, headers: { 'retry-after': '7' } }, view('succeeded', false)]
  expect(await sendLine(['stop', 'my-llm', '--wait', '--reason', 'it is over'], terminal)).toBe(0)
  const proposals = calls.filter(({ path }) => path === '/v1/lines')
  expect(proposals.map(({ body }) => JSON.parse(body))).toEqual(
    Array(2).fill({ line: 'stop my-llm', reason: 'it is over' }),
  )
  expect(new Set(proposals.map(({ key }) => key)).size).toBe(1)
  expect([err, terminal.now()]).toEqual([['Busy. Trying again in 7 s.'], 7_000])

  answers.propose = []
  expect(await sendLine(['stop', 'my-llm', '--key', 'job-4711'], terminal)).toBe(4)
  expect(err.at(-1)).toContain('--key job-4711')
})

const problemOf = (type: string, status: number): Answer => ({
  status,
  body: { type: `urn:lamplighter:${type}`, status, says: { en: 'Not now.', ko: '' } },
  headers: { 'retry-after': '30' },
})

test.each([
  ['five proposals that wait', problemOf('too-much', 429), 2],
  ['too many calls', problemOf('too-many-calls', 429), 4],
  ['an API that is away', { status: 503, body: {} }, 4],
  ['a storage that is away', problemOf('storage', 503), 4],
])('without --wait %s are reported at once', async (_, answer, code) => {
  answers.propose = [answer]
  expect(await sendLine(['stop', 'my-llm'], terminal)).toBe(code)
  expect([calls.length, terminal.now()]).toEqual([2, 0])
  answers.propose = [answer, view('succeeded', false)]
  expect(await sendLine(['stop', 'my-llm', '--wait'], terminal)).toBe(0)
})

test.each(['look', 'propose'] as const)(
  'a repeated key is not said to have changed nothing if the %s fails',
  async (which) => {
    answers[which] = [problemOf('unchecked', 503)]
    const line = ['start', 'my-tts', '--wait=1m', '--json']
    // An earlier run may have proposed the line under this key.
    expect(await sendLine([...line, '--key', 'pipeline-7'], terminal)).toBe(4)
    expect(out.join('')).not.toContain('unchanged')
    expect(await sendLine(line, terminal)).toBe(4)
    expect(JSON.parse(out.at(-1) ?? '')).toMatchObject({ unchanged: true })
  },
)

test('a failure after a request was accepted leaves its outcome unknown and names the request', async () => {
  answers.propose = [view('running', true)]
  answers.request = [problemOf('bad-token', 401)]
  expect(await sendLine(['start', 'my-llm', '--wait', '--json', '--key', '7'], terminal)).toBe(4)
  expect(JSON.parse(out.join(''))).toMatchObject({ type: 'bad-token', id: 'r' })
  expect(out.join('')).not.toContain('unchanged')
  expect(err.at(-1)).toMatch(/^Request r won’t run, unless it had already started\./)
  // A token that is refused can't cancel it either.
  await sendLine(['start', 'my-llm', '--wait', '--cancel-on-exit', '--key', '7'], terminal)
  expect(calls.at(-1)?.path).toBe('/v1/requests/r')
  answers.request = [problemOf('fault', 500)]
  await sendLine(['start', 'my-llm', '--wait', '--key', '7'], terminal)
  expect(err.at(-1)).toMatch(/^Request r was accepted.*--key 7/)

  answers.propose = [problemOf('storage', 503)]
  expect(await sendLine(['start', 'my-llm', '--key', '7'], terminal)).toBe(4)
  expect(err.at(-1)).toMatch(/may have arrived.*--key 7/)
  answers.propose = [problemOf('storage', 503), problemOf('bad-token', 401)]
  expect(await sendLine(['start', 'my-llm', '--wait', '--key', '7'], terminal)).toBe(4)
  expect(err.at(-1)).toMatch(/may have arrived.*--key 7/)
  expect(await sendLine(['start', 'my-llm', '--json'], terminal)).toBe(2)
  expect(JSON.parse(out.at(-1) ?? '')).toMatchObject({ unchanged: true })
})

test.each([
  ['ECONNREFUSED', ['list'], 1],
  ['ECONNREFUSED', ['list', '--wait'], 12],
  ['ECONNRESET', ['list'], 1],
  ['ENOTFOUND', ['list', '--wait'], 1],
])('%s is retried only if that can help: %j', async (code, words, said) => {
  const cause = Object.assign(new Error('It failed.'), { code })
  const fetching = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }))
  expect(await sendLine(words, terminal)).toBe(4)
  fetching.mockRestore()
  expect(err.at(-1)).toContain(`at ${terminal.env['LAMPLIGHTER_API_URL']}: ${code}.`)
  expect(err).toHaveLength(said)
})

test('an address that is not our API is reported at once', async () => {
  answers.look = [{ status: 404, body: { error: 'not found' } }]
  expect(await sendLine(['list', '--wait'], terminal)).toBe(4)
  expect(err).toEqual([expect.stringContaining('not the Lamplighter API')])
})

test('--wait also waits for five open proposals and for a blocking request', async () => {
  const blocked = view('refused', false, { blockedBy: 'q' })
  answers.propose = [...Array<Answer>(10).fill(problemOf('too-much', 429)), blocked, view('succeeded', false)]
  answers.request = [...Array<Answer>(8).fill(view('awaiting', true)), view('declined', false)]
  expect(await sendLine(['stop', 'my-llm', '--wait=40m', '--key', '7'], terminal)).toBe(0)
  expect(out).toEqual(['It is succeeded.'])
  expect(err.at(-1)).toMatch(/^It is refused\. It will be proposed again/)
  expect(terminal.now()).toBeGreaterThan(10 * 30_000)
  const keys = new Set(calls.flatMap(({ key = [] }) => key))
  expect([keys.size, calls.filter(({ path }) => path === '/v1/requests/q').length]).toEqual([2, 9])

  answers.propose = [
    view('refused', false, { blockedBy: 'q', about: { id: 'q', status: 'awaiting', link: 'https://q' } }),
  ]
  answers.request = [view('awaiting', true)]
  const begun = terminal.now()
  expect(await sendLine(['stop', 'my-llm', '--wait=40m'], terminal)).toBe(2)
  expect(terminal.now() - begun).toBe(2_400_000)
  expect(await sendLine(['stop', 'my-llm'], terminal)).toBe(2)
  expect([terminal.now() - begun, out.at(-1)]).toEqual([2_400_000, 'It is refused.\nhttps://q'])
})

test('an answer to an earlier request says so, with its time', async () => {
  const received = '2026-11-24T13:05:00.000Z'
  answers.propose = [view('succeeded', false, { again: true, received })]
  expect(await sendLine(['start', 'my-llm', '--key', '7'], terminal)).toBe(0)
  expect(err).toEqual([
    expect.stringMatching(/already requested at 2[45] Nov 2026, \d\d:\d\d [A-Z][^;]+; nothing new was requested/),
  ])
  await sendLine(['start', 'my-llm'], terminal)
  expect(err).toHaveLength(1)
})

test('a query is printed as a table in the language of its reader', async () => {
  const answer = (title: string) => ({
    title,
    items: [
      { text: 'my-llm', detail: 'running', mark: 'running' },
      { text: '한국', detail: 'a\u001b[2Jb', mark: 'stopped', people: ['user:U0ANA', 'group:S0OPS'] },
    ],
    foot: 'the end',
  })
  answers.look = [view('succeeded', false, { answer: { en: answer('2 endpoints'), ko: answer('2개') } })]
  expect(await sendLine(['list'], { ...terminal, language: 'ko' })).toBe(0)
  expect(out.join('')).toBe('2개\n  ●  my-llm  running\n  ○  한국    a\\u{1b}[2Jb  @U0ANA, 사용자 그룹 S0OPS\nthe end')
  expect(
    drawAnswer(
      { title: 'Logs', items: [], block: ['2026-11-24T13:05:00Z one', 'two\u001b[2J'] },
      { ...terminal, colors: true },
    ),
  ).toBe('\u001b[1mLogs\u001b[0m\n2026-11-24T13:05:00Z one\ntwo\\u{1b}[2J')
})

test('JSON has every character of a name, but none that a terminal would obey or hide', async () => {
  const answer = { title: 'a', items: [{ text: 'x', endpoint: { name: 'my\u009b2J\u202e\u{e0041}llm' } }] }
  answers.look = [view('succeeded', false, { answer: { en: answer, ko: answer } })]
  expect(await sendLine(['list', '--json'], terminal)).toBe(0)
  expect(out.join('')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(out.join(''))).toMatchObject({ answer: { en: answer } })
})

test.each(languages)('help in %s has no line of more than 200 columns', (language) => {
  const forPrograms = commands.rows.filter((row) => row.kind === 'query' || row.peopleOnly !== true)
  const { [language]: help } = answersIn(helpForProgram(undefined, 'operator', forPrograms))
  const lines = drawAnswer(help, { language, colors: false }).split('\n')
  expect(lines.filter((line) => line.length > 200 || line.endsWith(' '))).toEqual([])
  expect(lines).toContain(language === 'en' ? '    Examples: whoami.' : '    예: whoami.')
})

test.each([
  ['en', 'UTC', '24 Dec 2026, 13:19 UTC'],
  ['en', 'Europe/Berlin', '24 Dec 2026, 14:19 CET'],
  ['ko', 'Asia/Seoul', '2026년 12월 24일 22:19 GMT+9'],
] as const)('in language %s a time in %s is shown with its zone', (language, zone, shown) => {
  vi.stubEnv('TZ', zone)
  expect(readable('until 2026-12-24T13:19Z.', { language })).toBe(`until ${shown}.`)
})

test('a rejected line is printed with the lines that may be meant', async () => {
  const problem = {
    type: 'urn:lamplighter:line',
    status: 422,
    says: { en: 'No command “stp”.', ko: '' },
    perhaps: ['stop my-llm'],
  }
  answers.look = [{ status: 422, body: problem }]
  expect(await sendLine(['stp', 'my-llm'], terminal)).toBe(2)
  expect(err).toEqual(['No command “stp”.', '  npm start -- stop my-llm'])
})

test('the stored token is sent to no other address', async () => {
  const { LAMPLIGHTER_TOKEN: _, LAMPLIGHTER_API_URL: url = '', ...env } = terminal.env
  expect(await sendLine(['list'], { ...terminal, env })).toBe(2)
  expect(err[0]).toContain('login --url')
  await writeLogin({ url: 'https://elsewhere.example.com', token: 'lamp_kept', name: 'a terminal' }, env)
  expect(await sendLine(['list'], { ...terminal, env: { ...env, LAMPLIGHTER_API_URL: url } })).toBe(2)
  expect(calls).toEqual([])
  expect(
    await sendLine(['list'], {
      ...terminal,
      env: { ...env, LAMPLIGHTER_TOKEN: 'lamp_x', XDG_CONFIG_HOME: '/no', APPDATA: '/no' },
    }),
  ).toBe(2)
  expect(err.at(-1)).toMatch(/^Set LAMPLIGHTER_API_URL/)
  await writeLogin({ url, token: 'lamp_kept', name: 'a terminal' }, env)
  const revoked = { type: 'urn:lamplighter:bad-token', status: 401, says: { en: 'It is revoked.', ko: '' } }
  answers.look = [{ status: 401, body: revoked }, view('succeeded', false)]
  expect(await sendLine(['list'], { ...terminal, env })).toBe(2)
  expect(err.slice(-2)).toEqual(['It is revoked.', `To log in again: npm start -- login --url ${url}`])
  calls.length = 0
  expect(await sendLine(['list'], { ...terminal, env })).toBe(0)
  expect(calls.map(({ token }) => token)).toEqual(['Bearer lamp_kept'])
})
