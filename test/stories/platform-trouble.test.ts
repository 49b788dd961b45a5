import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { callsOf, effects, over, theEnd } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

const myLlm = { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 }
let town: Town
afterEach(() => town.stop())

async function begin(options: TownOptions = {}): Promise<void> {
  town = await startTown(options)
}

/** Requests a start and lets time pass until its outcome is shown. */
async function start(minutes?: number): Promise<string> {
  await town.slack.as('U0ANA').types('ops', '/endpoint start my-tts')
  return ended(minutes)
}

async function ended(minutes?: number): Promise<string> {
  await timePassesUntil(town, town.slack.as('U0ANA').sees(over, { in: 'ops' }), minutes)
  await timePassesUntil(town, town.calm())
  return theEnd(town)
}

test('Reads that lag behind a start are not taken for a stop by somebody else', async () => {
  await begin()
  const stale = town.platform.faults.add('startEndpoint', { kind: 'stale', ms: 8_000 }, 1)
  expect(await start()).toBe('Started my-tts; it’s serving.')
  expect(stale.hits()).toBe(1)
  expect(callsOf(town, 'startEndpoint')).toHaveLength(1)
})

test('A slow read that shows the state before a start is not taken for a stop by somebody else', async () => {
  await begin()
  town.platform.faults.add('startEndpoint', { kind: 'stale', ms: 8_000 }, 1)
  const stopListening = town.platform.onCall(async ({ operation, when }) => {
    if (operation !== 'getEndpointStatus' || when !== 'before answering') return
    if (callsOf(town, 'startEndpoint').length === 0) return
    stopListening()
    // The start below lets time pass.
    for (const until = town.clock.now() + 12_000; town.clock.now() < until; ) await wait(10)
  })
  expect(await start()).toBe('Started my-tts; it’s serving.')
})

test('An endpoint that somebody else stops during its start ends as failed and is not started again', async () => {
  await begin({ platform: { startDelayMs: 60_000 } })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
  town.platform.console.stop('ep-tts')
  expect(await ended()).toBe('Someone else stopped my-tts in the meantime. It’s stopped.')
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('A platform that gives no status lets a start say “started”, not “serving”', async () => {
  await begin()
  const fault = town.platform.faults.add('getEndpointStatus', { kind: 'without', field: 'status' })
  expect(await start()).toBe('Started my-tts.')
  expect(fault.hits()).toBeGreaterThan(0)
})

test('A 200 response with an error about the replicas is enough for a stop, but not to plan a start', async () => {
  await begin()
  const fault = town.platform.faults.add('getEndpointStatus', { kind: 'problem' })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await timePassesUntil(town, ana.sees(/nothing was done\. “Upstream timeout: .+ in time/, { in: 'ops' }))
  expect(fault.hits()).toBe(4)
  await ana.types('ops', '/endpoint restart my-llm')
  await timePassesUntil(town, ana.sees('I couldn’t read this from the platform', { in: 'ops' }))
  expect(town.platform.changes()).toEqual([])

  await asks(ana, 'protect my-tts', 'Protected my-tts')
  // A stop needs only whether the endpoint runs.
  await asks(ana, 'stop my-llm', 'Stop my-llm? It’s running. I couldn’t read its replicas: “Upstream timeout')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  await asks(ana, 'stop my-llm', 'my-llm is already stopped.')
  expect(effects(town)).toEqual(['stop'])
})

test('A request that cannot be read again before its call says what was not done', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', 'Stop my-llm?')
  town.platform.faults.add('*', { kind: 'answer', status: 503 })
  await ana.presses('Stop my-llm', { in: 'ops' })
  const says = 'Stop my-llm: failed. I couldn’t read this from the platform, so nothing was done.'
  await timePassesUntil(town, ana.sees(says, { in: 'ops' }))
  expect(town.platform.changes()).toEqual([])
})

test('A restart’s start is sent even if the replicas can’t be read after the stop', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  const forget = town.platform.onCall(({ when, operation }) => {
    if (when === 'before acting' && operation === 'stopEndpoint')
      town.platform.faults.add('getEndpointStatus', { kind: 'problem' }, 3)
  })
  await ana.presses('Restart my-llm', { in: 'ops' })
  await timePassesUntil(town, ana.sees('Restarted my-llm', { in: 'ops' }))
  forget()
  expect(effects(town)).toEqual(['stop', 'start'])
})

