import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServerKind } from '../../../sandbox/platform/servers.ts'
import { startPlatform } from '../../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../../sandbox/platform/types.ts'
import { createWatch, type WatchMemory } from '../../../src/adapters/metrics/watch.ts'
import type { Endpoint, Replica } from '../../../src/core/model/endpoint.ts'
import type { LogPlace, LogTail } from '../../../src/core/ports/endpoint-use.ts'
import { linesIn } from '../../../src/features/logs/files.ts'
import { inEnglish } from '../../support/words.ts'

const kinds: readonly ServerKind[] = ['vllm', 'sglang', 'tgi', 'tei', 'llamacpp', 'nim', 'triton', 'ray', 'web']

let now = Date.parse('2026-03-02T09:00:00Z')
let sandbox: PlatformSandbox
let watch: ReturnType<typeof createWatch>
beforeEach(async () => {
  watch = createWatch({ allowPrivate: true })
  sandbox = await startPlatform({
    clock: { now: () => now },
    endpoints: [
      ...kinds.map((kind) => ({ id: kind, name: kind, active: true, server: kind })),
      { id: 'three', name: 'three', active: true, replicas: 3 },
      { id: 'two-tgi', name: 'two-tgi', active: true, replicas: 2, server: 'tgi' as const },
      { id: 'locked', name: 'locked', active: true, servingKey: 'probe-key' },
    ],
  })
})
afterEach(async () => {
  await watch.stop()
  await sandbox.stop()
})

async function ask(path: string): Promise<unknown> {
  return (await fetch(sandbox.url + path, { headers: { authorization: `Bearer ${sandbox.apiKey}` } })).json()
}

/** Returns a look at an endpoint that first lets `every` minutes pass, with or without its logs. */
function watching(id: string, { logs = false, every = 1 }: { logs?: boolean; every?: number } = {}) {
  let before: WatchMemory | null = null
  return async (more: Partial<Endpoint> & { probeAutoscaled?: boolean } = {}) => {
    now += every * 60_000
    const { serving_endpoint_url: url } = (await ask(`/endpoints/${id}`)) as { serving_endpoint_url: string }
    const { probeAutoscaled = false, ...endpoint } = more
    const listed = (await ask(`/endpoints/${id}/replicas`)) as {
      replica_id: string
      state: string
      start_time_s: number
    }[]
    const replicas: Replica[] = listed.map((one) => ({
      id: one.replica_id,
      state: one.state,
      node: null,
      startedAt: one.start_time_s,
    }))
    const listens = logs && { logs: (from: Readonly<Record<string, LogPlace>>) => heard(id, from) }
    const circumstances = { replicas, probeAutoscaled, ...listens }
    const { reading, watched } = await watch.look(
      { id, name: id, active: true, url, ...endpoint },
      circumstances,
      before,
      now,
    )
    // Goes through JSON, as it does when it is stored.
    before = JSON.parse(JSON.stringify(watched)) as WatchMemory
    return inEnglish(reading)
  }
}

/** What each replica has logged since `from`, read through the platform. */
async function heard(id: string, from: Readonly<Record<string, LogPlace>>): Promise<Record<string, LogTail>> {
  const files = (await ask(`/endpoints/${id}/logs`)) as { replica_id: string; node_id: string; filename: string }[]
  const all = files.map(async ({ replica_id, node_id, filename }): Promise<[string, LogTail]> => {
    const { line = 0 } = from[replica_id] ?? {}
    const query = new URLSearchParams({ node_id, filename, start_line: `${line + 1}` })
    const { content } = (await ask(`/endpoints/${id}/logs/file?${query.toString()}`)) as { content: string }
    const written = content === '' ? [] : content.replace(/\n$/, '').split('\n')
    const lines = written.flatMap((one) => [...linesIn(one)])
    return [replica_id, { place: { file: filename, line: line + written.length }, lines, whole: line > 0 }]
  })
  return Object.fromEntries(await Promise.all(all))
}

