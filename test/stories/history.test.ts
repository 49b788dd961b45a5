import { afterEach, expect, test } from 'vitest'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
async function begin(options?: TownOptions): Promise<Town> {
  town = await startTown(options)
  return town
}
afterEach(() => town.stop())

function filesSent(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...town.slack.workspace.files.values()].map(({ name, content }) => [name, content?.toString() ?? '']),
  )
}

/** ana starts my-tts; ben requests a stop of my-llm and leaves it running. */
async function something(): Promise<void> {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await asks(ana, 'start my-tts because="a demo"', 'Started my-tts')
  await ben.types('ops', '/endpoint stop my-llm')
  await presses(ben, 'Leave it running', '🚫 Stop my-llm cancelled. Nothing changed.')
  await town.calm()
}

/** Runs a line as cleo, a viewer, and returns the channel's transcript. */
async function transcriptAfter(line: string, seen = /History|No history|Timeline of|[Rr]efused requests/) {
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('general', line)
  await cleo.sees(seen, { in: 'general' })
  return town.slack.transcript('general')
}

test('History shows every viewer who did what and how it ended, newest first, with its details', async () => {
  await begin()
  await something()
  const text = await transcriptAfter('/endpoint history')
  expect(text).toMatch(
    /History, newest first\n.*Stop my-llm\n.*\[Details\]\n.*@ben .*cancelled\n.*Started my-tts.*\n.*\[Details\]\n.*@ana .*“a demo”/,
  )
  // cleo gets no button that she may not use; ana does.
  expect(text).toContain('[Details]')
  expect(text).not.toMatch(/Undo|again\]/)
  const ana = town.slack.as('U0ANA')
  await ana.types('general', '/endpoint history')
  await ana.sees(/\| Stop my-tts\]/, { in: 'general' })
  await town.slack.as('U0CLEO').presses('Details', { in: 'general' })
  await town.slack.as('U0CLEO').sees('Timeline of “stop my-llm”', { in: 'general' })

  // It also filters by the reader’s own days, by time, by command and by person.
  const cleo = town.slack.as('U0CLEO')
  /** Returns the newest answer to cleo. */
  async function told(line: string, title: string | RegExp): Promise<string> {
    await cleo.types('general', `/endpoint history ${line}`)
    return (await cleo.sees(title, { in: 'general' })).text
  }
  expect(await told('today', 'History, today, newest first')).toContain('Started my-tts')
  const none = await told('yesterday', 'No history of any endpoint yesterday.')
  expect(none).not.toContain('Post to channel')
  expect(await told('since=어제', 'History, since yesterday, newest first')).toContain('Started my-tts')
  await town.minutesPass(24 * 60)
  expect(await told('yesterday', 'History, yesterday, newest first')).toMatch(/Started my-tts.* \(2\d h .*ago\)/s)
  await told('today', 'No history of any endpoint today.')
  await told('since=2h', 'No history of any endpoint in the last 2 h.')
  expect(await told('stop', 'History of stop')).not.toContain('my-tts')
  await told('who=nobody', 'The latest history has nobody named “nobody”, or several people.')
  await told('ben', /No endpoint is named “ben”, but a person is\..*history who=ben/s)
  expect(await told('who=Ben', /^History of Ben, newest first\s+🚫 Stop my-llm/)).not.toContain('my-tts')
  await told('last week who=@U0BEN', /^History of @ben, last 7 days, newest first\s+🚫 Stop my-llm/)
  await told('week who=me', /^No history of @cleo in the last 7 days\./)
  await town.minutesPass(7 * 24 * 60)
  await told('last week', 'No history of any endpoint in the last 7 days.')
})

test('History of one endpoint leaves out the others', async () => {
  const endpoints = ['my-llm', 'my-tts', 'my'].map((name) => ({ id: `ep-${name}`, name, active: name === 'my-llm' }))
  await begin({ listed: true, endpoints })
  await something()
  expect(await transcriptAfter('/endpoint history my-tts')).not.toContain('my-llm')
  // The beginning of a name is enough only as long as no endpoint has exactly this name.
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('general', '/endpoint history my')
  await cleo.sees('No history of my.', { in: 'general' })
})

test('History of an endpoint with the name of a person is that of the endpoint', async () => {
  const endpoints = ['my-tts', 'ana'].map((name) => ({ id: `ep-${name}`, name, active: false }))
  await begin({ listed: true, endpoints })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Started my-tts')
  await asks(ana, 'history ana', 'No history of ana.')
})

test('History after a start that failed does not call the endpoint stopped', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'list', '2 endpoints')
  town.platform.fate('ep-tts', 'deploy_failed')
  await asks(ana, 'start my-tts', 'It’s failing (DEPLOY_FAILED).')
  await asks(ana, 'history my-tts', /^my-tts is failing now\./)
})

