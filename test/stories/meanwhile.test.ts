import { afterEach, expect, test } from 'vitest'
import { asks, ops, policyApplied, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
let town: Town
afterEach(() => town.stop())
async function begin(platform: TownOptions['platform'] = {}) {
  town = await startTown({ env, platform })
  return { ana: town.slack.as('U0ANA'), ben: town.slack.as('U0BEN'), dora: town.slack.as('U0DORA') }
}
/** Every start takes a minute. */
const slowly = { startDelayMs: 60_000 }

test('An endpoint renamed before the press is the one that stops, not a new one with its old name', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  town.platform.rename('ep-llm', 'my-old-llm')
  await town.platform.add({ id: 'ep-new', name: 'my-llm', active: true })
  await presses(ana, 'Stop my-llm', 'Stopped my-old-llm.')
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-llm', kind: 'stop' }])
})

test('A waiting card shows the new name of its endpoint', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  town.platform.rename('ep-llm', 'my-old-llm')
  await town.minutesPass(2)
  await town.slack.as('U0BEN').sees('[Stop my-old-llm]', ops)
})

test('A stop that was announced before its endpoint was renamed is cancelled by the new name', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm at 1h', '[Schedule stop]')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await town.minutesPass(52)
  await ana.sees(/my-llm stops to(day|morrow) at/, ops)
  town.platform.rename('ep-llm', 'my-old-llm')
  await asks(ana, 'list', 'my-old-llm')
  await asks(ana, 'cancel my-old-llm', 'Cancelled: Stop my-llm.')
  await town.minutesPass(12)
  await town.calm()
  expect(town.platform.changes()).toEqual([])
})

test('An endpoint deleted during a restart is looked for once more, and not offered to be started', async () => {
  const { ana } = await begin()
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  town.platform.onCall(({ operation, when }) => {
    if (operation === 'stopEndpoint' && when === 'before answering') town.platform.remove('ep-llm')
  })
  await ana.presses('Restart my-llm', ops)
  await timePassesUntil(town, ana.sees('my-llm no longer exists', ops))
  await town.calm()
  expect(town.slack.transcript('ops')).not.toMatch(/no longer exists\..*no longer exists|\[Start my-llm\]/)
})

test('An endpoint deleted during a patch is said once to be gone', async () => {
  const { ana } = await begin()
  await asks(ana, 'patch my-llm port=9000', '[Patch my-llm]')
  town.platform.onCall(({ operation, when }) => {
    if (operation === 'patchEndpoint' && when === 'before answering') town.platform.remove('ep-llm')
  })
  await ana.presses('Patch my-llm', ops)
  await timePassesUntil(town, ana.sees(/my-llm no longer exists.*The settings were changed/, ops))
  expect(town.slack.transcript('ops')).not.toMatch(/no longer exists\..*no longer exists/)
})

test('An endpoint that is not found for a moment during a restart is started again', async () => {
  const { ana } = await begin()
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  town.platform.onCall(({ operation, when }) => {
    const gone = { kind: 'answer', status: 404, body: { detail: 'Not found' } } as const
    if (operation === 'stopEndpoint' && when === 'before answering')
      town.platform.faults.add('getEndpointStatus', gone, 2)
  })
  await ana.presses('Restart my-llm', ops)
  await timePassesUntil(town, ana.sees(/^Restarted my-llm/, ops), 0.05)
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('no longer exists')
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.active).toBe(true)
})

test('An endpoint that got the name of another one is shown with its id', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  town.platform.rename('ep-llm', 'my-tts')
  await presses(ana, 'Stop my-llm', 'Stopped my-tts.')
  await ana.sees('ep-llm', ops)
})

test.each(['shows the state before', 'lacks the number of replicas'])(
  'A read that %s does not end a scale',
  async (how) => {
    const { ana } = await begin(slowly)
    await asks(ana, 'scale my-llm to 5', '[Scale my-llm]')
    const headers = { authorization: `Bearer ${town.platform.apiKey}` }
    const body: unknown = await (await fetch(`${town.platform.url}/endpoints/ep-llm`, { headers })).json()
    await presses(ana, 'Scale my-llm', 'Scaling my-llm to 5… 3 of 5 replicas running')
    const isLate = how === 'shows the state before'
    const fault = isLate
      ? ({ kind: 'answer', status: 200, body } as const)
      : ({ kind: 'without', field: 'num_replicas' } as const)
    const odd = town.platform.faults.add('getEndpointStatus', fault, 1)
    await timePassesUntil(town, expect.poll(() => odd.hits()).toBe(1), 0.02)
    await timePassesUntil(town, ana.sees('Scaled my-llm', ops))
  },
)

