import { randomBytes } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../sandbox/redis/port.ts'
import { dumpOf, findings } from '../support/canary.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

/* No secret may appear outside the environment, whatever goes wrong. */

/** Runs a bit of everything with faults on every side; the platform even repeats the key. */
async function live(town: Town): Promise<void> {
  const ana = town.slack.as('U0ANA')
  const { faults } = town.platform
  const planned = [
    faults.add(
      'getMe',
      { kind: 'answer', status: 401, body: { detail: `Bearer ${town.platform.apiKey} is no key` } },
      1,
    ),
    faults.add('startEndpoint', { kind: 'answer', status: 500, body: `key ${town.platform.apiKey} failed` }, 1),
    faults.add('stopEndpoint', { kind: 'drop-after' }, 1),
    town.slack.fault('chat.postMessage', { kind: 'drop-before' }, 1),
    town.slack.fault('chat.update', { kind: 'status', status: 503 }, 1),
  ]
  await ana.types('ops', '/endpoint whoami')
  await ana.types('ops', '/endpoint list')
  await ana.types('ops', '/endpoint start my-tts')
  await timePassesUntil(town, ana.sees('Start my-tts: failed.', { in: 'ops' }))
  await ana.types('ops', '/endpoint stop my-llm')
  await timePassesUntil(town, ana.sees('[Leave it running]', { in: 'ops' }))
  await ana.presses('Stop my-llm', { in: 'ops' })
  await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, { in: 'ops' }))
  town.wires.redis.reset()
  town.slack.down()
  await town.minutesPass(1)
  town.slack.up()
  await ana.types('ops', '/endpoint status my-llm').catch(() => undefined)
  await timePassesUntil(town, town.calm())
  expect(planned.map((fault) => fault.hits())).toEqual([1, 1, 1, 1, 1])
}

test.each<['socket' | 'http']>([['socket'], ['http']])(
  'In %s mode no secret appears in the log, storage or Slack',
  async (mode) => {
    const port = await freePort()
    const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
    const http: TownOptions = {
      slack: { mode, signingSecret: 'canary-signing-secret', requestUrl: `http://127.0.0.1:${port}/slack/events` },
      env: { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'canary-signing-secret', PORT: String(port), LAMPLIGHTER_KEY },
    }
    const town = await startTown({ wired: true, env: { LAMPLIGHTER_KEY }, ...(mode === 'http' && http) })
    onTestFinished(() => town.stop())
    await live(town)

    const { slack, platform } = town
    const secrets = [slack.botToken, slack.appToken, slack.signingSecret, platform.apiKey, LAMPLIGHTER_KEY]
    const places = {
      log: town.log(),
      storage: await dumpOf(inject('redisUrl'), town.prefix),
      slack: JSON.stringify([
        ...slack.workspace.messages.values(),
        slack.calls().map(({ args, answer }) => [args, answer]),
      ]),
    }
    for (const text of Object.values(places)) expect(text.length).toBeGreaterThan(1_000)
    expect(findings(places, secrets)).toEqual([])
  },
)
