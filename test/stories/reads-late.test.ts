import { afterEach, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

/* What the platform's reads show late, or not at all. */

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions) {
  town = await startTown({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }, ...options })
  return town.slack.as('U0ANA')
}

test.each(['three replicas', 'autoscaling'])(
  'A restart with %s whose stop shows late is started again',
  async (how) => {
    const autoscaled = how === 'autoscaling'
    const ana = await begin({ endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, autoscaled }] })
    const late = town.platform.faults.add('stopEndpoint', { kind: 'stale', ms: 30_000 }, 1)
    await asks(ana, 'restart my-llm', '[Restart my-llm]')
    await ana.presses('Restart my-llm', ops)
    await timePassesUntil(town, ana.sees(/^Restarted my-llm/, ops), 0.05)
    expect(late.hits()).toBe(1)
    expect(effects(town)).toEqual(['stop', 'start'])
  },
)

test('Replicas that somebody sets twice in a row end a scale before it takes too long', async () => {
  const ana = await begin({ platform: { startDelayMs: 600_000 } })
  const reads = () => town.platform.calls().filter(({ operation }) => operation === 'getEndpointStatus').length
  await asks(ana, 'scale my-llm to 5', '[Scale my-llm]')
  await presses(ana, 'Scale my-llm', 'Scaling my-llm to 5… 3 of 5 replicas running')
  await town.minutesPass(0.5)
  await timePassesUntil(town, expect.poll(reads).toBeGreaterThan(reads() + 2), 0.05)
  town.platform.console.scale('ep-llm', 4)
  await timePassesUntil(town, expect.poll(reads).toBe(reads() + 1), 0.05)
  town.platform.console.scale('ep-llm', 2)
  await timePassesUntil(town, ana.sees(/Someone else changed it|didn’t finish/, ops), 0.05)
  expect(town.slack.transcript('ops')).not.toContain('didn’t finish')
})

test('undo does not remove a setting that an earlier answer left out', async () => {
  const ana = await begin()
  await asks(ana, 'patch my-tts port=9000', 'Patched my-tts (port 9000)')
  town.platform.faults.add('patchEndpoint', { kind: 'without', field: 'container_port' }, 1)
  await asks(ana, 'patch my-tts port=9001', 'Patched my-tts (port 9001)')
  await asks(ana, 'patch my-tts port=8000', 'Patched my-tts (port 8000)')
  await asks(ana, 'undo my-tts', 'I can’t undo “Patch my-tts (port 8000)”')
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-tts')?.settings.container_port).toBe(8000)
})

test('undo does not remove a setting that the answer to a patch of another one left out', async () => {
  const ana = await begin()
  await asks(ana, 'patch my-tts health=/ok', 'Patched my-tts (health check path /ok)')
  const without = { kind: 'without', field: 'container_health_check_path' } as const
  const left = town.platform.faults.add('patchEndpoint', without, 1)
  await asks(ana, 'patch my-tts port=9000', 'Patched my-tts (port 9000)')
  await asks(ana, 'patch my-tts health=/new', 'Patched my-tts (health check path /new)')
  await asks(ana, 'undo my-tts', 'I can’t undo “Patch my-tts (health check path /new)”')
  expect(left.hits()).toBe(1)
  const tts = town.platform.endpoints().find(({ id }) => id === 'ep-tts')
  expect(tts?.settings.container_health_check_path).toBe('/new')
})

test.each([
  ['after the start', null],
  ['after a start that got no answer', { kind: 'drop-before' }],
] as const)('A restart waits for an endpoint that one read does not find %s', async (_, lost) => {
  const ana = await begin({ platform: { startDelayMs: 20_000, mostAfterStart: 1 } })
  const gone = { kind: 'answer', status: 404, body: { detail: 'Not found' } } as const
  if (lost !== null) town.platform.faults.add('startEndpoint', lost, 1)
  const missed: { hits(): number }[] = []
  town.platform.onCall(({ operation, when }) => {
    const isStart = operation === 'startEndpoint' && when === (lost === null ? 'before answering' : 'before acting')
    if (isStart && missed.length === 0) missed.push(town.platform.faults.add('getEndpointStatus', gone, 1))
  })
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  await ana.presses('Restart my-llm', ops)
  await timePassesUntil(town, ana.sees(/^Restarted my-llm/, ops), 0.05)
  expect(missed.map((one) => one.hits())).toEqual([1])
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')).toMatchObject({ active: true, replicas: 3 })
})

test('A restart whose reads fail for a minute before the start goes on after one that does not find the endpoint', async () => {
  const ana = await begin({ platform: { startDelayMs: 20_000 } })
  const missing = { kind: 'answer', status: 404, body: { detail: 'Not found' } } as const
  const missed: { hits(): number }[] = []
  const failing = { kind: 'answer', status: 503, body: { detail: 'Unavailable' } } as const
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  await ana.presses('Restart my-llm', ops)
  town.platform.onCall(({ operation, when }) => {
    if (operation !== 'stopEndpoint' || when !== 'before acting') return
    const from = town.clock.now()
    town.platform.onCall((read) => {
      if (read.operation !== 'getEndpointStatus' || read.when !== 'before acting' || missed.length > 0) return
      const isLate = town.clock.now() - from > 62_000
      const fault = town.platform.faults.add('getEndpointStatus', isLate ? missing : failing, 1)
      if (isLate) missed.push(fault)
    })
  })
  await timePassesUntil(town, ana.sees(/^Restarted my-llm/, ops), 0.05)
  expect(missed.map((one) => one.hits())).toEqual([1])
  expect(effects(town)).toEqual(['stop', 'start'])
})
