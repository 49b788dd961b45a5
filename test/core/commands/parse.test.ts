import { describe, expect, test } from 'vitest'
import { rowOf } from '../../../src/core/commands/field-of-word.ts'
import { help } from '../../../src/core/commands/help.ts'
import { readLine, usageOf, writeLine } from '../../../src/core/commands/parse.ts'
import { whoami } from '../../../src/core/commands/permissions.ts'
import { phrase } from '../../../src/core/commands/phrases.ts'
import { rows as all, commands } from '../../../src/features/command-table.ts'
import { list } from '../../../src/features/endpoints/list.ts'
import { start } from '../../../src/features/endpoints/start.ts'
import { status } from '../../../src/features/endpoints/status.ts'
import { stop } from '../../../src/features/endpoints/stop.ts'
import { english, inEnglish } from '../../support/words.ts'

/** A fixed table, so that suggestions do not change whenever a command is added. */
const rows = [list, status, start, stop, whoami, help]

/** Returns the line's canonical spelling, or the error sentence after a ✗. */
function spelled(typed: string): string {
  const read = readLine(typed, rows)
  return read.kind === 'line' ? read.read.line : `✗ ${english(read.says)}`
}

describe('A typed line', () => {
  test.each([
    ['', 'help'],
    ['   ', 'help'],
    ['?', 'help'],
    ['help stop', 'help stop'],
    ['도움말 목록', 'help "목록"'],
    ['도움말 중지 보여줘', 'help "중지"'],
    ['help please', 'help'],
    ['help "🤖"', 'help "🤖"'],
    ['status "🤖"', 'status "🤖"'],
    ['LIST', 'list'],
    ['ls', 'list'],
    ['list Running', 'list running'],
    ['list active', 'list running'],
    ['list search=llm stopped page=2', 'list stopped search=llm page=2'],
    ['list page=007', 'list page=7'],
    ['my-llm', 'status my-llm'],
    ['"my llm"', 'status "my llm"'],
    ['info my-llm', 'status my-llm'],
    ['status help', 'status help'],
    ['up my-llm', 'start my-llm'],
    ['down my-llm', 'stop my-llm'],
    ['Stop my-llm', 'stop my-llm'],
    ['stop because=x my-llm', 'stop my-llm because=x'],
    ['stop my-llm because=“moving to v2”', 'stop my-llm because="moving to v2"'],
    ['stop “ana’s llm”', 'stop "ana’s llm"'],
    ['stop\u00a0my-llm\u200b', 'stop my-llm'],
    ['stop\u0000my-llm', 'status stopmy-llm'],
    ['stop @ana', 'stop @ana'],
    ['stop my-llm because=""', 'stop my-llm because=""'],
    ['stop my-llm reason=“moving to v2”', 'stop my-llm because="moving to v2"'],
    ['중지 my-llm 사유=점검', 'stop my-llm because="점검"'],
  ])('%j is parsed as %j', (typed, line) => {
    expect(spelled(typed)).toBe(line)
  })
})

test('A phrase in quotes names a request, even if it begins like the command', () => {
  const read = readLine('approve "승인요청 chat"', all)
  expect(read).toMatchObject({ kind: 'line', read: { line: 'approve "승인요청 chat"' } })
})

describe('A line that cannot be parsed gets one helpful sentence', () => {
  const stopUsage = 'Usage: /endpoint stop <endpoint> [at 19:00] [reason="…"]'
  test.each([
    ['stpo my-llm', '✗ Did you mean /endpoint stop my-llm?'],
    ['strat my-llm', '✗ Did you mean /endpoint start my-llm?'],
    ['zzz my-llm', '✗ I don’t know the command “zzz”. Type /endpoint help for all commands.'],
    ['because=x my-llm', '✗ I don’t know the command “because=”. Type /endpoint help for all commands.'],
    ['stop', `✗ Missing: Endpoint. ${stopUsage}`],
    ['stop because=x', `✗ Missing: Endpoint. ${stopUsage}`],
    ['stop ""', '✗ Which endpoint? There’s no name between the quotation marks.'],
    ['stop my-llm hard', `✗ I don’t understand “hard” here. ${stopUsage}`],
    ['stop my-llm force=yes', `✗ I don’t understand “force=” here. ${stopUsage}`],
    ['stop my-llm because=x because=y', '✗ “because=” is given twice. Give it once.'],
    ['whoami x', '✗ I don’t understand “x” here. Usage: /endpoint whoami'],
    ['stop "my-llm', '✗ A closing quote is missing. Nothing was done.'],
    [
      'list sleeping',
      '✗ After list you can write running, stopped, or idle. For one endpoint, use status. For example: /endpoint status sleeping',
    ],
    ['list page=0', '✗ Page must be a whole number from 1 to 10000, not “0”.'],
    ['list page=1.5', '✗ Page must be a whole number from 1 to 10000, not “1.5”.'],
    ['list page=', '✗ Page must be a whole number from 1 to 10000, not “”.'],
    [`stop ${'x'.repeat(201)}`, '✗ Endpoint can have at most 200 characters.'],
    [`stop my-llm because=${'x'.repeat(301)}`, '✗ Reason can have at most 300 characters.'],
    [`stop ${'x'.repeat(2_995)}`, '✗ That command is too long: at most 1,000 characters. Nothing was done.'],
  ])('%j', (typed, says) => {
    expect(spelled(typed)).toBe(says)
  })

  test('a line whose canonical form would be too long is refused as well', () => {
    const typed = `stop '${'"'.repeat(200)}' because='${'"'.repeat(300)}'`
    expect(typed.length).toBeLessThan(1_000)
    expect(spelled(typed)).toBe('✗ That command is too long: at most 1,000 characters. Nothing was done.')
  })

  test('an unknown word is quoted only up to a readable length', () => {
    expect(spelled(`${'z'.repeat(500)} x`).length).toBeLessThan(200)
  })
})

