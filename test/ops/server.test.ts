import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../sandbox/redis/port.ts'
import { type OpsOptions, startOps } from '../../src/ops/metrics.ts'
import { createReadiness, needsOf } from '../../src/ops/readiness.ts'
import type { Ops } from '../support/metered.ts'

async function opened(options: Partial<OpsOptions> = {}): Promise<Ops> {
  const log = { info: () => undefined }
  const readiness = createReadiness(needsOf.bot, [])
  const ops = await startOps({ host: '127.0.0.1', port: 0, readiness, log, ...options })
  onTestFinished(() => ops.stop())
  return ops
}

function ask({ port }: Pick<Ops, 'port'>, path: string, method = 'GET'): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { method })
}

test('a process is live as soon as it answers, and ready later', async () => {
  const ops = await opened()
  const alive = await ask(ops, '/livez')
  expect([alive.status, await alive.json()]).toEqual([200, { live: true }])
  expect((await ask(ops, '/readyz')).status).toBe(503)
  for (const need of ['storage', 'slack', 'workers'] as const) ops.meter.probe(need, () => null)
  const ready = await ask(ops, '/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { ready: true, checks: { storage: { ok: true }, slack: { ok: true }, workers: { ok: true } } },
  ])
})

test.each([
  ['GET', '/', 404],
  ['GET', '/healthz', 404],
  ['POST', '/livez', 405],
  ['HEAD', '/livez', 200],
  ['GET', '/livez?a=b', 200],
])('%s %s is a %i', async (method, path, status) => {
  expect((await ask(await opened(), path, method)).status).toBe(status)
})

test('a port that is taken fails the start and names the variable', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(opened({ port })).rejects.toThrow(
    `Port ${port} is taken. End what listens there, or set another LAMPLIGHTER_OPS_PORT.`,
  )
})

test('an address that this machine does not have fails the start', async () => {
  const port = await freePort()
  for (const host of ['203.0.113.1', 'no such host'])
    await expect(opened({ host, port })).rejects.toThrow(
      `This machine has no address ${host}, so nothing can listen there. Set another LAMPLIGHTER_OPS_HOST.`,
    )
})