test('Replicas that somebody else sets during a scale end it', async () => {
  const { ana } = await begin(slowly)
  await asks(ana, 'scale my-llm to 5', '[Scale my-llm]')
  await presses(ana, 'Scale my-llm', 'Scaling my-llm to 5… 3 of 5 replicas running')
  town.platform.console.scale('ep-llm', 2)
  const end =
    'Scale my-llm to 5: failed. Someone else changed it in the meantime. It’s running (2 of 2 replicas running).'
  await timePassesUntil(town, ana.sees(end, ops))
})

test('A restart leaves the replicas that somebody else sets after all are back', async () => {
  const { ana } = await begin(slowly)
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  await presses(ana, 'Restart my-llm', 'waiting until it serves')
  const reads = () => town.platform.calls().filter(({ operation }) => operation === 'getEndpointStatus').length
  await town.minutesPass(0.3)
  // The read before the last is recorded.
  await timePassesUntil(town, expect.poll(reads).toBeGreaterThan(reads() + 2), 0.05)
  town.platform.console.scale('ep-llm', 1)
  await timePassesUntil(town, ana.sees(/^Restarted my-llm/, ops))
  await town.calm()
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.replicas).toBe(1)
})

test('A restart leaves the replicas to an autoscaling that was turned on during it', async () => {
  const { ana } = await begin(slowly)
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  await presses(ana, 'Restart my-llm', 'waiting until it serves')
  town.platform.remove('ep-llm')
  await town.platform.add({ id: 'ep-llm', name: 'my-llm', active: true, replicas: 1, autoscaled: true })
  await timePassesUntil(town, ana.sees(/^Restarted my-llm/, ops))
})

test('An endpoint deleted before the press ends the request with the platform’s words', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  town.platform.remove('ep-llm')
  await presses(
    ana,
    'Stop my-llm',
    /Stop my-llm cancelled\. The platform’s answer about my-llm: “Endpoint not found\.?”/,
  )
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('[Stop my-llm]')
  // No quotation stands in another one.
  await asks(ana, 'explain stop my-llm', /The answer would be: The platform’s answer about my-llm: “Endpoint not found/)
})

test('A patch whose endpoint is stopped before the press skips the stop, needs no new confirmation and offers the start', async () => {
  const { ana } = await begin()
  await asks(ana, 'patch my-llm port=9000', 'Patch my-llm (port 9000)? It’s running with 3 replicas.')
  town.platform.console.stop('ep-llm')
  await presses(ana, 'Patch my-llm', /Patched my-llm \(port 9000\)\. It’s stopped\..*\[Start my-llm\]/s)
  expect(town.platform.changes().map(({ kind, by }) => `${by} ${kind}`)).toEqual(['console stop', 'api patch'])
})

test('A waiting card ends when somebody else has already done what it asks', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  town.platform.console.stop('ep-llm')
  await town.minutesPass(2)
  await ana.sees('Stop my-llm is no longer needed. my-llm is already stopped.', { in: 'ops' })
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('  [Stop my-llm] [Leave it running]\nApp:')
  await asks(ana, 'start my-llm', 'Started my-llm')
})

test('A waiting card shows a new pause of automation without asking again', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await town.slack.as('U0BEN').types('ops', '/endpoint keep my-llm 2h')
  await ana.sees('Paused automation for my-llm', { in: 'ops' })
  await town.minutesPass(2)
  await ana.sees(/@ben paused its automation until .+ at \d\d:\d\d\./, { in: 'ops' })
  expect(town.slack.transcript('ops')).not.toContain('replaced')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
})