test('“Why did it stop?” is answered with the last stop, who caused it and why', async () => {
  await begin({ at: '2026-11-25T10:00:00Z' })
  const ana = town.slack.as('U0ANA')
  await asks(
    ana,
    'schedule my-llm down daily 11:00-23:00 UTC',
    'To have it started too, schedule when it runs: /endpoint schedule my-llm up daily 23:00-11:00 UTC',
  )
  await presses(ana, 'Save schedule', /Scheduled my-llm.*After a stop, it stays stopped until someone starts it/s)
  await town.minutesPass(61)
  await ana.sees('🌙 my-llm stops', { in: 'ops' })
  await town.minutesPass(12)
  await ana.sees('Stopped my-llm', { in: 'ops' })
  await asks(ana, 'start my-tts', 'Started my-tts')
  const cleo = town.slack.as('U0CLEO')
  const told = async (line: string, title: RegExp) => {
    await cleo.types('general', `/endpoint ${line}`)
    return (await cleo.sees(title, { in: 'general' })).text
  }
  const bySchedule =
    /^Lamplighter last stopped my-llm .* ago\), on a schedule that @ana set up\. Schedule: .*11:00–23:00 UTC\. After a stop, it stays/
  const why = await told('why did my-llm stop?', bySchedule)
  await asks(ana, 'why did my-llm stop?', /\[Details\].*\[Start my-llm again\]/)
  expect(why).not.toContain('Stopped my-llm')
  // The asker may not know that the endpoint runs again.
  town.platform.console.start('ep-llm')
  const again = await told(
    'why did my-llm stop?',
    /^Lamplighter last stopped my-llm .* It’s running again; that was done outside Lamplighter\./,
  )
  expect(again).not.toContain('Start my-llm again')
  town.platform.console.stop('ep-llm')
  await asks(ana, 'start my-llm', 'Started my-llm')
  await told(
    'why did my-llm stop?',
    /^Lamplighter last stopped my-llm .* It has been running again since .*, started by @ana\./,
  )
  town.platform.console.stop('ep-llm')
  await asks(ana, 'why did my-llm stop?', /It’s stopped again; that was done outside Lamplighter\..*\[Status\]/s)
  await told(
    'who started my-tts',
    /^Lamplighter last started my-tts .*, requested by @ana, without a reason\. (?!It changed)/,
  )
  // It runs as before, but somebody stopped it in between.
  town.platform.console.stop('ep-tts')
  await town.minutesPass(2)
  town.platform.console.start('ep-tts')
  await told('who started my-tts', /, without a reason\. It changed again 0 s ago; Lamplighter has no record of why\./)
  await asks(ana, 'keep my-tts 2h', /Paused automation for my-tts until .*\. It has no schedule and no idle stop/)
  for (const line of ['why is my-tts running?', 'why is my-tts still on?'])
    await told(
      line,
      /^Lamplighter last started my-tts .* Left alone until today at \S+ \(@ana paused its automation\)\./,
    )
  await told('explain status my-tts', /my-tts is left alone until .* \(@ana paused its automation\)/)
  expect(await told('who stopped things today', /^Stops, today, newest first/)).not.toContain('my-tts')
  await told(
    'why did my-tts stop',
    /^my-tts is running now\. No stops of my-tts\. Stops made outside Lamplighter aren’t listed\..*\[History\]/s,
  )
  await ana.types('ops', '/endpoint restart my-tts')
  await presses(ana, 'Restart my-tts', 'Restarted my-tts')
  await told('why is my-tts up?', /^Lamplighter last restarted my-tts .*, requested by @ana/)
  town.platform.console.stop('ep-tts')
  await told(
    'why did my-tts stop',
    /^my-tts is stopped now\. It was stopped outside Lamplighter, or too long ago for this history\. Left alone until .* \(@ana paused its automation\)\./,
  )
})

test('“Why hasn’t it stopped or started?” is answered with the open request and the missing schedule', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', /Stop my-llm\?/)
  await asks(ana, 'history stopped my-llm', /Open request: Stop my-llm\..*Status/s)
  await asks(
    ana,
    'history started my-tts',
    /It was stopped outside Lamplighter, .*No schedule starts my-tts\..*Status/s,
  )
  await asks(ana, 'start my-tts for 2h', /Started my-tts to run until/)
  await asks(ana, 'why is my-tts up?', /Running until \S+ at \S+ \(one-time request\), then stops\./)
  await asks(ana, 'schedules my-tts', /• runs until .*Cancel this stop/s)
  town.platform.console.stop('ep-tts')
  await asks(ana, 'schedules my-tts', /• start once .*, until .*Remove/s)
})

