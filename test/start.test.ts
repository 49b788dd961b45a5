import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { connectDoor } from '../src/adapters/redis/connection/connect.ts'
import type { Config } from '../src/config/config.ts'
import { unmetered } from '../src/core/ports/meter.ts'
import { Misconfigured } from '../src/core/ports/services.ts'
import { redisReady, retryUntilReady } from '../src/start.ts'
import { buildProduct } from './support/child.ts'
import { startNode } from './support/replicas.ts'

/** Returns a log and the lines written to it. */
function listening() {
  const said: string[] = []
  const note = (level: string) => (fields: { why?: string }, text: string) =>
    void said.push(`${level}: ${text}${fields.why === undefined ? '' : ` (${fields.why})`}`)
  return { said, log: { info: note('info'), warn: note('warn'), error: note('error') } as never }
}

test('An unavailable service is retried with growing pauses, and each reason is logged once', async () => {
  const { said, log } = listening()
  const pauses: number[] = []
  const reasons = [...Array<string>(6).fill('refused'), 'hangs', 'hangs']
  async function attempt(): Promise<string> {
    const why = reasons.shift()
    if (why !== undefined) throw new Error(why)
    return 'here'
  }
  expect(await retryUntilReady('Redis', attempt, log, unmetered, async (ms) => void pauses.push(ms))).toBe('here')
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  expect(said).toEqual([
    'warn: waiting for Redis (refused)',
    'warn: waiting for Redis (hangs)',
    'warn: Redis is available',
  ])
})

test('A configuration error is not retried', async () => {
  const { said, log } = listening()
  const wrong = async () => Promise.reject(new Misconfigured('Write another token.'))
  await expect(retryUntilReady('Slack', wrong, log, unmetered)).rejects.toThrow('Write another token.')
  expect(said).toEqual([])
})

test('A Redis replica is reconnected for a minute because of failovers, then reported as a wrong address', async () => {
  const { log } = listening()
  const again: unknown[] = []
  const replica = {
    status: 'ready',
    info: async () => 'role:slave\r\nmaster_host:10.0.0.1',
    disconnect: (reconnect: boolean) => void again.push(reconnect),
    on: () => undefined,
    off: () => undefined,
  } as unknown as Redis
  const attempt = redisReady({} as Config, replica, log)
  let waited = 0
  async function rest(ms: number): Promise<void> {
    waited += ms
  }
  await expect(retryUntilReady('Redis', attempt, log, unmetered, rest)).rejects.toThrow('REDIS_URL leads to a replica')
  expect(waited).toBeGreaterThan(60_000)
  expect(again).toEqual(Array(12).fill(true))
})

test.each([
  [
    'redis+cluster',
    '',
    '-ERR This instance has cluster support disabled',
    'This Redis is not a cluster: write redis://',
  ],
  [
    'redis+sentinel',
    '/lamps',
    "-ERR unknown command 'sentinel', with args",
    'This Redis is not a Sentinel: write redis://',
  ],
  [
    'redis+sentinel',
    '/lamps',
    '-NOAUTH Authentication required.',
    'The Sentinels reject our login. Check sentinel_pass',
  ],
  ['redis', '/99', '-ERR DB index is out of range', 'REDIS_URL names a database that this Redis does not have.'],
  ['redis', '', 'HTTP/1.1 400 Bad Request', 'What answers at REDIS_URL is not Redis, or expects TLS.'],
])('%s://…%s is a configuration error where the answer is %s', async (scheme, path, answer, says) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => void socket.write(`${answer}\r\n`.repeat(4)))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { said, log } = listening()
  const redis = connectDoor(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, log)
  onTestFinished(() => redis.disconnect())
  const attempt = redisReady({} as Config, redis, log)
  await expect(retryUntilReady('Redis', attempt, log, unmetered)).rejects.toThrow(says)
  expect(said).toEqual([])
})

test.each([
  [
    'redis://127.0.0.1:1',
    'warn: waiting for Redis (Redis cannot be reached (connect ECONNREFUSED 127.0.0.1:1). Check that it runs, and REDIS_URL: rediss:// if it expects TLS, redis:// if not.)',
  ],
  // The pauses between its attempts grow, and its errors name them.
  [
    'redis+sentinel://127.0.0.1:1/lamps',
    expect.stringMatching(/\(Redis cannot be reached \(All sentinels are unreachable\. Last error: /),
  ],
])('A Redis at %s that is unavailable at startup is logged once, without a stack', async (url, says) => {
  expect(await saidOf(url)).toEqual([says])
})

/** Returns what three attempts to reach a Redis log. */
async function saidOf(url: string): Promise<readonly string[]> {
  const { said, log } = listening()
  const redis = connectDoor(url, log)
  onTestFinished(() => redis.disconnect())
  const rests: number[] = []
  async function rest(ms: number): Promise<void> {
    rests.push(ms)
    if (rests.length > 2) throw new Misconfigured('enough')
  }
  await expect(retryUntilReady('Redis', redisReady({} as Config, redis, log), log, unmetered, rest)).rejects.toThrow(
    'enough',
  )
  return said
}

test('A Sentinel at redis:// is a configuration error', async () => {
  const info = async () => '# Sentinel\r\nsentinel_masters:1\r\n'
  const attempt = redisReady({} as Config, { status: 'ready', info } as unknown as Redis, listening().log)
  await expect(attempt()).rejects.toThrow('This Redis is a Sentinel: write redis+sentinel://')
})

test('Sentinels that name a dead master are not called unreachable, also if another one is', async ({ skip }) => {
  const sentinel = await startNode({ sentinel: true })
  if (sentinel === null) return skip('there is no real Redis on this machine')
  onTestFinished(() => sentinel.stop())
  await sentinel.redis.call('SENTINEL', 'MONITOR', 'lamps', '127.0.0.1', 1, 1)
  for (const others of ['', ',127.0.0.1:2']) {
    const said = await saidOf(`redis+sentinel://127.0.0.1:${sentinel.port}${others}/lamps`)
    expect(said).toEqual([expect.stringContaining('(connect ECONNREFUSED 127.0.0.1:1)')])
  }
})

test('npm start reads a .env that begins with a byte order mark', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, '.env'), '\uFEFF# Settings\r\nSLACK_BOT_TOKEN=xapp-1\r\n')
  await buildProduct()
  const script = fileURLToPath(new URL('../scripts/start.mjs', import.meta.url))
  const started = promisify(execFile)(process.execPath, [script, 'worker'], { cwd: folder, env: {} })
  await expect(started).rejects.toMatchObject({ stderr: expect.stringContaining('SLACK_BOT_TOKEN is another kind') })
})

test('npm start -- --help lists the commands without any configuration', async () => {
  const words = ['--import', 'tsx', 'src/main.ts', '--help']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env: {} })
  expect(stdout).toContain('  check [FILE]')
  expect(stderr).toBe('')
})
