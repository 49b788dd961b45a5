import { afterEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/platform/faults.ts'
import { callsOf, effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

/* Tests a restart's start on a platform whose status still shows our own stop for a while. */

let town: Town
afterEach(() => town.stop())

/* Time passes in steps, so a busy machine adds a delay; `resend.test.ts` checks the exact pauses. */
const soon = 90_000

const faults: readonly (readonly [string, Fault, least: number])[] = [
  ['dropped', { kind: 'drop-before' }, 5_000],
  ['answered by a 503', { kind: 'answer', status: 503, body: '<h1>503</h1>' }, 5_000],
  ['put off by a 503', { kind: 'answer', status: 503, retryAfter: '20' }, 20_000],
  ['put off by a 429', { kind: 'answer', status: 429, retryAfter: '2', body: { detail: 'Slow down' } }, 2_000],
]

test.each(faults)('A restart’s start that is %s is sent again until the endpoint runs', async (_, fault, least) => {
  town = await startTown({ platform: { stopDelayMs: 2_500 } })
  const planned = town.platform.faults.add('startEndpoint', fault, 1)
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint restart my-llm')
  await ana.presses('Restart my-llm', { in: 'ops' })
  await timePassesUntil(town, ana.sees('Restarted my-llm', { in: 'ops' }))
  expect(planned.hits()).toBe(1)
  expect(effects(town)).toEqual(['stop', 'start'])
  const [first = 0, second = 0, ...more] = callsOf(town, 'startEndpoint')
  expect(second - first).toBeGreaterThanOrEqual(least)
  expect(second - first).toBeLessThan(soon)
  expect(more).toEqual([])
  expect(town.slack.transcript('ops')).not.toContain('<h1>')
})

test.each([
  ['restart my-llm', 'Restart my-llm', 500],
  ['restart my-llm', 'Restart my-llm', 403],
  ['patch my-llm port=9000', 'Patch my-llm', 500],
] as const)(
  '%s starts the endpoint again if it can’t be read after the stop (%s, %s), and says so',
  async (line, button, status) => {
    town = await startTown({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', `/endpoint ${line}`)
    let isStopped = false
    town.platform.onCall(({ operation, when }) => {
      if (operation !== 'stopEndpoint' || when !== 'before answering' || isStopped) return
      isStopped = true
      town.platform.onCall((next) => {
        if (next.operation === 'getEndpointStatus' && next.when === 'before answering' && effects(town).length === 1)
          town.platform.faults.add('getEndpointStatus', { kind: 'answer', status, body: { detail: 'oops' } })
      })
    })
    await ana.presses(button, { in: 'ops' })
    await timePassesUntil(town, ana.sees(/⚠️/, { in: 'ops' }))
    expect(effects(town).slice(0, 2)).toEqual(['stop', 'start'])
  },
)

test('One failed read long after the stop does not give up a patch', async () => {
  town = await startTown()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm port=9000')
  let reads = 0
  let read = () => {}
  const late = new Promise<void>((resolve) => {
    read = resolve
  })
  town.platform.onCall(async ({ operation, when }) => {
    if (operation !== 'getEndpointStatus' || when !== 'before acting' || effects(town).length !== 1) return
    reads += 1
    if (reads === 1)
      town.platform.faults.add('getEndpointStatus', { kind: 'answer', status: 500, body: { detail: 'oops' } }, 1)
    if (reads === 2) await late
  })
  await ana.presses('Patch my-llm', { in: 'ops' })
  await expect.poll(() => reads).toBe(2)
  await town.minutesPass(2)
  read()
  await timePassesUntil(town, ana.sees(/^(?:Patched|⚠️|❌)/, { in: 'ops' }), 1 / 12)
  expect(effects(town)).toEqual(['stop', 'patch', 'start'])
})

describe('A stop takes over while the start that puts back is loading', () => {
  /** ana’s line stops my-llm and starts it again; ben stops it once that start is answered. Returns what #ops reads. */
  async function takenOver(line: string, press: string): Promise<string> {
    town = await startTown({ platform: { startDelayMs: 600_000 } })
    const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
    if (line.includes('port=1')) town.platform.faults.add('patchEndpoint', refused, 1)
    await asks(ana, line, `[${press}]`)
    await ana.presses(press, ops)
    await timePassesUntil(town, ana.sees('waiting until it serves', ops))
    await asks(ben, 'stop my-llm', '[Stop my-llm]')
    await presses(ben, 'Stop my-llm', '✅ Stopped my-llm')
    await town.calm()
    return town.slack.transcript('ops')
  }
  const refused = { kind: 'answer', status: 400, body: { detail: 'This port is reserved.' } } as const

  test('of a restart', async () => {
    const told = await takenOver('restart my-llm', 'Restart my-llm')
    expect(told).toContain('Restart my-llm: its result wasn’t checked. Another request took over: Stop my-llm.')
  })

  test('of a patch, which says that the settings were changed', async () => {
    const told = await takenOver('patch my-llm port=9000', 'Patch my-llm')
    expect(told).toContain('took over: Stop my-llm. The settings were changed.')
  })

  test('of a refused patch, which says why', async () => {
    const told = await takenOver('patch my-llm port=1', 'Patch my-llm')
    expect(told).toMatch(/This port is reserved\..*Another request took over: Stop my-llm\./s)
  })
})
