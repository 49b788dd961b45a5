import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'
import { endWatch, llm, startWatchtower, warned, watched, watchedPolicy } from '../support/idle.ts'
import { asks, ops } from '../support/ops.ts'

afterEach(endWatch)

type Spoil = (platform: PlatformSandbox) => void
const nothing: Spoil = () => undefined

/** Collects every request to an endpoint's address from now on. */
function scrapes(): readonly IncomingMessage[] {
  const seen: IncomingMessage[] = []
  function note(message: unknown): void {
    const { request } = message as { readonly request: IncomingMessage }
    if (request.url?.startsWith('/ac/') === true) seen.push(request)
  }
  subscribe('http.server.request.start', note)
  listening.push(() => unsubscribe('http.server.request.start', note))
  return seen
}

const listening: (() => void)[] = []
afterEach(() => {
  for (const end of listening.splice(0)) end()
})

describe('Unknown usage is not idle time', () => {
  test.each<readonly [string, object, Spoil, string]>([
    [
      'where one of three replicas is never met, and the logs cannot be read',
      { replicas: 3 },
      (platform) => {
        platform.reach('ep-llm', 2)
        platform.faults.add('listLogFiles', { kind: 'answer', status: 500 })
      },
      'only the metrics of 2 of 3 replicas could be read and told apart, and not all logs could be read',
    ],
    [
      'where the address asks for a key that nobody has given: it says which',
      { servingKey: 'a-key' },
      nothing,
      'the metrics URL needs a key (401); create a separate API key that can only reach the containers to watch (never the key Lamplighter uses for the platform), and name its variable in the policy file: signals: { key_env: … }',
    ],
  ])('%s, and people are told once after a day', async (_, more, spoil, why) => {
    const { ana, platform, looks, told } = await watched('after 15m', { endpoints: [{ ...llm, ...more }] })
    spoil(platform)
    await looks(1, 16)
    expect(told()).not.toContain('💤 my-llm stops')
    await looks(24 * 60)
    await ana.sees(`I haven’t been able to tell for a day whether my-llm is idle: ${why}`, ops)
    expect(told().includes('process_start_time_seconds')).toBe(why.includes('told apart'))
    await looks(60)
    expect(told().split('I haven’t been able to tell for a day')).toHaveLength(2)
    expect(told()).not.toContain('💤 my-llm stops')
  })

  test('until the platform has listed the replicas for the first time', async () => {
    const { ana, town, looks } = await startWatchtower({ endpoints: [llm] })
    town.platform.faults.add('listReplicas', { kind: 'answer', status: 503 }, 1)
    await town.platform.add({ ...llm, id: 'ep-new', name: 'my-new' })
    await looks(1)
    await asks(ana, 'status my-new', 'Usage unknown: the platform didn’t say which replicas it has.')
    await looks(1, 20)
    await asks(ana, 'status my-new', 'Idle for 2')
  })

  test('when the policy does not allow a private address', async () => {
    const policy = watchedPolicy.replace('    signals: { allow_private: true }\n', '')
    const { ana, looks } = await watched('after 15m', { policy })
    await looks(1, 24 * 60)
    await ana.sees('the metrics URL is a private address; allow those with signals: { allow_private: true }', ops)
  })

  test('when the platform autoscales the endpoint, whose address is not even called', async () => {
    const seen = scrapes()
    const policy = `${watchedPolicy}    endpoints: [{ match: ["*"], idle: 15m }]\n`
    const { ana, town, looks } = await startWatchtower({ policy, endpoints: [{ ...llm, autoscaled: true }] })
    await looks(1, 10, 10)
    await asks(
      ana,
      'status my-llm',
      'it’s autoscaled, and checking the metrics could keep it awake; to check them anyway, type',
    )
    await asks(ana, 'idle my-llm after 15m', 'my-llm is autoscaled, so the platform starts and stops it')
    expect(town.slack.transcript('ops')).not.toContain('💤 my-llm stops')
    expect(seen).toEqual([])
  })

  test('but an autoscaled endpoint is watched and stopped when its rule says so', async () => {
    const { ana, looks } = await watched('after 15m autoscaled=yes', { endpoints: [{ ...llm, autoscaled: true }] })
    await looks(1, 16)
    await ana.sees('💤 my-llm stops', ops)
    await looks(9)
    await looks(2)
    await ana.sees('Stopped my-llm', ops)
  })

  test('but a slow round of readings leaves no gap', async () => {
    const { ana, town, platform, looks, told } = await watched('after 15m')
    await looks(1, 14, 1)
    await ana.sees('💤 my-llm stops', ops)
    const slow: string[] = []
    platform.onCall(async ({ operation, when }) => {
      if (operation !== 'listReplicas' || when !== 'before acting') return
      slow.push(operation)
      await town.minutesPass(2)
    })
    await looks(6, 1)
    expect(slow).toHaveLength(1)
    expect(told()).not.toContain('keeps running:')
    await town.minutesPass(2)
    await ana.sees('Stopped my-llm', ops)
  })

  test('and withdraws a warning, not after one missed reading, but after more than a tenth of the time', async () => {
    const { ana, platform, looks, told } = await warned()
    platform.scrapes('ep-llm', 'page')
    await looks(1)
    platform.scrapes('ep-llm', 'well')
    await looks(1)
    expect(told()).not.toContain('keeps running:')
    platform.scrapes('ep-llm', 'page')
    await looks(3, 4)
    await ana.sees('my-llm keeps running: usage unknown (no metrics were found', ops)
  })
})

describe('A metrics reading', () => {
  test('sends only the key made for it, never the platform key', async () => {
    const seen = scrapes()
    const { town, looks } = await startWatchtower({
      endpoints: [{ ...llm, servingKey: 'probe-key' }],
      policy: watchedPolicy.replace('allow_private: true', 'allow_private: true, key_env: PROBE_KEY'),
      env: { PROBE_KEY: 'probe-key' },
    })
    await looks(1, 1)
    const keys = new Set(seen.map(({ headers }) => headers.authorization))
    expect(keys).toEqual(new Set(['Bearer probe-key']))
    expect(JSON.stringify(seen.map(({ url, headers }) => [url, headers]))).not.toContain(town.platform.apiKey)
  })
})