test('A waiting card asks again when the policy becomes stricter', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await policyApplied(
    town,
    policyOf(`
    roles:
      operator: [everyone]
      approver: [user:U0BEN]
    endpoints:
      - match: [my-llm]
        protected: true
`),
  )
  await town.minutesPass(2)
  await ana.sees('Needs 1 approval from @ben.', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('A waiting patch shows that its endpoint was stopped and still waits for an answer', async () => {
  const { ana } = await begin()
  await asks(ana, 'patch my-llm port=9000', 'Patch my-llm (port 9000)? It’s running with 3 replicas.')
  town.platform.console.stop('ep-llm')
  await town.minutesPass(2)
  await ana.sees(/Patch my-llm \(port 9000\)\? It’s stopped; it starts with 3 replicas\./, { in: 'ops' })
  await expect.poll(() => town.slack.transcript('ops')).not.toContain('stop → change settings')
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop'])
  await presses(ana, 'Patch my-llm', 'Patched my-llm (port 9000).')
})

test.each([0, 2])(
  'A yes to a later stop does not start an endpoint that was stopped %d minutes before it, but asks about the start',
  async (minutes) => {
    const { ana, dora } = await begin()
    await asks(ana, 'start my-llm for 2h', /^Stop my-llm .*\[Schedule stop\]/s)
    town.platform.console.stop('ep-llm')
    if (minutes > 0) await town.minutesPass(minutes)
    else await dora.presses('Schedule stop', ops)
    await dora.sees(/^Start my-llm until .*It’s stopped.*\[Start my-llm\]/s, ops)
    await town.calm()
    expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop'])
    await presses(dora, 'Start my-llm', /Started my-llm to run until/)
  },
)

test('An approved stop of a run that would now start its endpoint needs only a confirmation of the start', async () => {
  const { ana, ben } = await begin()
  const roles = 'roles: { operator: [everyone], approver: [user:U0BEN] }'
  await policyApplied(town, policyOf(`\n    matrix: { disruptive: { active: approval } }\n    ${roles}\n`))
  await asks(ana, 'start my-llm for 2h', 'Needs 1 approval from @ben')
  town.platform.console.stop('ep-llm')
  await presses(ben, 'Approve: Schedule stop', /^Start my-llm until .*@ana or any operator can confirm.*answer again/s)
  expect(town.slack.transcript('ops')).not.toContain('the policy asks for it')
  await presses(ana, 'Start my-llm', /Started my-llm to run until/)
})

test('A stop already scheduled and a question already waiting are not asked again', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm at 12:00', '[Schedule stop]')
  // A button shows no time, because it can't show it in the reader's zone.
  const again = 'This was already requested and is waiting for an answer. Nothing was done.'
  await asks(ana, 'stop my-llm at 12:00', new RegExp(`${again}[^[]+\\[Schedule stop\\]`))
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await asks(ana, 'stop my-llm at 12:00', /my-llm already stops to(day|morrow) at 12:00\./)
  await asks(ana, 'ask "Deploy v2?"', 'Approval of “Deploy v2?” Needs 1 approval from @ben.')
  await asks(ana, 'ask "Deploy v2?"', 'This was already requested and is waiting for an answer.')
})

test('The question about a planned stop expires at its time, and cannot be confirmed after it', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm at 5m', '[Schedule stop]')
  const button = await ana.remembers('Schedule stop', ops)
  await town.minutesPass(6)
  await ana.sees(/^🚫 Stop my-llm .+ expired after \d min without an answer\./, ops)
  await ana.pressesRaw(button)
  await ana.sees(/This request has ended\. .*without an answer/, ops)
})

test('A question asked while automation is paused does not show who paused it and why', async () => {
  const { ana } = await begin()
  await asks(ana, 'freeze reason="an incident"', 'Paused all automation')
  const question = await asks(ana, 'ask "Deploy v2?"', 'Needs 1 approval from @ben.')
  expect(question.text).not.toContain('an incident')
  await asks(ana, 'thaw', 'Resume all automation')
  expect(town.slack.transcript('ops')).toContain('@ana paused it: “an incident”.')
})

