import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { remoteControl } from '../../sandbox/platform/remote.ts'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'

let sandbox: PlatformSandbox
beforeEach(async () => {
  sandbox = await startPlatform({ endpoints: [{ id: 'quiet', name: 'Quiet' }], listeningReplicas: false })
})
afterEach(() => sandbox.stop())

describe('The controls from another process', () => {
  test('do the same as the local ones', async () => {
    const remote = remoteControl(sandbox.controlUrl, sandbox.controlToken)
    expect(await remote.add({ id: 'new', name: 'New', active: true })).toBe('new')
    await remote.rename('new', 'Newer')
    await remote.consoleStart('quiet')
    await remote.consoleStop('new')
    await remote.remove('new')
    await remote.fate('quiet', 'unhealthy')
    await remote.traffic('quiet', { running: 1 })
    await remote.log('quiet', 'a line')
    await remote.scrapes('quiet', 'hangs')
    await remote.reach('quiet', null)
    await remote.renew('quiet')
    expect(await remote.endpoints()).toMatchObject([{ id: 'quiet', active: true, status: 'UNHEALTHY' }])
    expect(await remote.changes()).toEqual(sandbox.changes())
    expect(sandbox.changes()).toMatchObject([{ kind: 'start' }, { kind: 'stop', endpointId: 'new' }])
    expect(await remote.calls()).toEqual([])
    expect(await remote.replicas('quiet')).toHaveLength(1)
    await remote.addFault({ operation: '*', fault: { kind: 'answer', status: 503 } })
    expect((await fetch(`${sandbox.url}/me`)).status).toBe(503)
    await remote.clearFaults()
    expect((await fetch(`${sandbox.url}/me`)).status).toBe(401)
  })

  test('report errors', async () => {
    const remote = remoteControl(sandbox.controlUrl, sandbox.controlToken)
    await expect(remote.rename('nobody', 'x')).rejects.toThrow('There is no endpoint nobody in the sandbox.')
    await expect(remote.add({ id: 'quiet', name: 'x' })).rejects.toThrow('There is an endpoint quiet already.')
    const unknown = remote as unknown as { explode(): Promise<void> }
    await expect(unknown.explode()).rejects.toThrow('There is no control explode.')
  })

  test.each(['', 'wrong', 'undefined'])('are closed to the token %j', async (token) => {
    const answer = await fetch(`${sandbox.controlUrl}/endpoints`, {
      method: 'POST',
      headers: { 'x-sandbox-token': token },
    })
    expect(answer.status).toBe(401)
    expect((await fetch(`${sandbox.controlUrl}/endpoints`, { method: 'POST' })).status).toBe(401)
  })

  test('are POST only and take a list of arguments', async () => {
    const headers = { 'x-sandbox-token': sandbox.controlToken }
    expect((await fetch(`${sandbox.controlUrl}/endpoints`, { headers })).status).toBe(404)
    for (const body of ['{}', '{', '"x"']) {
      const answer = await fetch(`${sandbox.controlUrl}/rename`, { method: 'POST', headers, body })
      expect(answer.status).toBe(400)
    }
  })
})

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
})
