import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../sandbox/redis/port.ts'
import { buildProduct, launchChild, startChild, untilSays } from '../support/child.ts'
import { asks } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

/** Starts and stops of processes while something they need is missing or wrong. */

async function begin(options: TownOptions = {}): Promise<Town> {
  const town = await startTown({ roles: [], ...options })
  onTestFinished(() => town.stop())
  return town
}

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

async function works({ slack }: Town): Promise<void> {
  const ana = slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Started my-tts')
}

describe('A process at its start', () => {
  test('waits for Redis and Slack, and works once they are reachable', async () => {
    const town = await begin({ wired: true })
    const silent = town.slack.fault('auth.test', { kind: 'status', status: 503 })
    await town.wires.redis.cut()
    const started = Promise.all([town.begin('worker'), town.begin('bot')])
    await expect.poll(() => town.log()).toMatch(/ECONNREFUSED[^\n]*"msg":"waiting for Redis/)
    await expect.poll(() => silent.hits()).toBeGreaterThan(4)
    expect(town.log().split('waiting for Slack')).toHaveLength(3)
    expect(await Promise.race([started, Promise.resolve('not ready')])).toBe('not ready')
    silent.clear()
    await town.wires.redis.pass()
    await started
    await works(town)
  })

  test('exits when Slack refuses the token, and says what to check', async () => {
    const town = await begin({ env: { SLACK_BOT_TOKEN: 'xoxb-other' } })
    await expect(town.begin('worker')).rejects.toThrow('(invalid_auth). Check SLACK_BOT_TOKEN.')
  })

  test('exits when its port is taken, and names the port', async () => {
    const other = createServer().listen(0)
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    const town = await begin({ env: { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'secret', PORT: String(port) } })
    await expect(town.begin('bot')).rejects.toThrow(
      `Port ${port} is taken. End what listens there, or set another PORT.`,
    )
  })

  test('exits when the stored data was signed with another key, and locks nothing', async () => {
    const town = await begin({ env: { LAMPLIGHTER_KEY: key(1) } })
    for (const role of ['worker', 'bot'] as const) await town.begin(role)
    const keyed = (given: string) => begin({ env: { LAMPLIGHTER_PREFIX: town.prefix, LAMPLIGHTER_KEY: given } })
    const another = await keyed(key(2))
    for (const role of ['worker', 'bot'] as const)
      await expect(another.begin(role)).rejects.toThrow('was signed with another LAMPLIGHTER_KEY. Write the key')
    await expect((await keyed('')).begin('bot')).rejects.toThrow('was signed with a LAMPLIGHTER_KEY, and none is set.')
    await (await keyed(`${key(1)},${key(2)}`)).begin('bot')
    await works(town)
    expect(town.log()).not.toContain('all changes are blocked')
  })
})

describe('The bundle', () => {
  beforeAll(buildProduct)

  test('says in its log too, in one object, why it cannot start', async () => {
    const town = await begin({ env: { SLACK_BOT_TOKEN: 'xoxb-other' } })
    const child = launchChild(town, 'worker')
    onTestFinished(() => child.stop())
    expect(await child.gone).toBe(1)
    const says = 'Slack does not accept the bot token (invalid_auth). Check SLACK_BOT_TOKEN.'
    const lines = child.log().trim().split('\n')
    expect(lines).toContain(says)
    const logged = lines.filter((line) => line !== says).map((line): Record<string, unknown> => JSON.parse(line))
    expect(logged.at(-1)).toMatchObject({ level: 'error', why: says, msg: 'could not start' })
  })

  test('takes commands over HTTP', async () => {
    const [port, signingSecret] = [await freePort(), 'a-secret-of-this-test-only-0123456789']
    const town = await begin({
      slack: { mode: 'http', signingSecret, requestUrl: `http://127.0.0.1:${port}/slack/events` },
      env: { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: signingSecret, PORT: String(port) },
    })
    const child = await startChild(town, 'all')
    onTestFinished(() => child.stop())
    await works(town)
  })
})

describe('SIGTERM', () => {
  beforeAll(buildProduct)

  test('stops a process that is waiting at its start', async () => {
    const town = await begin({ wired: true })
    await town.wires.redis.cut()
    const child = launchChild(town, 'all')
    onTestFinished(() => child.stop())
    await untilSays(child, 'waiting for Redis')
    child.signal('SIGTERM')
    expect(await child.gone).toBe(0)
    expect(child.log()).toContain('"msg":"stopped"')
  })

  test.each(['cut', 'hold'] as const)(
    'stops a process with exit code 0 while the connection to Redis is %s',
    async (fault) => {
      const town = await begin({ wired: true })
      const child = await startChild(town, 'worker')
      onTestFinished(() => child.stop())
      await town.wires.redis[fault]()
      if (fault === 'cut') await untilSays(child, 'Redis cannot be reached')
      // Longer than the sweep's interval, so it is waiting for an answer that never comes.
      else await wait(6_000)
      child.signal('SIGTERM')
      expect(await child.gone).toBe(0)
    },
  )
})
