import { afterEach, expect, test } from 'vitest'
import { withoutTook } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions) {
  town = await startTown(options)
  return { ana: town.slack.as('U0ANA'), ben: town.slack.as('U0BEN'), cleo: town.slack.as('U0CLEO') }
}

test('A stopped endpoint starts at once, and its card ends with the platform’s words', async () => {
  const { ana } = await begin()
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
  await ana.sees('Started my-tts', { in: 'ops' })
  expect(withoutTook(town.slack.transcript('ops'))).toBe(
    'App: ✅ Started my-tts; it’s serving.\n  requested by @ana · Platform: “Endpoint started successfully”',
  )
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-tts', kind: 'start', effective: true }])
})

test('A start whose scale is refused offers only the scale again', async () => {
  const { ana } = await begin()
  const refusal = { kind: 'answer', status: 422, body: { detail: 'No capacity' } } as const
  town.platform.faults.add('scaleEndpoint', refusal, 1)
  await asks(ana, 'start my-tts replicas=3', /“scale to 3” failed.*No capacity.*\[Scale to 3 again\]/s)
  await presses(ana, 'Scale to 3 again', /Scale my-tts to 3/)
})

test('A running endpoint is stopped only after somebody confirms in the thread', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm because=“moving to v2”', 'or any operator can confirm.')
  const own = [
    'App (only visible to @ana): Stop my-llm? You can confirm here. Any operator can confirm in the thread. Expires then.',
    '  [Stop my-llm] [Leave it running]',
  ]
  const withoutExpiry = () => town.slack.transcript('ops').replace(/(?<=[Ee]xpires )(?:(?! · | → |\.$).)+/gm, 'then')
  expect(withoutExpiry()).toBe(
    [
      'App: Stop my-llm? It’s running with 3 replicas.',
      '  Reason: “moving to v2”',
      '  requested by @ana · expires then → Answer in the thread',
      '  App: Stop my-llm? It’s running with 3 replicas. @ana or any operator can confirm. Expires then.',
      '    [Stop my-llm] [Leave it running]',
      ...own,
    ].join('\n'),
  )
  expect(town.platform.changes()).toEqual([])
  const question = (await ana.sees(/Stop my-llm\?[\s\S]*can confirm\. Expires/, { in: 'ops' })).ts
  const link = new RegExp(`/archives/C0OPS/p${question.replace('.', '')}\\?thread_ts=.*→ Answer in the thread`)
  await expect.poll(() => JSON.stringify([...town.slack.workspace.messages.values()])).toMatch(link)

  await town.slack.as('U0BEN').presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stopped my-llm.', { in: 'ops' })
  await town.calm()
  expect(withoutTook(withoutExpiry())).toBe(
    [
      'App: ✅ Stopped my-llm.',
      '  @ana’s reason: “moving to v2”',
      '  requested by @ana · confirmed by @ben · Platform: “Endpoint stopped successfully”',
      '  App: Stop my-llm? ✅ Confirmed by @ben.',
      '  App: ✅ Stopped my-llm. @ana',
      ...own,
    ].join('\n'),
  )
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-llm', kind: 'stop', effective: true }])
})

test('A requester who may confirm gets private buttons, which disappear after the press', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', 'or any operator can confirm.')
  expect(town.slack.transcript('ops')).toContain('App (only visible to @ana): Stop my-llm?')
  // The newest match is the thread's question; the private one comes before it.
  await ana.presses('Stop my-llm', { in: 'ops', nth: 1 })
  await ana.sees('Stopped my-llm.', { in: 'ops' })
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('only visible to')
})

test('A late press on the private buttons is answered where they were', async () => {
  const { ana } = await begin()
  await ana.types('ops', '/endpoint stop my-llm')
  const own = await ana.remembers('Stop my-llm', { in: 'ops', nth: 1 })
  await presses(town.slack.as('U0BEN'), 'Leave it running', '❌ Stop my-llm declined by @ben')
  await ana.pressesRaw(own)
  const told = await ana.sees('This request has ended.', { in: 'ops' })
  expect([told.ephemeralTo, told.threadTs]).toEqual(['U0ANA', undefined])
  expect(town.slack.transcript('ops')).not.toContain('You can confirm here')
})

test('Stopping a stopped endpoint or starting a running one is answered privately', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-tts', 'my-tts is already stopped.')
  await asks(ana, 'start my-llm', 'my-llm is already running.')
  expect(
    town.slack
      .channel('ops')
      .messages()
      .filter((message) => message.ephemeralTo === undefined),
  ).toEqual([])
})

test('An operation doesn’t accept a near miss but offers it privately as a button', async () => {
  const { ana } = await begin()
  await asks(ana, 'start my-t', 'No endpoint is named “my-t”.')
  await presses(ana, 'Start my-tts', 'Started my-tts')
})

