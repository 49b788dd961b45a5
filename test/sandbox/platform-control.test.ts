import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'

let sandbox: PlatformSandbox
beforeEach(async () => {
  sandbox = await startPlatform({ endpoints: [{ id: 'quiet', name: 'Quiet' }], listeningReplicas: false })
})
afterEach(() => sandbox.stop())

describe('The sandbox', () => {
  test('leaves nothing behind when it stops, not even calls that hang', async () => {
    const one = await startPlatform({ endpoints: [{ id: 'a', name: 'A', active: true, replicas: 3 }] })
    const [replica] = await one.replicas('a')
    one.faults.add('getMe', { kind: 'hang' })
    one.faults.add('listEndpoints', { kind: 'delay', ms: 60_000 })
    const hanging = Promise.allSettled([fetch(`${one.url}/me`), fetch(`${one.url}/endpoints`)])
    await expect.poll(() => one.calls().length).toBe(2)
    await one.stop()
    expect((await hanging).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(fetch(`${one.url}/me`)).rejects.toThrow()
    await expect(fetch(`${replica?.url}/health`)).rejects.toThrow()
  })

  test('reports that its port is taken', async () => {
    const port = Number(new URL(sandbox.url).port)
    await expect(startPlatform({ port })).rejects.toThrow(/EADDRINUSE/)
  })

  test('refuses controls of an unknown endpoint, and a second endpoint with the same id', async () => {
    expect(() => sandbox.rename('nobody', 'x')).toThrow('There is no endpoint nobody in the sandbox.')
    await expect(sandbox.add({ id: 'quiet', name: 'x' })).rejects.toThrow('There is an endpoint quiet already.')
  })
})