test('A renamed endpoint is found by both names, and keeps its history when it is deleted', async () => {
  await begin()
  await something()
  town.platform.rename('ep-tts', 'voice')
  await town.minutesPass(2)
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('general', '/endpoint status voice')
  // Status shows the last changes.
  await cleo.sees(/Started my-tts.*“a demo”/s, { in: 'general' })
  expect(await transcriptAfter('/endpoint history voice')).toMatch(/History of voice[\s\S]*Started my-tts/)
  town.platform.remove('ep-tts')
  await town.minutesPass(2)
  await cleo.types('general', '/endpoint history my-tts')
  await cleo.sees(/^History of my-tts[\s\S]*Started my-tts/, { in: 'general' })
})

test('Refused requests have a history of their own, under the typed name or the endpoint’s', async () => {
  await begin({ listed: true })
  const [ana, cleo] = [town.slack.as('U0ANA'), town.slack.as('U0CLEO')]
  await asks(ana, 'start nowhere', 'No endpoint is named')
  await town.calm()
  await asks(ana, 'history nowhere', 'No endpoint is named “nowhere”. Type /endpoint list to see them all.')
  await asks(ana, 'history my-txt', /^No endpoint is named “my-txt”\. Did you mean (\S+, )*my-tts/)
  await asks(ana, 'who stopped image-gen?', 'No endpoint is named “image-gen”.')
  expect(await transcriptAfter('/endpoint history refused nowhere')).toContain('refused · No endpoint is named')

  // These are refused before their endpoint is looked up.
  await asks(ana, 'list', '2 endpoints')
  // A button writes the id.
  await asks(cleo, 'resume ep-tts', 'operator')
  await asks(ana, 'undo my-tts', 'Nothing to undo')
  await asks(ana, 'cancel my-tts', 'my-tts has no open request')
  await town.calm()
  const text = await transcriptAfter('/endpoint history refused', /^Refused requests, newest first/)
  expect(text).toMatch(/Cancel: my-tts\n.*Undo: my-tts\n.*Resume automation for my-tts\n/s)
  expect(text).not.toContain('ep-tts')
  await cleo.presses('Details', { in: 'general' })
  await cleo.sees('Timeline of “cancel my-tts”', { in: 'general' })
})

test('An approver exports every event to two private files without secrets', async () => {
  await begin()
  await something()
  await asks(town.slack.as('U0ANA'), 'start my-llm because="xoxb-1234567890-abcdefgh"', 'my-llm')
  await town.calm()
  const ben = town.slack.as('U0BEN')
  await asks(ben, 'history export', /\d requests, \d+ events/)
  await town.calm()
  const files = filesSent()
  expect(Object.keys(files).toSorted()).toEqual(['history.csv', 'history.jsonl'])
  const events = (files['history.jsonl'] ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(events).toContainEqual(expect.objectContaining({ endpoint: 'my-tts', event: 'succeeded', asked_by: 'U0ANA' }))
  expect(events).toContainEqual(expect.objectContaining({ endpoint: 'my-llm', event: 'declined', by: 'U0BEN' }))
  expect(files['history.csv']?.split('\r\n')).toHaveLength(events.length + 2)
  const all = Object.values(files).join('')
  for (const secret of [town.platform.apiKey, town.slack.botToken, town.slack.appToken, 'abcdefgh'])
    expect(all).not.toContain(secret)
  const holders = [...town.slack.workspace.channels.values()].filter(({ id }) =>
    (town.slack.workspace.messages.get(id) ?? []).some(({ files: sent }) => sent.length > 0),
  )
  expect(holders.map(({ kind, members }) => [kind, members.has('U0BEN')])).toEqual([['im', true]])
})

test('History of an endpoint names who decided and has no rows for their answers', async () => {
  await begin()
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await ben.types('ops', '/endpoint decline my-llm because="the demo is on"')
  await ana.sees('declined by @ben: “the demo is on”', { in: 'ops' })
  await ana.types('ops', '/endpoint stop my-llm')
  await town.calm()
  await ben.types('ops', '/endpoint cancel my-llm')
  await ana.sees('cancelled by @ben', { in: 'ops' })
  await town.calm()
  const text = await transcriptAfter('/endpoint history my-llm')
  expect(text).toMatch(/@ana .*ago\) · reason for the answer: “the demo is on” · declined by @ben/)
  expect(text).toMatch(/@ana .*ago\) · cancelled by @ben/)
  expect(text.match(/\[Details\]/g)).toHaveLength(2)

  // History of a person lists once what they answered, wherever they did.
  await ana.types('ops', '/endpoint stop my-llm')
  await town.calm()
  // Long enough that the seconds of the test don't change the text.
  await town.minutesPass(3)
  await asks(ben, 'approve zzz', 'No waiting request matches “zzz”')
  await ben.presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stopped my-llm', { in: 'ops' })
  await town.calm()
  const own = await transcriptAfter('/endpoint history who=@ben', /^History of @ben/)
  expect(own.match(/Stopped my-llm\.\n.*\[Details\].*\n.*@ana .* ago\) .*· confirmed by @ben/g)).toHaveLength(1)
  expect(own).not.toMatch(/approve [\w-]{22}|Confirmed: /)
})