test('The offered line keeps everything that was typed beside the misspelt name', async () => {
  const { ana } = await begin()
  await asks(
    ana,
    'start my-t for 30m replicas=3 reason="a *typo* <!channel>"',
    'Did you mean /endpoint start my-tts for 30m replicas=3 reason="a *typo* <!channel>"',
  )
  expect(town.platform.changes()).toEqual([])
  await presses(ana, 'Start my-tts', /Started my-tts to run until .*Reason: “a \*typo\* <!channel>”/s)
  expect(town.platform.endpoints().find(({ name }) => name === 'my-tts')?.replicas).toBe(3)
  for (const [typed, offered, pressed] of [
    ['stop my-lm at 23:59', 'stop my-llm at 23:59', 'stop ep-llm at 23:59'],
    ['scale my-lm to 4', 'scale my-llm to 4', 'scale ep-llm to 4'],
    ['patch my-lm port=8081', 'patch my-llm port=8081', 'patch ep-llm port=8081'],
  ] as const) {
    const { blocks } = await asks(ana, typed, `Did you mean /endpoint ${offered}`)
    expect(JSON.stringify(blocks)).toContain(`"value":"${pressed}"`)
  }
})

test('A query accepts a near miss, answers privately and can be posted to the channel', async () => {
  const { cleo } = await begin()
  await cleo.types('general', '/endpoint status my-l')
  const { text } = await cleo.sees('running · 3 replicas', { in: 'general' })
  expect(text).not.toContain('No endpoint is named')
  await cleo.types('general', '/endpoint status me-llm')
  await cleo.sees('No endpoint is named “me-llm”, so I’m showing my-llm.', { in: 'general' })
  await cleo.types('general', '/endpoint status all')
  await cleo.sees('No endpoint is named “all”. Type /endpoint list to see them all.', { in: 'general' })
  await cleo.presses('Post to channel', { in: 'general' })
  await town.slack.as('U0BEN').sees('running · 3 replicas', { in: 'general' })
})

test('A second request for an endpoint is refused with a link to the first and its button', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  const ben = town.slack.as('U0BEN')
  await ben.types('general', '/endpoint stop my-llm')
  const refusal = await ben.sees('@ana already requested “Stop my-llm”. Nothing was done.', { in: 'general' })
  expect(JSON.stringify(refusal.blocks)).toMatch(/"type":"link","url":"http[^"]+"/)
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('general', '/endpoint stop my-llm')
  await cleo.sees('You need the operator role', { in: 'general' })
  await ben.presses('Stop my-llm', { in: 'general' })
  await ana.sees('Stopped my-llm.', { in: 'ops' })
})

test('A pause beside a stop that waits for an answer says so and offers to decline it', async () => {
  const { ana, ben } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await ben.types('general', '/endpoint keep my-llm 2h')
  await ben.sees(/“Stop my-llm”, requested by @ana, was waiting for an answer; a pause doesn’t decline it\./, {
    in: 'general',
  })
  await ben.presses('Leave it running', { in: 'general' })
  await ana.sees(/Stop my-llm declined/i, { in: 'ops' })
})

test('A start that is waiting to serve gives way to a stop once that is confirmed', async () => {
  const { ana } = await begin({ platform: { startDelayMs: 60_000 } })
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
  const ben = town.slack.as('U0BEN')
  await asks(ben, 'stop my-tts', '“Start my-tts” continues until this is confirmed.')
  await ana.types('general', '/endpoint stop my-tts')
  await ana.sees('@ben already requested “Stop my-tts”. Nothing was done.', { in: 'general' })
  await ana.sees('Starting my-tts… waiting until it serves', { in: 'ops' })
  await ben.presses('Stop my-tts', { in: 'ops' })
  await ana.sees('⚠️ Start my-tts: its result wasn’t checked. Another request took over: Stop my-tts.', {
    in: 'ops',
  })
  await ana.sees('Stopped my-tts.', { in: 'ops' })
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['start', 'stop'])
})

test('A start finishes when the stop requested meanwhile is declined or still unanswered', async () => {
  const { ana } = await begin({ platform: { startDelayMs: 60_000 } })
  const ben = town.slack.as('U0BEN')
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
  await ben.types('ops', '/endpoint stop my-tts')
  await ben.presses('Leave it running', { in: 'ops' })
  await ana.sees('Stop my-tts cancelled.', { in: 'ops' })
  await ben.types('general', '/endpoint stop my-tts')
  await ben.sees('continues until this is confirmed.', { in: 'general' })
  await town.minutesPass(2)
  await ana.sees('Started my-tts; it’s serving.', { in: 'ops' })
  // No request holds the endpoint now, but the open question still blocks others.
  await asks(
    ana,
    'restart my-tts',
    'my-tts already has an open request: Stop my-tts, requested by @ben. Nothing was done.',
  )
  await ben.presses('Stop my-tts', { in: 'general' })
  await ana.sees('Stopped my-tts.', { in: 'general' })
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['start', 'stop'])
})

test('A slow start shows its progress, then the outcome on the card and in the thread', async () => {
  const { ana } = await begin({ platform: { startDelayMs: 60_000 } })
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
  await town.minutesPass(2)
  await ana.sees('Started my-tts; it’s serving.', { in: 'ops' })
  await town.calm()
  expect(town.slack.transcript('ops')).toMatch(
    /^App: ✅ Started my-tts; .+\n {2}requested by @ana · took 2 min · today at .+ · Platform: “/,
  )
  expect(town.slack.transcript('ops')).toMatch(/\n {2}App: ✅ Started my-tts; it’s serving\. @ana/)
})