test('A 200 response with an error proves nothing about a lost call', async () => {
  await begin()
  const lost = town.platform.faults.add('startEndpoint', { kind: 'drop-before' }, 1)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'checking whether it went through')
  const fault = town.platform.faults.add('getEndpointStatus', { kind: 'problem' })
  for (let look = 1; look <= 5; look += 1) {
    await town.minutesPass(1)
    await expect.poll(() => fault.hits()).toBeGreaterThanOrEqual(look)
  }
  expect(callsOf(town, 'startEndpoint')).toHaveLength(1)
  fault.clear()
  expect(await ended()).toContain('Started my-tts')
  expect([lost.hits(), fault.hits() > 0]).toEqual([1, true])
})

test('An unreachable platform is retried for some seconds before anything is sent', async () => {
  await begin({ wired: true })
  await town.wires.platform.cut()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await wait(300)
  await town.wires.platform.pass()
  expect(await ended()).toContain('Started my-tts')
  expect(effects(town)).toEqual(['start'])
})

test('A platform that stays unreachable ends the request privately, with nothing done', async () => {
  await begin({ wired: true })
  await town.wires.platform.cut()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  const seen = await timePassesUntil(
    town,
    ana.sees(
      /I couldn’t read this from the platform, so nothing was done\. The platform can’t be reached at .* \(ECONNREFUSED\)/,
      {
        in: 'ops',
      },
    ),
  )
  expect(seen.ephemeralTo).toBe('U0ANA')
  expect(town.platform.calls()).toEqual([])
})

test('A call that could not be sent is made again after a short pause', async () => {
  await begin({ wired: true })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await town.minutesPass(2)
  // Roles are looked up again right before the call.
  const stopListening = town.slack.onCall(async ({ method, args }, moment) => {
    if (method === 'users.info' && args['user'] === 'U0ANA' && moment === 'before') await town.wires.platform.cut()
  })
  await town.slack.as('U0BEN').presses('Stop my-llm', { in: 'ops' })
  await ana.sees('The platform didn’t accept the call: “The platform can’t be reached', { in: 'ops' })
  stopListening()
  expect(callsOf(town, 'stopEndpoint')).toEqual([])
  await town.wires.platform.pass()
  // The platform's calls are timed by this clock.
  const asked = town.clock.now()
  await timePassesUntil(town, ana.sees('Stopped my-llm.', { in: 'ops' }))
  expect(callsOf(town, 'stopEndpoint')[0]! - asked).toBeLessThan(60_000)
  expect(effects(town)).toEqual(['stop'])
})

test('An endpoint that doesn’t serve within 15 minutes is left to people, with its last state', async () => {
  await begin({ platform: { startDelayMs: 3_600_000 } })
  expect(await start(1)).toBe(
    'The platform didn’t finish with my-tts within 15 minutes. It’s starting. Check its logs.',
  )
})

test.each([
  ['can’t be read', 'startEndpoint'],
  ['is read once, and then no more,', 'getEndpointStatus'],
])('A start whose effect %s for 15 minutes is not said to be slow', async (_, last) => {
  await begin({ platform: { startDelayMs: 60_000 } })
  let isSent = false
  const stopListening = town.platform.onCall(({ operation, when }) => {
    if (when !== 'before answering') return
    isSent ||= operation === 'startEndpoint'
    if (!isSent || operation !== last) return
    stopListening()
    town.platform.faults.add('getEndpointStatus', { kind: 'answer', status: 502 })
  })
  expect(await start(0.5)).toBe(
    'I can’t tell what happened to my-tts, because its state can’t be read. Check it on the platform.',
  )
  expect(effects(town)).toEqual(['start'])
})

