import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../sandbox/redis/port.ts'
import { buildProduct, launchChild, startChild } from '../support/child.ts'
import type { Ops } from '../support/metered.ts'
import { startNode } from '../support/replicas.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

async function begin(options: TownOptions = {}): Promise<Town> {
  const town = await startTown({ roles: [], ...options })
  onTestFinished(() => town.stop())
  return town
}

async function readiness({ port }: Pick<Ops, 'port'>): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  const found = (await answer.json()) as { readonly ready: boolean }
  expect(found.ready).toBe(answer.status === 200)
  return found
}

const well = { ok: true }

test('Bot and worker report that they are ready', async () => {
  const town = await begin()
  const [bot, worker] = [await town.opens('bot'), await town.opens('worker')]
  await town.begin('worker', worker)
  await town.begin('bot', bot)
  await expect.poll(() => readiness(worker)).toEqual({ ready: true, checks: { storage: well, key: well, rules: well } })
  expect(await readiness(bot)).toEqual({ ready: true, checks: { storage: well, slack: well, workers: well } })
})

test('A bot that takes deliveries over HTTP is ready and says so on its own port', async () => {
  const [port, secret] = [await freePort(), 'a-secret-of-this-test-only-0123456789']
  const town = await begin({
    wired: true,
    slack: { mode: 'http', signingSecret: secret, requestUrl: `http://127.0.0.1:${port}/slack/events` },
    env: { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: secret, PORT: String(port) },
  })
  const bot = await town.opens('bot')
  await town.begin('bot', bot)
  const healthz = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status
  expect(await readiness(bot)).toMatchObject({ ready: true, checks: { slack: well } })
  expect(await healthz()).toBe(200)
  await town.wires.redis.cut()
  await expect.poll(healthz).toBe(503)
  expect(await readiness(bot)).toMatchObject({ ready: false, checks: { slack: well, storage: { ok: false } } })
  await town.wires.redis.pass()
  await expect.poll(healthz).toBe(200)
})

test('A process that waits for Redis at its start is alive but not ready', async () => {
  await buildProduct()
  const town = await begin({ wired: true })
  await town.wires.redis.cut()
  const port = await freePort()
  const child = launchChild(town, 'all', { LAMPLIGHTER_OPS_PORT: String(port) })
  onTestFinished(() => child.stop())
  await expect
    .poll(() => readiness({ port }).catch(() => null))
    .toMatchObject({
      ready: false,
      checks: {
        storage: { ok: false, why: expect.stringMatching(/^Waiting for Redis: .*ECONNREFUSED/) },
        key: { ok: null },
      },
    })
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
  await town.wires.redis.pass()
  await expect.poll(() => readiness({ port })).toMatchObject({ ready: true })
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  for (const name of ['lamplighter_queue_depth', 'process_cpu_seconds_total']) expect(metrics).toContain(`\n${name}`)
  child.signal('SIGTERM')
  expect(await child.gone).toBe(0)
  expect(child.log()).not.toContain('a check fails')
})

test('A process says in its log when it cannot write any more and when it can again, also without a port', async (context) => {
  await buildProduct()
  const node = await startNode()
  if (node === null) return context.skip('there is no real Redis on this machine')
  onTestFinished(() => node.stop())
  const town = await begin({ redisUrl: node.server.url })
  const child = await startChild(town, 'all')
  onTestFinished(() => child.stop())
  const redis = new Redis(node.server.url)
  onTestFinished(() => redis.disconnect())
  const says = () =>
    child
      .log()
      .split('\n')
      .filter((line) => line.includes('"check":'))
  await redis.config('SET', 'maxmemory', '1')
  await expect
    .poll(says)
    .toEqual([expect.stringMatching(/"check":"storage","why":"My storage is full.*"a check fails"/)])
  await redis.config('SET', 'maxmemory', '0')
  await expect.poll(says).toHaveLength(2)
  expect(says()[1]).toMatch(/"check":"storage","msg":"a check passes again"/)
})
