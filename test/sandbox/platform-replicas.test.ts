import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'

let now = Date.parse('2026-03-02T09:00:00Z')
let sandbox: PlatformSandbox
beforeEach(async () => {
  sandbox = await startPlatform({
    clock: { now: () => now },
    startDelayMs: 2000,
    endpoints: [
      { id: 'busy', name: 'Busy "one"', active: true, replicas: 2 },
      { id: 'quiet', name: 'Quiet', settings: { container_metric_path: '/stats', container_health_check_path: '/up' } },
      { id: 'locked', name: 'Locked', active: true, servingKey: 'sk-serving' },
    ],
  })
})
afterEach(() => sandbox.stop())

async function ask(method: string, path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${sandbox.apiKey}` }
  return (await (await fetch(sandbox.url + path, { method, headers })).json()) as Record<string, unknown>
}

async function urls(id: string): Promise<string[]> {
  return (await sandbox.replicas(id)).map(({ url }) => url ?? '')
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1))
}

describe('A replica', () => {
  test('listens on a port of its own and reports that it is healthy', async () => {
    const [first = '', second = ''] = await urls('busy')
    expect(first).not.toBe(second)
    for (const url of [first, second]) expect((await fetch(`${url}/health`)).status).toBe(200)
  })

  test('shows its metrics as vLLM does', async () => {
    const [url = ''] = await urls('busy')
    const answer = await fetch(`${url}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await answer.text()
    expect(text).toContain('# TYPE vllm:num_requests_running gauge\n')
    expect(text).toContain('vllm:num_requests_waiting{engine="0",model_name="Busy \\"one\\""} 0.0\n')
    expect(text).toContain('# TYPE vllm:request_success_total counter\n')
    const shape = /^(?:# (?:HELP|TYPE) [\w:]+ .+|[\w:]+(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})? [\d.]+)$/
    expect(
      text
        .trimEnd()
        .split('\n')
        .filter((line) => !shape.test(line)),
    ).toEqual([])
  })

  test('has its share of the traffic, counted by the clock', async () => {
    const [first = '', second = ''] = await urls('busy')
    sandbox.traffic('busy', { running: 3, perMinute: 60 })
    expect(await metric(`${first}/metrics`, 'vllm:num_requests_running')).toBe(2)
    expect(await metric(`${second}/metrics`, 'vllm:num_requests_running')).toBe(1)
    now += 60_000
    expect(await metric(`${first}/metrics`, 'vllm:request_success_total')).toBe(30)
    sandbox.traffic('busy', { running: 0, perMinute: 0 })
    now += 600_000
    expect(await metric(`${first}/metrics`, 'vllm:num_requests_running')).toBe(0)
    expect(await metric(`${first}/metrics`, 'vllm:request_success_total')).toBe(30)
  })

  test('counts and logs real requests', async () => {
    const [url = ''] = await urls('busy')
    await (await fetch(`${url}/v1/completions`, { method: 'POST', body: '{}' })).text()
    expect(await metric(`${url}/metrics`, 'vllm:request_success_total')).toBe(1)
    const files = (await ask('GET', '/endpoints/busy/logs')) as unknown as { node_id: string; filename: string }[]
    const { node_id = '', filename = '' } = files[0] ?? {}
    const query = new URLSearchParams({ node_id, filename, start_line: '2', end_line: '2' })
    const { content } = await ask('GET', `/endpoints/busy/logs/file?${query.toString()}`)
    expect(JSON.parse(String(content))).toEqual({
      source: 'stdout',
      log: 'INFO:     127.0.0.1:52020 - "POST /v1/completions HTTP/1.1" 200 OK',
      timestamp: new Date(now).toISOString(),
    })
  })

  test('takes as long to start as configured, by the clock', async () => {
    await ask('POST', '/endpoints/quiet/start')
    expect(await ask('GET', '/endpoints/quiet')).toMatchObject({
      is_active: true,
      status: 'DEPLOYING',
      replica_status_summary: { STARTING: 1 },
    })
    const [url = ''] = await urls('quiet')
    expect((await fetch(`${url}/up`)).status).toBe(503)
    now += 2000
    expect(await ask('GET', '/endpoints/quiet')).toMatchObject({
      status: 'RUNNING',
      replica_status_summary: { RUNNING: 1 },
    })
    expect((await fetch(`${url}/up`)).status).toBe(200)
    expect((await fetch(`${url}/stats`)).status).toBe(200)
  })

  test('starts beside the running ones when an endpoint is scaled', async () => {
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' }
    await fetch(`${sandbox.url}/endpoints/busy/scale`, { method: 'POST', headers, body: '{"replica_count":3}' })
    expect(await ask('GET', '/endpoints/busy')).toMatchObject({
      status: 'RUNNING',
      num_replicas: 3,
      replica_status_summary: { RUNNING: 2, STARTING: 1 },
    })
  })

  test('is gone after a stop, and its log is history', async () => {
    const before = await urls('busy')
    await ask('POST', '/endpoints/busy/stop')
    expect(await sandbox.replicas('busy')).toEqual([])
    const files = (await ask('GET', '/endpoints/busy/logs')) as unknown as {
      is_historical: boolean
      end_time: string
    }[]
    expect(files).toMatchObject([
      { is_historical: true, end_time: new Date(now).toISOString() },
      { is_historical: true, end_time: new Date(now).toISOString() },
    ])
    expect(await ask('GET', '/endpoints/busy/logs?include_history=false')).toEqual([])
    await sandbox.stop()
    for (const url of before) await expect(fetch(`${url}/health`)).rejects.toThrow()
    sandbox = await startPlatform()
  })
})

