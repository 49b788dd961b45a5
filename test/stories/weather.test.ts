import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFailed, test } from 'vitest'
import type { Fault as PlatformFault } from '../../sandbox/platform/faults.ts'
import type { Fault as SlackFault } from '../../sandbox/slack/faults.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { effects, theEnd } from '../support/ends.ts'
import { type Part, startTown, type Town } from '../support/town.ts'

/*
 * Random faults of the platform and of Slack, storage that comes and goes, workers that are replaced. There must be
 * one true outcome and at most one effect. The other stories make sure that each fault can strike. To run more
 * seeds, or one again:
 *   SEED=1000 SEEDS=100 npx vitest run test/stories/weather.test.ts
 */

const first = Number(process.env['SEED'] ?? 1)
const seeds = Array.from({ length: Number(process.env['SEEDS'] ?? 12) }, (_, at) => first + at)

const platformFaults: readonly PlatformFault[] = [
  { kind: 'answer', status: 500, body: 'no GPU' },
  { kind: 'answer', status: 503 },
  { kind: 'answer', status: 429 },
  { kind: 'hang' },
  { kind: 'drop-before' },
  { kind: 'late', ms: 50_000 },
  { kind: 'answer-after', status: 500 },
  { kind: 'hang-after' },
  { kind: 'drop-after' },
  { kind: 'half' },
  { kind: 'stale', ms: 5_000 },
  { kind: 'delay', ms: 150 },
  { kind: 'delay-after', ms: 150 },
  { kind: 'contradict' },
  { kind: 'problem' },
  { kind: 'without', field: 'is_active' },
]
const slackFaults: readonly SlackFault[] = [
  { kind: 'error', error: 'internal_error' },
  { kind: 'error', error: 'ratelimited' },
  { kind: 'rate-limited', retryAfterS: 5 },
  { kind: 'status', status: 500 },
  { kind: 'status-after', status: 502 },
  { kind: 'drop-before' },
  { kind: 'drop-after' },
  { kind: 'delay', ms: 300 },
]
const slackMethods = ['chat.postMessage', 'chat.update', 'conversations.history', 'conversations.replies']

const orders = [
  { verb: 'start', name: 'my-tts', operation: 'startEndpoint' },
  { verb: 'stop', name: 'my-llm', operation: 'stopEndpoint' },
] as const
type Order = (typeof orders)[number]

test.each(seeds)('Random faults (seed %i) leave one true outcome', async (seed) => {
  const dice = diceOf(seed)
  const order = dice.pick(orders)
  const town = await startTown({
    wired: true,
    roles: ['bot'],
    env: { PLATFORM_TIMEOUT_MS: '300' },
    platform: { startDelayMs: dice.pick([0, 0, 40_000]) },
  })
  onTestFailed(() =>
    console.log(`seed ${seed}\n${town.slack.transcript('ops')}\n${effects(town).join()}\n${town.log()}`),
  )
  try {
    plan(town, order, dice)
    await live(town, order, dice)
    judge(town, order)
  } finally {
    await town.stop()
  }
})

function plan({ platform, slack }: Town, { operation }: Order, { next, pick }: Dice): void {
  for (let left = Math.floor(next() * 4); left > 0; left -= 1) {
    const where = pick([operation, operation, 'getEndpointStatus', 'listEndpoints'] as const)
    platform.faults.add(where, pick(platformFaults), pick([1, 1, 2, 3]))
  }
  for (let left = Math.floor(next() * 4); left > 0; left -= 1)
    slack.fault(pick(slackMethods), pick(slackFaults), pick([1, 1, 2]))
}

/** Requests the change, confirms it, and goes on until the outcome is known and everything is at rest. */
async function live(town: Town, { verb, name }: Order, dice: Dice): Promise<void> {
  const workers = [await town.begin('worker')]
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', `/endpoint ${verb} ${name}`)
  while (!isOver(town)) {
    await wait(20 + dice.next() * 40)
    await strike(town, workers, dice.next())
    if (town.slack.transcript('ops').includes('[Stop my-llm]')) {
      await ana.presses('Stop my-llm', { in: 'ops', timeoutMs: 200 }).catch(() => undefined)
    }
  }
  await wait(300)
  await town.calm()
}

async function strike({ wires, ...town }: Town, workers: Part[], dice: number): Promise<void> {
  if (dice < 0.05) wires.redis.reset()
  else if (dice < 0.07) wires.platform.reset()
  else if (dice < 0.09) {
    await wires.redis.cut()
    await wait(dice * 4_000)
    await wires.redis.pass()
  } else if (dice < 0.12) {
    workers.push(await town.begin('worker'))
    await workers.shift()?.stop()
  } else await town.minutesPass(0.1)
}

function isOver({ slack }: Town): boolean {
  return /^App: (?:✅|❌|🚫|⚠️) |I could not|I couldn’t|I cannot|already\.|othing was done/m.test(
    slack.transcript('ops'),
  )
}

function judge(town: Town, { verb, name }: Order): void {
  const isTold = /^App: (?:✅|❌|🚫|⚠️) /m.test(town.slack.transcript('ops'))
  const end = isTold ? theEnd(town) : 'Could not, and told so privately'
  const active = town.platform.endpoints().find((endpoint) => endpoint.name === name)?.active
  expect(effects(town).length).toBeLessThanOrEqual(1)
  if (/^(?:Started|Stopped)/.test(end)) expect([effects(town), active]).toEqual([[verb], verb === 'start'])
  if (end.startsWith('Could not')) expect(effects(town)).toEqual([])
}
