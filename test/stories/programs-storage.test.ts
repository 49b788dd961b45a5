import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendLine } from '../../src/cli/client/send-line.ts'
import { ops } from '../support/ops.ts'
import { callApi, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/* What programs are told while Redis or every worker is away. */

const policy = policyOf(`
    roles: { viewer: [everyone], operator: ["user:U0ANA"], approver: [], admin: [] }
    tokens: [user:U0ANA]
`)

let town: Town
let token: string
let worker: Awaited<ReturnType<Town['begin']>>
beforeEach(async () => {
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  town = await startTown({ policy, roles: ['bot', 'api'], wired: true, env })
  worker = await town.begin('worker')
  token = await tokenOf(town, 'U0ANA', 'token new ci')
})
afterEach(() => town.stop())

test('Every call is to be sent again', async () => {
  await town.wires.redis.cut()
  const told = await Promise.all([
    callApi(town, token, '/v1/lines', { line: 'start my-tts', reason: 'the nightly job' }, 'k1'),
    callApi(town, token, '/v1/requests/abcdefghijklmnopqrstuv'),
    callApi(town, token, '/v1/queries?line=list'),
    callApi(town, token, '/v1/me'),
  ])
  expect(told.map(({ status, body }) => [status, body['type']])).toEqual(
    Array(4).fill([503, 'urn:lamplighter:storage']),
  )
})

test('Without a worker they are told so, and wait for nothing', async () => {
  await worker.stop()
  const says = { en: 'Stored, but no worker is running. It’ll run when one starts.' }
  const proposal = { line: 'start my-tts', reason: 'the nightly job' }
  const proposed = await callApi(town, token, '/v1/lines', proposal)
  expect(proposed).toMatchObject({ status: 202, body: { status: 'received', says } })
  const told: string[] = []
  let now = Date.now()
  const code = await sendLine(['list'], {
    env: { LAMPLIGHTER_API_URL: town.api(), LAMPLIGHTER_TOKEN: token },
    language: 'en',
    colors: false,
    out: (line) => void told.push(line),
    err: (line) => void told.push(line),
    now: () => now,
    wait: async (ms) => {
      now += ms
    },
    onInterrupt: () => undefined,
  })
  expect([code, told]).toEqual([4, [says.en]])
  await town.begin('worker')
  const looks = () => callApi(town, token, `/v1/requests/${String(proposed.body['id'])}`)
  await expect.poll(async () => (await looks()).body['status']).not.toBe('received')
})

test('A terminal that waits for an answer goes on waiting', async () => {
  const told: string[] = []
  const ended = sendLine(['start', 'my-tts', '--wait=5m', '--cancel-on-exit', '--reason', 'the nightly job'], {
    env: { LAMPLIGHTER_API_URL: town.api(), LAMPLIGHTER_TOKEN: token },
    language: 'en',
    colors: false,
    out: (line) => void told.push(line),
    err: (line) => void told.push(line),
    now: () => Date.now(),
    wait: (ms) => wait(ms / 10),
    onInterrupt: () => undefined,
  })
  const ana = town.slack.as('U0ANA')
  await ana.sees('Start my-tts?', ops)
  await town.wires.redis.cut()
  await expect.poll(() => told.join('\n')).toContain('The storage didn’t answer')
  await town.wires.redis.pass()
  // The bot and the worker have connected again.
  const looks = async () => {
    await ana.types('ops', '/endpoint status my-tts')
    return town.slack.transcript('ops')
  }
  await expect.poll(looks, { interval: 1_000 }).toContain('stopped · starts with')
  await ana.presses('Start my-tts', ops)
  expect(await ended).toBe(0)
  await ana.sees('Started my-tts', ops)
})
