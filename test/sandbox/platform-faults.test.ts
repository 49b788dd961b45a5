import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'

let now = Date.parse('2026-03-02T09:00:00Z')
let sandbox: PlatformSandbox
beforeEach(async () => {
  sandbox = await startPlatform({
    clock: { now: () => now },
    listeningReplicas: false,
    endpoints: [
      { id: 'busy', name: 'Busy', active: true },
      { id: 'quiet', name: 'Quiet' },
    ],
  })
})
afterEach(() => sandbox.stop())

function ask(method: string, path: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${sandbox.apiKey}` }
  return fetch(sandbox.url + path, { method, headers, ...(signal ? { signal } : {}) })
}

async function read(path: string): Promise<unknown> {
  return (await ask('GET', path)).json()
}

function isActive(id: string): boolean | undefined {
  return sandbox.endpoints().find((one) => one.id === id)?.active
}

describe('A planned fault', () => {
  test('strikes as often as planned, in the order of planning', async () => {
    const first = sandbox.faults.add('stopEndpoint', { kind: 'answer', status: 500, body: { detail: 'one' } }, 1)
    const second = sandbox.faults.add('stopEndpoint', { kind: 'answer', status: 404, body: { detail: 'two' } }, 2)
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await ask('POST', '/endpoints/busy/stop')).status)
    expect(statuses).toEqual([500, 404, 404, 200])
    expect([first.hits(), second.hits()]).toEqual([1, 2])
  })

  test('strikes until it is cleared if no number is given', async () => {
    const fault = sandbox.faults.add('*', { kind: 'answer', status: 503 })
    for (let i = 0; i < 5; i++) expect((await ask('GET', '/me')).status).toBe(503)
    fault.clear()
    expect((await ask('GET', '/me')).status).toBe(200)
  })

  test('leaves other operations alone', async () => {
    sandbox.faults.add('startEndpoint', { kind: 'answer', status: 500 })
    expect((await ask('POST', '/endpoints/quiet/stop')).status).toBe(200)
    expect((await ask('POST', '/endpoints/quiet/start')).status).toBe(500)
  })
})

describe('Faults before acting', () => {
  test.each(['{"detail":"no"}', '<html>Bad gateway</html>', ''])('answer %j unchanged and do nothing', async (body) => {
    sandbox.faults.add('stopEndpoint', { kind: 'answer', status: 502, body, type: 'text/html' }, 1)
    const answer = await ask('POST', '/endpoints/busy/stop')
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([502, 'text/html', body])
    expect(isActive('busy')).toBe(true)
  })

  test('drop the connection', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'drop-before' }, 1)
    await expect(ask('POST', '/endpoints/busy/stop')).rejects.toThrow()
    expect(isActive('busy')).toBe(true)
    expect(sandbox.calls()).toMatchObject([{ operation: 'stopEndpoint', status: null }])
  })

  test('hang until the caller gives up', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'hang' }, 1)
    await expect(ask('POST', '/endpoints/busy/stop', AbortSignal.timeout(100))).rejects.toThrow(/timeout/)
    expect(isActive('busy')).toBe(true)
  })

  test('apply the call late, by the clock, although the connection was dropped', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'late', ms: 60_000 }, 1)
    await expect(ask('POST', '/endpoints/busy/stop')).rejects.toThrow()
    expect(isActive('busy')).toBe(true)
    now += 59_999
    expect(sandbox.changes()).toEqual([])
    now += 1
    expect(sandbox.changes()).toMatchObject([{ endpointId: 'busy', kind: 'stop', effective: true, at: now }])
    expect(await read('/endpoints/busy')).toMatchObject({ is_active: false })
  })
})

describe('Faults after acting', () => {
  test.each(['drop-after', 'half'] as const)('%s: the call took effect', async (kind) => {
    sandbox.faults.add('stopEndpoint', { kind }, 1)
    await expect(ask('POST', '/endpoints/busy/stop').then((answer) => answer.text())).rejects.toThrow()
    expect(isActive('busy')).toBe(false)
  })

  test('hang-after: the call took effect', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'hang-after' }, 1)
    const caller = new AbortController()
    const answer = expect(ask('POST', '/endpoints/busy/stop', caller.signal)).rejects.toThrow('aborted')
    await expect.poll(() => isActive('busy')).toBe(false)
    caller.abort()
    await answer
  })

  test('answer-after: the call took effect', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'answer-after', status: 500, body: { message: 'broke' } }, 1)
    const answer = await ask('POST', '/endpoints/busy/stop')
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'broke' }])
    expect(isActive('busy')).toBe(false)
  })
})

describe('Misleading answers', () => {
  test('reads are stale for a while after a change, everywhere', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'stale', ms: 5000 }, 1)
    expect(await (await ask('POST', '/endpoints/busy/stop')).json()).toMatchObject({ is_active: false })
    const stale = { is_active: true, status: 'RUNNING' }
    expect(await read('/endpoints/busy')).toMatchObject({ ...stale, replica_status_summary: { RUNNING: 1 } })
    expect(await read('/endpoints?is_active=true')).toMatchObject({ items: [{ id: 'busy', ...stale }] })
    expect(await read('/endpoints/busy/replicas')).toHaveLength(1)
    expect(isActive('busy')).toBe(false)
    now += 5000
    expect(await read('/endpoints/busy')).toMatchObject({ is_active: false, status: 'STOPPED' })
    expect(await read('/endpoints/busy/replicas')).toEqual([])
  })

  test('is_active says the opposite, in a status and in a list', async () => {
    sandbox.faults.add('*', { kind: 'contradict' }, 3)
    expect(await read('/endpoints/busy')).toMatchObject({ is_active: false, status: 'RUNNING' })
    expect(await read('/endpoints')).toMatchObject({ items: [{ is_active: false }, { is_active: true }] })
    expect(await (await ask('POST', '/endpoints/quiet/start')).json()).toMatchObject({ is_active: false })
    expect(isActive('quiet')).toBe(true)
  })

  test('a field is missing', async () => {
    sandbox.faults.add('getEndpointStatus', { kind: 'without', field: 'status' }, 1)
    expect(await read('/endpoints/busy')).not.toHaveProperty('status')
    expect(await read('/endpoints/busy')).toHaveProperty('status')
  })

  test('a 200 contains a problem object', async () => {
    sandbox.faults.add('getEndpointStatus', { kind: 'problem' }, 1)
    expect(await read('/endpoints/busy')).toMatchObject({ error: { title: 'Upstream timeout', status: 504 } })
    expect(await read('/endpoints/busy')).toMatchObject({ error: null })
  })

  test('the message says something else', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'message', text: '<!channel> gone' }, 1)
    expect(await (await ask('POST', '/endpoints/busy/stop')).json()).toMatchObject({ message: '<!channel> gone' })
  })

  test('several faults together: a late answer with another message', async () => {
    sandbox.faults.add('stopEndpoint', { kind: 'delay', ms: 100 }, 1)
    sandbox.faults.add('stopEndpoint', { kind: 'delay-after', ms: 100 }, 1)
    sandbox.faults.add('stopEndpoint', { kind: 'message', text: 'at last' }, 1)
    const order: string[] = []
    const stop = ask('POST', '/endpoints/busy/stop').finally(() => order.push('stop'))
    await ask('GET', '/me').finally(() => order.push('me'))
    expect(await (await stop).json()).toMatchObject({ message: 'at last' })
    expect(order).toEqual(['me', 'stop'])
  })

  test('a refusal is never edited', async () => {
    sandbox.faults.add('*', { kind: 'problem' })
    expect(await read('/endpoints/nobody')).toEqual({ detail: 'Endpoint not found' })
  })
})

describe('A listener', () => {
  test('is called and awaited before each call acts and before it answers', async () => {
    const seen: unknown[] = []
    const forget = sandbox.onCall(async ({ when, operation, endpointId }) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      seen.push([when, operation, endpointId, isActive('busy')])
    })
    await ask('POST', '/endpoints/busy/stop')
    expect(seen).toEqual([
      ['before acting', 'stopEndpoint', 'busy', true],
      ['before answering', 'stopEndpoint', 'busy', false],
    ])
    forget()
    await ask('POST', '/endpoints/busy/stop')
    expect(seen).toHaveLength(2)
  })
})