test('A button that cancels a request that has ended cancels no other', async () => {
  const { ana, ben } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await ben.types('ops', '/endpoint scale my-llm to 2')
  await ben.sees('[Cancel request: stop my-llm]', ops)
  await presses(ana, 'Leave it running', /cancelled/)
  await asks(ana, 'scale my-llm to 5', '[Scale my-llm]')
  await ben.presses('Cancel request: stop my-llm', ops)
  await ben.sees(/^This request has ended/, ops)
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('Scale my-llm to 5 cancelled')
})

test('`cancel` with a name means one’s own change under way rather than the question of another person', async () => {
  const { ana, dora } = await begin(slowly)
  await asks(ana, 'idle my-llm after 60m', '[Turn on idle stop]')
  await asks(dora, 'restart my-llm', '[Restart my-llm]')
  await presses(dora, 'Restart my-llm', 'Restarting')
  await dora.types('ops', '/endpoint cancel my-llm')
  await dora.sees('my-llm is already being restored, so there’s nothing left to cancel.', ops)
})

test.each(['protect prod', 'keep prod 2h', 'stop prod at 5h', 'idle prod after 60m'])(
  '%s is refused if another endpoint had the name a moment ago',
  async (line) => {
    const { ana } = await begin()
    await town.platform.add({ id: 'ep-blue', name: 'prod', active: true })
    await town.platform.add({ id: 'ep-green', name: 'prod-next', active: true })
    await asks(ana, 'status prod', 'running')
    town.platform.rename('ep-blue', 'prod-old')
    town.platform.rename('ep-green', 'prod')
    await ana.types('ops', `/endpoint ${line}`)
    await ana.sees(/The platform now calls that endpoint prod-old/, ops)
    await town.calm()
    expect(town.slack.transcript('ops')).not.toMatch(/(Protected|Paused|Stop|idle stop for) prod-old/)
  },
)

test('`cancel` with the name of an endpoint on which several requests wait never cancels another person’s', async () => {
  const { ana, ben, dora } = await begin(slowly)
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  await presses(ana, 'Restart my-llm', 'Restarting')
  await asks(ben, 'idle my-llm after 60m', '[Turn on idle stop]')
  await asks(ana, 'idle my-llm after 90m', /After 1 h 30 min/)
  await dora.types('ops', '/endpoint cancel my-llm')
  await dora.sees(/^Only the requester or an approver can cancel these:[^[]+$/, ops)
  await ben.types('ops', '/endpoint cancel my-llm')
  await ben.sees(/^🚫 Turn on idle stop for my-llm cancelled.*\n.*@ben/, ops)
})

test('`cancel` with a name asks which is meant if a change is under way and another person’s question waits', async () => {
  const { ana, ben, dora } = await begin(slowly)
  await asks(dora, 'start my-tts', 'Starting my-tts')
  await asks(ana, 'stop my-tts at 5h', '[Schedule stop]')
  await asks(ben, 'cancel my-tts', /^More than one request on “my-tts” is open.*\[Cancel request: start my-tts\]/s)
  await presses(ben, 'Cancel request: planning a stop of my-tts', /^🚫 Stop my-tts .+ cancelled by @ben/)
  await asks(dora, 'stop my-tts at 6h', '@dora or any operator can confirm')
  await asks(dora, 'cancel my-tts', /^More than one request on “my-tts” is open.*\[Cancel request: start my-tts\]/s)
  await asks(dora, 'cancel "stop my-tts"', /^Cancelled: Stop my-tts/)
})

test('`cancel` lists planned stops, each with a button that cancels it', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm at tomorrow 09:00', '[Schedule stop]')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await asks(ana, 'stop my-llm at tomorrow 10:00', '[Schedule stop]')
  await presses(ana, 'Schedule stop', /^✅ Scheduled a stop of my-llm .+ It stops before that/)
  await asks(ana, 'stop my-llm at tomorrow 10:00', 'my-llm already stops')
  const stop = String.raw`\s+stop once tomorrow at \S+\s+\[Cancel this stop\]`
  for (const line of ['cancel my-llm', 'cancel the stop of my-llm', 'call off the stop of my-llm'])
    await asks(ana, line, new RegExp(`^my-llm has no open request\\.${stop}${stop}$`))
  await presses(ana, 'Cancel this stop', /Removed: stop once tomorrow at/)
})