describe('Simulated traffic', () => {
  async function log(id: string): Promise<string[]> {
    const files = (await ask('GET', `/endpoints/${id}/logs`)) as unknown as { node_id: string; filename: string }[]
    const { node_id = '', filename = '' } = files[0] ?? {}
    const query = new URLSearchParams({ node_id, filename })
    const { content } = await ask('GET', `/endpoints/${id}/logs/file?${query.toString()}`)
    return String(content)
      .split('\n')
      .map((line) => (JSON.parse(line) as { log: string }).log)
  }

  test('is logged as the server would log it', async () => {
    sandbox.traffic('busy', { running: 2, perMinute: 6 })
    now += 60_000
    const busy = await log('busy')
    expect(busy.filter((line) => line.includes('"POST /v1/chat/completions HTTP/1.1" 200 OK'))).toHaveLength(3)
    expect(busy.at(-1)).toContain('Running: 1 reqs')
  })

  test('ends with one line that says so, and is not logged after that', async () => {
    sandbox.traffic('busy', { running: 2, perMinute: 6 })
    now += 60_000
    sandbox.traffic('busy', { running: 0, perMinute: 0 })
    now += 60_000
    const after = await log('busy')
    expect(after.at(-1)).toContain('Running: 0 reqs')
    now += 600_000
    expect(await log('busy')).toEqual(after)
  })

  test('starts with an endpoint that is created with it', async () => {
    await sandbox.add({ id: 'used', name: 'Used', active: true, server: 'tei', traffic: { perMinute: 30 } })
    now += 120_000
    const [url = ''] = await urls('used')
    expect(await metric(`${url}/metrics`, 'te_embed_count')).toBeGreaterThanOrEqual(60)
    expect((await log('used')).at(-1)).toContain('text_embeddings_router::http::server: Success')
  })
})