test.each([
  ['schedule my-llm weekdays 9 to 20', 'weekdays'],
  ['스케줄 my-llm 평일 9시부터 20시까지', '평일'],
])('%j lacks its direction, but its form keeps the times', (typed, word) => {
  const read = inEnglish(readLine(typed, all))
  expect(read).toMatchObject({
    kind: 'misread',
    says: [`State must be up or down, not “${word}”.`, expect.anything()],
    begun: { values: { endpoint: 'my-llm', window: 'weekdays 09:00-20:00' } },
  })
})

test.each([
  ['schedule my-llm up monday to friday 9 to 18', 'window', 'monday to'],
  ['stop my-llm tonight at 01:00', 'at', 'at tonight'],
])('The form of %j shows the words that are wrong, not a time from their end', (typed, field, words) => {
  const read = readLine(typed, all)
  if (read.kind !== 'misread') throw new Error(`It is a ${read.kind}.`)
  expect(read.begun?.values[field]).toBe(undefined)
  expect(read.begun?.wrong?.typed?.map(({ value }) => value).join(' ')).toBe(words)
})

test.each([
  ['daily 9 to 18 except weekends', 'except isn’t a time zone.'],
  ['weekdays 9-18 seoul time', 'Write the time zone of seoul as Asia/Seoul.'],
  ['weekdays 9-18 in Seoul', 'Write the time zone of Seoul as Asia/Seoul.'],
])('A schedule that says more than its times is not offered without it: “%s”', (times, says) => {
  const read = inEnglish(readLine(`schedule my-llm up ${times}`, all))
  expect(JSON.stringify(read)).toContain(says)
  expect(read).not.toHaveProperty('near')
})

test('A wrong word for a required choice is answered with an example', () => {
  const read = readLine('schedule my-llm weekdays 09:00-20:00', all)
  const says =
    'State must be up or down, not “weekdays”. For example: /endpoint schedule my-llm up weekdays 09:00-20:00'
  expect(read.kind === 'misread' && english(read.says)).toBe(says)
})

describe('A row and its values', () => {
  test('are found by the row’s name and aliases, and by nothing else', () => {
    for (const row of rows) for (const word of [row.name, ...(row.also ?? [])]) expect(rowOf(word, rows)).toBe(row)
    for (const word of ['', 'constructor', '__proto__', 'toString', 'STOP']) expect(rowOf(word, rows)).toBeUndefined()
  })

  test('are written in field order, without omitted values', () => {
    expect(writeLine(list, { page: 2, search: 'a b', state: undefined })).toBe('list search="a b" page=2')
  })

  test('have a usage line', () => {
    expect(rows.map(usageOf)).toEqual([
      '/endpoint list [running|stopped|idle] [search="…"] [page=<n>]',
      '/endpoint status <endpoint>',
      '/endpoint start <endpoint> [for 4h] [until fri 18:00] [replicas=<n>] [reason="…"]',
      '/endpoint stop <endpoint> [at 19:00] [reason="…"]',
      '/endpoint whoami',
      '/endpoint help [<verb>]',
    ])
  })
})

describe('All environment variables are removed only by clear=env', () => {
  test.each(['patch my-llm env=', 'patch my-llm env=""'])('%s is refused with what to write instead', (line) => {
    expect(inEnglish(readLine(line, all))).toMatchObject({
      kind: 'misread',
      begun: { values: { endpoint: 'my-llm' } },
      says: 'Environment variables: write clear=env to remove all of them. To set some, open the form with /endpoint patch.',
    })
  })

  test('clear=env removes them all', () => {
    expect(readLine('patch my-llm clear=env port=8080', all)).toMatchObject({
      kind: 'line',
      read: { line: 'patch my-llm port=8080 clear=env', values: { env: null, port: 8080 } },
    })
  })

  test('the confirmation question says what is lost', () => {
    expect(english(phrase(commands.operation('patch my-llm clear=env'), 'my-llm', 'ask'))).toBe(
      'Patch my-llm (removes all environment variables; this can’t be undone)',
    )
  })

  test('the usage shows clear=env', () => {
    const patch = rowOf('patch', all)
    expect(patch && usageOf(patch)).toContain(' [clear=env] ')
  })

  test('a stored line in the older spelling still parses', () => {
    expect(commands.operation('patch my-llm env=').values).toMatchObject({ env: null })
  })

  test('other settings are removed either way', () => {
    expect(readLine('patch my-llm metrics= clear=port', all)).toMatchObject({
      kind: 'line',
      read: { line: 'patch my-llm port= metrics=', values: { metrics: null, port: null } },
    })
  })
})