describe.each(kinds)('A replica that runs %s', (kind) => {
  test('is quiet, busy while there is traffic, and quiet again', async () => {
    const look = watching(kind, { logs: true })
    await look()
    const states = [(await look()).state, (await look()).state]
    sandbox.traffic(kind, { running: 1, perMinute: 30 })
    states.push((await look()).state)
    sandbox.traffic(kind, { running: 0, perMinute: 0 })
    await look()
    states.push((await look()).state, (await look()).state)
    expect(states).toEqual(['quiet', 'quiet', 'busy', 'quiet', 'quiet'])
  })

  test('is busy after a request that came and went between two checks', async () => {
    const look = watching(kind)
    await look()
    expect((await look()).state).toBe('quiet')
    sandbox.traffic(kind, { perMinute: 1 })
    expect((await look()).state).toBe('busy')
  })
})

describe('An endpoint with several replicas', () => {
  test('has all three of them read', async () => {
    const look = watching('three')
    await look()
    expect(await look()).toMatchObject({ state: 'quiet', evidence: { seen: 3, replicas: 3 } })
  })

  test('is unknown if one of three is never reached, unless the logs show its use', async () => {
    sandbox.reach('three', 2)
    const blind = watching('three')
    await blind()
    expect(await blind()).toMatchObject({
      state: 'unknown',
      why: 'only the metrics of 2 of 3 replicas could be read and told apart',
    })
    const witnessed = watching('three', { logs: true, every: 5 })
    await witnessed()
    expect(await witnessed()).toMatchObject({ state: 'quiet', evidence: { seen: 2, logs: 1 } })
    sandbox.traffic('three', { perMinute: 3 })
    expect((await witnessed()).state).toBe('busy')
  })

  test('is judged by its logs if nothing distinguishes its replicas', async () => {
    const look = watching('two-tgi', { logs: true, every: 5 })
    await look()
    expect(await look()).toMatchObject({ state: 'quiet', evidence: { seen: 0, logs: 2 } })
    sandbox.traffic('two-tgi', { perMinute: 2 })
    expect((await look()).state).toBe('busy')
  })
})

describe('The state is unknown', () => {
  test('after a server was restarted, until the next check', async () => {
    sandbox.traffic('vllm', { perMinute: 60 })
    const look = watching('vllm')
    await look()
    await look()
    sandbox.traffic('vllm', { perMinute: 0 })
    await look()
    expect((await look()).state).toBe('quiet')
    sandbox.renew('vllm')
    expect(await look()).toMatchObject({ state: 'unknown', restarted: true })
    expect((await look()).state).toBe('quiet')
  })

  test.each([
    ['hangs', 'the metrics took longer than 0.4 s'],
    ['huge', 'the metrics are longer than 4 MB'],
    [
      'elsewhere',
      'the metrics URL redirects (302), which I don’t follow; stop it and set the path with patch vllm metrics=/…',
    ],
  ] as const)('while the metrics fail: %s', async (fate, why) => {
    const look = watching('vllm')
    await look()
    sandbox.scrapes('vllm', fate)
    if (fate === 'hangs') {
      await watch.stop()
      watch = createWatch({ allowPrivate: true, timeoutMs: 400 })
    }
    expect(await look()).toMatchObject({ state: 'unknown', why })
    if (fate === 'hangs') {
      await watch.stop()
      watch = createWatch({ allowPrivate: true })
    }
    sandbox.scrapes('vllm', 'well')
    expect((await look()).state).toBe('quiet')
  })

  test('if an endpoint is autoscaled, unless its owner allows the check', async () => {
    const look = watching('vllm')
    await look({ autoscaled: true })
    expect(await look({ autoscaled: true })).toMatchObject({
      state: 'unknown',
      why: 'it’s autoscaled, and checking the metrics could keep it awake; to check them anyway, type /endpoint idle vllm after 60m autoscaled=yes',
    })
    await look({ autoscaled: true, probeAutoscaled: true })
    expect(await look({ autoscaled: true, probeAutoscaled: true })).toMatchObject({ state: 'quiet' })
  })

  test('without the key that the metrics need', async () => {
    const look = watching('locked')
    expect((await look()).why).toContain('needs a key (401)')
    await watch.stop()
    watch = createWatch({ allowPrivate: true, key: 'probe-key' })
    await look()
    expect((await look()).state).toBe('quiet')
  })
})
