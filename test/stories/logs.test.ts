import { afterEach, expect, test } from 'vitest'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
async function begin(options: TownOptions = {}): Promise<Town> {
  town = await startTown({
    endpoints: [
      { id: 'ep-llm', name: 'my-llm', active: true, replicas: 1 },
      { id: 'ep-two', name: 'my-two', active: true, replicas: 2 },
      { id: 'ep-tts', name: 'my-tts', active: false },
    ],
    ...options,
  })
  return town
}
afterEach(() => town.stop())

/** A made-up token. */
const token = `hf_${'aB3dE5fG7hI9jK1lM3nO'}`

function write(id: string, count: number, line: (n: number) => string): void {
  for (let n = 1; n <= count; n += 1) town.platform.log(id, line(n))
}

function filesSent(): readonly string[] {
  return [...town.slack.workspace.files.values()].map(({ content }) => content?.toString() ?? '')
}

function reads(): number {
  return town.platform.calls().filter(({ operation }) => operation === 'getLogFileContent').length
}

test('A short log’s last lines are shown to the asker alone, newest last, also with an empty search', async () => {
  await begin()
  write('ep-llm', 12, (n) => `line ${n}`)
  const ana = town.slack.as('U0ANA')
  const message = await asks(ana, 'logs my-llm lines=3 search=""', /my-llm: the last 3 lines of replica \w+/)
  expect(message.ephemeralTo).toBe('U0ANA')
  expect(town.slack.transcript('ops')).toMatch(/line 10\n.*line 11\n.*line 12\n/)
  expect(town.slack.transcript('ops')).not.toContain('line 9')
  expect(town.slack.transcript('ops')).toContain('[Post to channel]')
})

test('A log asked for by a button is posted with the endpoint’s name, not its id', async () => {
  await begin()
  write('ep-llm', 3, (n) => `line ${n}`)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'list', 'my-llm')
  await presses(ana, 'Logs', 'the last 4 lines')
  await presses(ana, 'Post to channel', /@ana logs my-llm/)
})

test('A long log is read from its end in a few calls and sent as a file by direct message', async () => {
  await begin()
  write('ep-llm', 12_000, (n) => `step ${n} of a long training run that says much`)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'logs my-llm lines=200', 'Full log sent to you as a DM.')
  expect(town.slack.transcript('ops')).toContain('step 12000 of')
  expect(town.slack.transcript('ops')).not.toContain('[Post to channel]')
  await ana.sees('my-llm: the last 200 lines', { in: '@app' })
  await town.calm()
  const [file = '', ...others] = filesSent()
  expect(others).toEqual([])
  const lines = file.split('\n')
  expect(lines).toHaveLength(200)
  expect(lines[0]).toContain('step 11801 of')
  expect(lines.at(-1)).toContain('step 12000 of')
  expect(reads()).toBeLessThan(15)
})

test('Log lines never become mentions, colors or readable secrets', async () => {
  await begin()
  for (const line of [
    'hello <!channel> and <@U0BEN> & co',
    '\u001b[31mred\u001b[0m alert',
    `loading with ${token}`,
    'nul \u0000 and \u202e turned',
  ])
    town.platform.log('ep-llm', line)
  const ana = town.slack.as('U0ANA')
  const seen = await asks(ana, 'logs my-llm lines=4', 'hello <!channel> and <@U0BEN> & co')
  const text = town.slack.transcript('ops')
  expect(text).toContain('red alert')
  expect(text).toContain('loading with hf_[masked]')
  expect(text).toContain('nul \\u{0} and \\u{202e} turned')
  expect(JSON.stringify(seen)).not.toContain(token)
  expect(town.log()).not.toContain(token)
})

test('A secret is masked in the file too and can’t be found by searching for parts of it', async () => {
  await begin()
  write('ep-llm', 100, (n) => `attempt ${n} ${'x'.repeat(40)} with ${token}`)
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint logs my-llm lines=100')
  await ana.sees('my-llm: the last 100 lines', { in: '@app' })
  expect(filesSent()[0]).toContain('hf_[masked]')
  expect(filesSent()[0]).not.toContain(token)
  await asks(ana, `logs my-llm search=${token.slice(3, 9)}`, /no lines with “aB3dE5”/)
})

test('A search finds words near the end of the log', async () => {
  await begin()
  write('ep-llm', 3_000, (n) => (n % 1_000 === 0 ? `Out Of Memory at ${n}` : `ok ${n}`))
  const ana = town.slack.as('U0ANA')
  await asks(
    ana,
    'logs my-llm search="out of memory"',
    /my-llm: 3 lines with “out of memory” in the recent logs of replica/,
  )
  expect(town.slack.transcript('ops')).toMatch(/at 1000\n.*at 2000\n.*at 3000\n/)
})

