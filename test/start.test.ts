import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import type { Config } from '../src/config.ts'
import { Misconfigured } from '../src/lifecycle/ports.ts'
import { patiently, redisReady } from '../src/start.ts'

/** A log that keeps what is said. */
function listening() {
  const said: string[] = []
  const note = (level: string) => (fields: { why?: string }, text: string) =>
    void said.push(`${level}: ${text}${fields.why === undefined ? '' : ` (${fields.why})`}`)
  return { said, log: { info: note('info'), warn: note('warn'), error: note('error') } as never }
}

test('What is not there is tried again with growing pauses, and each reason is said once', async () => {
  const { said, log } = listening()
  const pauses: number[] = []
  const reasons = [...Array<string>(6).fill('refused'), 'hangs', 'hangs']
  async function attempt(): Promise<string> {
    const why = reasons.shift()
    if (why !== undefined) throw new Error(why)
    return 'here'
  }
  expect(await patiently('Redis', attempt, log, async (ms) => void pauses.push(ms))).toBe('here')
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  expect(said).toEqual([
    'warn: Redis is awaited, with growing pauses (refused)',
    'warn: Redis is awaited, with growing pauses (hangs)',
    'info: Redis is there',
  ])
})

test('A mistake of the configuration is not waited for', async () => {
  const { said, log } = listening()
  const wrong = async () => Promise.reject(new Misconfigured('Write another token.'))
  await expect(patiently('Slack', wrong, log)).rejects.toThrow('Write another token.')
  expect(said).toEqual([])
})

test('A replica may be a failover, so it is left for another connection; after a minute it is the wrong address', async () => {
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
  await expect(patiently('Redis', attempt, log, rest)).rejects.toThrow('REDIS_URL leads to a replica')
  expect(waited).toBeGreaterThan(60_000)
  expect(again).toEqual(Array(12).fill(true))
})

test.each(['help', '--help', '-h'])('npm start -- %s lists the commands, without any configuration', async (word) => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'src/main.ts', word], { env: {} })
  const { stdout, stderr } = await run
  expect(stdout).toContain('npm start -- check [FILE]')
  expect(stderr).toBe('')
})