describe('Keywords such as “until” and “to”', () => {
  test.each([
    ['away until mon to @U0CLEO', { until: 'mon', to: '@U0CLEO' }],
    ['away to @U0CLEO until Fri 18:00', { until: 'fri 18:00', to: '@U0CLEO' }],
    ['away until="fri 18:00" to=@U0CLEO', { until: 'fri 18:00', to: '@U0CLEO' }],
    ['freeze because=x for 4h', { until: '4h', because: 'x' }],
    ['freeze until 2 days because=x', { until: '2d', because: 'x' }],
    ['stop x in an hour', { at: '1h' }],
    ['stop x by 6pm tomorrow', { at: 'tomorrow 18:00' }],
    ['keep x until tomorrow morning', { until: 'tomorrow' }],
    ['start x until Fri morning reason=tea', { until: 'fri', because: 'tea' }],
    ['keep x for the night', { until: 'overnight' }],
    ['stop x in half an hour reason=tea', { at: '30m', because: 'tea' }],
    ['start x for half an hour replicas=2', { for: '30m', replicas: 2 }],
    ['keep x two hours', { for: '2h' }],
    ['keep x for 2 hours 30 minutes', { for: '2h30m' }],
    ['stop x in 1 hour 30 minutes', { at: '1h30m' }],
    ['token new ci only="start, stop" on="tag:ci , rer*"', { only: 'start,stop', on: 'tag:ci,rer*' }],
    ['unfreeze because=x', { because: 'x' }],
    ['stop x in 2 hours because nobody needs it', { at: '2h', because: 'nobody needs it' }],
    ['freeze because=x until 2026-12-24 18:00', { until: '2026-12-24 18:00', because: 'x' }],
    ['freeze because="until fri"', { because: 'until fri' }],
    ['start x for this afternoon', { until: 'today 18:00' }],
    ['start x for This Evening replicas=2', { until: 'today 22:00', replicas: 2 }],
    ['start x for the afternoon', { until: 'today 18:00' }],
    ['keep x for the evening', { until: 'today 22:00' }],
    ['start the x endpoint for 4h', { endpoint: 'x', for: '4h' }],
    ['start my x for 4 hours please', { endpoint: 'x', for: '4h' }],
    ['start the x endpoint for the afternoon', { endpoint: 'x', until: 'today 18:00' }],
    ['start x for me', { endpoint: 'x' }],
    ['start the server for 4h', { endpoint: 'server', for: '4h' }],
    ['start the server for the afternoon', { endpoint: 'server', until: 'today 18:00' }],
    ['keep x for today', { until: 'today 24:00' }],
    ['keep x for tonight', { until: 'overnight' }],
    ['start x until 6pm', { until: '18:00' }],
    ['start x until tomorrow 6:30 PM replicas=2', { until: 'tomorrow 18:30', replicas: 2 }],
    ['stop x at 12 am', { at: '00:00' }],
    ['stop x at fri 9am', { at: 'fri 09:00' }],
    ['start x for 4h', { for: '4h' }],
  ])('are parsed with their values in: %s', (line, values) => {
    const read = readLine(line, all)
    expect(read).toMatchObject({ kind: 'line', read: { values } })
  })

  test('take all words of their value and no more', () => {
    expect(readLine('away until fri 18:00 to @U0CLEO', all)).toMatchObject({
      kind: 'line',
      read: { line: 'away until fri 18:00 to @U0CLEO' },
    })
    expect(readLine('freeze until fri release because=x', all)).toMatchObject({ kind: 'misread' })
  })

  test('make the line incomplete when no value follows', () => {
    expect(readLine('away to @U0CLEO until', all)).toMatchObject({ kind: 'incomplete', missing: ['until'] })
    expect(readLine('freeze because=x until', all)).toMatchObject({ kind: 'incomplete', missing: ['until'] })
  })

  test('are required before their value', () => {
    expect(readLine('freeze fri because=x', all)).toMatchObject({ kind: 'misread' })
    expect(readLine('scale x from 3', all).kind).not.toBe('line')
  })

  test('can be an endpoint’s name where the endpoint comes first', () => {
    expect(readLine('scale to to 3', all)).toMatchObject({ kind: 'line', read: { values: { endpoint: 'to', to: 3 } } })
  })
})
