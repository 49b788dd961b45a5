import type { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { asks } from '../support/ops.ts'
import { startProxy } from '../support/proxy.ts'
import { follow, startCluster, startPair, startWatched } from '../support/replicas.ts'
import { startTown, type Town } from '../support/town.ts'

const none = 'there is no real Redis on this machine'

async function townAt(redisUrl: string): Promise<Town> {
  // With realistic pacing the town itself sends nothing to the storage, which is about to fail over.
  const town = await startTown({ redisUrl, slack: { paceRealistically: true }, env: { PLATFORM_TIMEOUT_MS: '500' } })
  onTestFinished(() => town.stop())
  return town
}

/** ana requests a stop, the storage fails over, and commands and presses work again within seconds. */
async function outlives(town: Town, failsOver: () => Promise<unknown>): Promise<void> {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await failsOver()

  const heard: string[] = []
  async function tries(): Promise<string> {
    const said = await ana.types('ops', '/endpoint start my-tts')
    heard.push(said)
    return said
  }
  // A Sentinel whose clock stood still for 2 s, as on a busy machine, does nothing for 30 s (its TILT mode).
  await expect.poll(tries, { timeout: 90_000, interval: 250 }).toBe('')
  const refusals = heard
    .slice(0, -1)
    .filter(
      (said) => !/^Nothing was done\. |^I’m not sure this was stored|^Stored, but no worker is running/.test(said),
    )
  expect(refusals).toEqual([])
  await ana.sees('Started my-tts', { in: 'ops' })
  // A Sentinel's late news can drop every connection once more, so the press is repeated.
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  async function presses(): Promise<boolean> {
    await ana.pressesRaw(button)
    return ana.sees('Stopped my-llm.', { in: 'ops', timeoutMs: 1_000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(presses, { interval: 250 }).toBe(true)
  expect(town.platform.calls().filter(({ operation }) => operation === 'stopEndpoint')).toHaveLength(1)
}

/** Waits for the replica: data that it lacks would count as lost, which blocks all changes. */
async function replicated(master: Redis): Promise<void> {
  await master.set('last', 'written')
  expect(await master.wait(1, 30_000)).toBe(1)
}

test('The bot recovers from a failover behind one address that keeps connections open', async ({ skip }) => {
  const pair = await startPair()
  if (pair === null) return skip(none)
  const [master, replica] = pair
  onTestFinished(async () => void (await Promise.all([master.stop(), replica.stop()])))
  const wire = await startProxy(master.port)
  onTestFinished(wire.stop)
  const town = await townAt(`redis://127.0.0.1:${wire.port}`)
  await outlives(town, async () => {
    await replicated(master.redis)
    await replica.redis.replicaof('NO', 'ONE')
    wire.point(replica.port)
    await follow(master, replica)
  })
})

test('Bot and worker follow a Sentinel to the next master when the old one is killed', async ({ skip }) => {
  const watched = await startWatched()
  if (watched === null) return skip(none)
  onTestFinished(() => watched.stop())
  const town = await townAt(watched.url)
  await outlives(town, async () => {
    await replicated(watched.master.redis)
    await watched.master.server.kill()
  })
})

test('A start and a stop work on a cluster of three nodes', async ({ skip }) => {
  const cluster = await startCluster()
  if (cluster === null) return skip(none)
  onTestFinished(() => cluster.stop())
  await outlives(await townAt(cluster.url), async () => undefined)
})