describe('Metrics', () => {
  test('distinguish the processes of replicas, even if they started together', async () => {
    const started = await Promise.all(
      (await urls('busy')).map((url) => metric(`${url}/metrics`, 'process_start_time_seconds')),
    )
    expect(new Set(started).size).toBe(2)
  })

  test('are only at the path where their kind of server has them', async () => {
    await sandbox.add({ id: 'nim', name: 'Nim', active: true, server: 'nim' })
    const [url = ''] = await urls('nim')
    now += 2000
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect(await metric(`${url}/v1/metrics`, 'request_finish_total')).toBe(0)
  })

  test('start again with the process', async () => {
    sandbox.traffic('busy', { perMinute: 60 })
    now += 60_000
    const [url = ''] = await urls('busy')
    const before = await metric(`${url}/metrics`, 'process_start_time_seconds')
    expect(await metric(`${url}/metrics`, 'vllm:request_success_total')).toBe(30)
    sandbox.renew('busy')
    expect(await metric(`${url}/metrics`, 'vllm:request_success_total')).toBe(0)
    expect(await metric(`${url}/metrics`, 'process_start_time_seconds')).toBeGreaterThan(before)
  })

  test('may redirect, be a web page or never end', async () => {
    const [url = ''] = await urls('busy')
    sandbox.scrapes('busy', 'elsewhere')
    expect((await fetch(`${url}/metrics`, { redirect: 'manual' })).status).toBe(302)
    sandbox.scrapes('busy', 'page')
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('<!DOCTYPE html>')
    sandbox.scrapes('busy', 'huge')
    const reader = (await fetch(`${url}/metrics`)).body?.getReader()
    let bytes = 0
    while (bytes < 5_000_000) bytes += (await reader?.read())?.value?.byteLength ?? Number.NaN
    await reader?.cancel()
    expect(bytes).toBeGreaterThanOrEqual(5_000_000)
  })

  test('can come from one replica for every caller', async () => {
    sandbox.reach('busy', 1)
    const { serving_endpoint_url: address } = await ask('GET', '/endpoints/busy')
    const seen = new Set<number>()
    for (let i = 0; i < 4; i++) seen.add(await metric(`${String(address)}/metrics`, 'process_start_time_seconds'))
    expect(seen.size).toBe(1)
  })
})

describe('A deployment', () => {
  test('may fail', async () => {
    sandbox.fate('quiet', 'deploy_failed')
    await ask('POST', '/endpoints/quiet/start')
    expect(await ask('GET', '/endpoints/quiet')).toMatchObject({ is_active: true, status: 'DEPLOYING' })
    now += 2000
    expect(await ask('GET', '/endpoints/quiet')).toMatchObject({ is_active: true, status: 'DEPLOY_FAILED' })
  })

  test('may become unhealthy', async () => {
    sandbox.fate('busy', 'unhealthy')
    expect(await ask('GET', '/endpoints/busy')).toMatchObject({ is_active: true, status: 'UNHEALTHY' })
    const [url = ''] = await urls('busy')
    expect((await fetch(`${url}/health`)).status).toBe(503)
  })
})

describe('The URL of an endpoint', () => {
  test('reaches its replicas in turn', async () => {
    const { serving_endpoint_url: address } = await ask('GET', '/endpoints/busy')
    sandbox.traffic('busy', { running: 3 })
    const seen = new Set<number>()
    for (let i = 0; i < 2; i++) seen.add(await metric(`${String(address)}/metrics`, 'vllm:num_requests_running'))
    expect(seen).toEqual(new Set([1, 2]))
  })

  test('answers 503 while no replica runs, and asks for its key if it has one', async () => {
    const { serving_endpoint_url: quiet } = await ask('GET', '/endpoints/quiet')
    expect((await fetch(`${String(quiet)}/health`)).status).toBe(503)
    const { serving_endpoint_url: locked } = await ask('GET', '/endpoints/locked')
    expect((await fetch(`${String(locked)}/health`)).status).toBe(401)
    const headers = { authorization: 'Bearer sk-serving' }
    expect((await fetch(`${String(locked)}/health`, { headers })).status).toBe(200)
    expect((await fetch(String(locked).replace('locked', 'nobody'))).status).toBe(404)
  })
})

describe('Ten thousand endpoints', () => {
  test('need no sockets while stopped, or while running without listening replicas', async () => {
    const endpoints = Array.from({ length: 10_000 }, (_, i) => ({ id: `e-${i}`, name: `e ${i}`, active: i % 2 === 0 }))
    const many = await startPlatform({ endpoints, listeningReplicas: false })
    const servers = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    expect(servers).toBeLessThan(20)
    expect(await many.replicas('e-0')).toMatchObject([{ state: 'RUNNING', url: null }])
    expect(many.endpoints()).toHaveLength(10_000)
    await many.stop()
  })
})