test('An endpoint that is deleted during its start is reported as gone', async () => {
  await begin({ platform: { startDelayMs: 60_000 } })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
  town.platform.remove('ep-tts')
  expect(await ended()).toBe('my-tts no longer exists.')
})

test('A malformed list is not searched for a name', async () => {
  await begin()
  const fault = town.platform.faults.add('listEndpoints', { kind: 'answer', status: 200, body: { items: 'none' } })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await timePassesUntil(
    town,
    ana.sees('I couldn’t read this from the platform, so nothing was done. The platform', { in: 'ops' }),
  )
  expect(fault.hits()).toBe(4)
  expect(town.platform.changes()).toEqual([])
})

test('Reads that failed before a question do not count after it', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  const oops = { kind: 'answer', status: 503, body: { detail: 'oops' } } as const
  town.platform.faults.add('getEndpointStatus', oops, 3)
  await ana.types('ops', '/endpoint stop my-llm')
  await timePassesUntil(town, ana.sees('[Stop my-llm]', { in: 'ops' }))
  town.platform.faults.add('getEndpointStatus', oops, 1)
  await ana.presses('Stop my-llm', { in: 'ops' })
  await timePassesUntil(town, ana.sees(/^Stopped my-llm/, { in: 'ops' }))
  expect(effects(town)).toEqual(['stop'])
})

test('A read that the platform puts off is made again after the time that it asks for', async () => {
  await begin()
  const slow = { kind: 'answer', status: 429, retryAfter: '15', body: { detail: 'Slow down' } } as const
  const planned = town.platform.faults.add('getEndpointStatus', slow, 1)
  expect(await start()).toContain('Started my-tts')
  expect(planned.hits()).toBe(1)
  const [first = 0, second = 0] = callsOf(town, 'getEndpointStatus')
  expect(second - first).toBeGreaterThanOrEqual(15_000)
})

test('A confirmed stop never stops another endpoint, even if a read answers with that one', async () => {
  const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    endpoints:
      - match: [my-tts]
        matrix: { disruptive: { active: nothing } }
`)
  await begin({ policy, endpoints: [myLlm, { id: 'ep-tts', name: 'my-tts', active: true, replicas: 1 }] })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  const other = { endpoint_id: 'ep-tts', name: 'my-tts', is_active: true, status: 'RUNNING', num_replicas: 1 }
  const mixedUp = town.platform.faults.add('getEndpointStatus', { kind: 'answer', status: 200, body: other }, 1)
  await ana.presses('Stop my-llm', { in: 'ops' })
  await timePassesUntil(town, ana.sees(/^Stopped my-llm/, { in: 'ops' }))
  expect(mixedUp.hits()).toBe(1)
  expect(town.platform.changes().map(({ endpointId }) => endpointId)).toEqual(['ep-llm'])
})

test.each([
  ['left out', {}, '[Approve: Stop my-llm]'],
  ['of another type', { tags: [{ name: 'prod' }] }, 'I couldn’t read this from the platform, so nothing was done.'],
])('An endpoint protected by its tag stays protected while its tags are %s', async (_, tags, seen) => {
  const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN] }
    endpoints: [{ match: ["tag:prod"], protected: true }]
`)
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  await begin({ policy, env, endpoints: [{ ...myLlm, tags: ['prod'] }] })
  const body = { endpoint_id: 'ep-llm', name: 'my-llm', is_active: true, status: 'RUNNING', num_replicas: 3, ...tags }
  town.platform.faults.add('getEndpointStatus', { kind: 'answer', status: 200, body })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await timePassesUntil(town, ana.sees(seen, { in: 'ops' }))
  expect(town.slack.transcript('ops')).not.toMatch(/^ *\[Stop my-llm\]/m)
})