test('Each replica’s newest log is shown, and file= selects one of them', async () => {
  await begin()
  town.platform.log('ep-two', 'ready')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'logs my-two lines=1', 'my-two: the last 2 lines of 2 replicas')
  const names = [...town.slack.transcript('ops').matchAll(/== (\w+) · (\S+)/g)]
  expect(names).toHaveLength(2)
  await asks(
    ana,
    `logs my-two file=${names[1]?.[2]}`,
    new RegExp(`my-two: the last \\d lines? of replica ${names[1]?.[1]}`),
  )
})

test('Of six replicas four are read, and the answer names the other two', async () => {
  await begin({ endpoints: [{ id: 'ep-six', name: 'my-six', active: true, replicas: 6 }] })
  town.platform.log('ep-six', 'ready')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'logs my-six lines=1', 'my-six: the last 4 lines of 4 replicas')
  const [, left] =
    /2 more replicas weren’t read\. To read one, add its name: replica=(\w+)/.exec(town.slack.transcript('ops')) ?? []
  await asks(ana, `logs my-six lines=1 replica=${left}`, `my-six: the last line of replica ${left}`)
})

test('A replica whose log can’t be read is named with the platform’s error', async () => {
  await begin()
  town.platform.log('ep-two', 'ready')
  const body = { detail: `The disk is away: ${token}` }
  const fault = town.platform.faults.add('getLogFileContent', { kind: 'answer', status: 500, body }, 1)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'logs my-two lines=1', /my-two: the last line of replica \w+/)
  expect(town.slack.transcript('ops')).toMatch(/Replica \w+ couldn’t be read: .*The disk is away: hf_\[masked\]/)
  expect(fault.hits()).toBe(1)
})

test('A stopped endpoint shows the last log of an ended replica and offers the others', async () => {
  await begin()
  town.platform.log('ep-two', 'working')
  town.platform.console.stop('ep-two')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'logs my-two lines=2', /Replica \w+ has ended; these are its last lines\./)
  expect(town.slack.transcript('ops')).toMatch(/working\n.*Shutting down/)
  const label = /\[(my-two-\w+-\d+\.log)\]/.exec(town.slack.transcript('ops'))?.[1] ?? '(no button)'
  await ana.presses(label, { in: 'ops' })
  await town.calm()
  const answers = town.slack.transcript('ops').match(/my-two: the last \d+ lines of replica (\w+)/g)
  expect(new Set(answers).size).toBe(2)
})

test('A viewer can’t read logs; an endpoint that never ran has none, and an unknown replica or file gets the available ones', async () => {
  await begin()
  const [ana, cleo] = [town.slack.as('U0ANA'), town.slack.as('U0CLEO')]
  await asks(cleo, 'logs my-llm', 'You need the operator role in project default')
  expect(reads()).toBe(0)
  await asks(ana, 'logs my-tts', 'my-tts has no log files.')
  await asks(ana, 'logs my-llm replica=nobody', 'my-llm has no log file for replica “nobody”. Available:')
  await asks(
    ana,
    'logs my-llm file=yesterday.log',
    'my-llm no longer has a log file “yesterday.log”, or never had one. Available:',
  )
  expect(town.slack.transcript('ops')).toMatch(/\[my-llm-\w+-\d+\.log\]/)
})

test('A file that vanishes before it is read is gone, and a proxy’s HTML page instead of JSON becomes one sentence', async () => {
  await begin()
  for (const [answer, says] of [
    [{ status: 404, body: { detail: 'Log file not found' } }, /The log file my-llm-\w+-\d+\.log is gone/],
    [
      { status: 200, body: '<html><body>Please sign in <!channel></body></html>', type: 'text/html' },
      'I couldn’t read this from the platform.',
    ],
  ] as const) {
    const fault = town.platform.faults.add('getLogFileContent', { kind: 'answer', ...answer })
    await asks(town.slack.as('U0ANA'), 'logs my-llm', says)
    expect(town.slack.transcript('ops')).not.toContain('<html>')
    expect(fault.hits()).toBe(1)
    fault.clear()
  }
})

test('A log of 50,000 lines says that the platform shows no more', async () => {
  await begin()
  write('ep-llm', 50_000, (n) => `line ${n}`)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'logs my-llm lines=2', 'has 50,000 lines or more. The platform shows none after that')
  expect(town.slack.transcript('ops')).toMatch(/line 49999\n.*line 50000/)
})

test('Without the files scope the lines are shown, with a sentence that names the missing scope', async () => {
  await begin({
    slack: { scopes: ['commands', 'chat:write', 'im:write', 'users:read', 'usergroups:read', 'channels:read'] },
  })
  write('ep-llm', 200, (n) => `a line that is neither short nor long, ${n}`)
  const ana = town.slack.as('U0ANA')
  await asks(
    ana,
    'logs my-llm lines=200',
    'I couldn’t send you the file my-llm.log. The Slack app needs the scopes files:write',
  )
  expect(town.slack.transcript('ops')).toContain('nor long, 200')
  expect(filesSent()).toEqual([])
})
