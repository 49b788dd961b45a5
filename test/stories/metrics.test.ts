import { expect, onTestFinished, test } from 'vitest'
import { vias } from '../../src/core/model/request.ts'
import { commands } from '../../src/features/command-table.ts'
import { measuredAs, metricsOf, type Ops } from '../support/metered.ts'
import { asks, presses } from '../support/ops.ts'
import { callApi, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

async function begin(options: TownOptions = {}): Promise<{ town: Town; bot: Ops; worker: Ops }> {
  const town = await startTown({ roles: [], ...options })
  onTestFinished(() => town.stop())
  const [bot, worker] = [await town.opens('bot'), await town.opens('worker')]
  await town.begin('worker', worker)
  await town.begin('bot', bot)
  return { town, bot, worker }
}

test('Metrics count commands, calls and open requests without names, secrets or typed words in labels', async () => {
  const { town, bot, worker } = await begin({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  const { slack, env } = town
  const ana = slack.as('U0ANA')
  await asks(ana, 'start my-tts reason="quokka for the demo"', 'Started my-tts')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await ana.types('ops', '/endpoint status no-such-quokka')
  const acks = async () => measuredAs(await metricsOf(bot), 'ack_seconds_count', { delivery: 'command' })
  await expect.poll(acks).toBe(3)
  const [read, own] = [await metricsOf(worker), await metricsOf(bot)]
  const project = 'default'
  expect(measuredAs(read, 'commands_total', { project, verb: 'start', via: 'typed', end: 'succeeded' })).toBe(1)
  expect(measuredAs(read, 'command_seconds_count', { verb: 'start', asked: 'no' })).toBe(1)
  const started = { operation: 'POST /endpoints/{endpoint_id}/start', status: '200' }
  expect(measuredAs(read, 'platform_call_seconds_count', started)).toBe(1)
  expect(measuredAs(read, 'open_requests', { state: 'awaiting' })).toBe(1)
  expect(measuredAs(read, 'oldest_open_request_seconds', { state: 'awaiting' })).toBeGreaterThan(0)
  expect(measuredAs(read, 'asks_waiting', { requirement: 'confirmation' })).toBe(1)
  expect(measuredAs(read, 'lockdown', { project })).toBe(0)
  expect(measuredAs(read, 'policy_info', { version: town.configFor('worker').policyVersion })).toBe(1)
  expect(measuredAs(read, 'saved_hours', { cause: 'idle' })).toBe(0)
  for (const one of [read, own]) {
    expect(measuredAs(one, 'queue_depth', { queue: 'changes' })).toBeGreaterThanOrEqual(0)
    expect(measuredAs(one, 'tick_age_seconds')).toBeLessThan(180)
  }

  const texts = [...read, ...own].flatMap(({ labels }) => Object.values(labels)).join('\n')
  const secrets = [slack.botToken, slack.appToken, env['PLATFORM_API_KEY'] ?? '', env['LAMPLIGHTER_KEY'] ?? '']
  for (const word of ['U0ANA', 'ana', 'quokka', 'my-tts', 'my-llm', 'ep-', 'C0OPS', ...secrets])
    expect(texts).not.toContain(word)
  const verbs = read.flatMap(({ name, labels }) => (name.startsWith('command') ? [labels['verb'] ?? ''] : []))
  expect(verbs.filter((verb) => commands.find(verb)?.name !== verb)).toEqual([])
  const ways = read.flatMap(({ labels }) => labels['via'] ?? [])
  expect(ways.filter((via) => !vias.some((known) => known === via))).toEqual([])

  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  const then = await metricsOf(worker)
  expect(measuredAs(then, 'commands_total', { verb: 'stop', end: 'succeeded' })).toBe(1)
  expect(measuredAs(then, 'command_seconds_count', { verb: 'stop', asked: 'yes' })).toBe(1)
})

test('Programs are counted by token, without its name or secret in the label', async () => {
  const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    tokens: [user:U0ANA]
`)
  const { town, worker } = await begin({ policy, env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  await town.begin('api')
  const secret = await tokenOf(town, 'U0ANA', 'token new quokka')
  await callApi(town, secret, '/v1/queries?line=list')
  const label = secret.slice('lamp_'.length, 13)
  const read = await metricsOf(worker)
  expect(measuredAs(read, 'program_requests_total', { token: label, end: 'succeeded' })).toBe(1)
  const texts = read.flatMap(({ labels }) => Object.values(labels)).join('\n')
  for (const word of ['quokka', secret.slice(13)]) expect(texts).not.toContain(word)
})

test('A person who hits the rate limit is counted', async () => {
  const { town, bot } = await begin({ env: { LAMPLIGHTER_LIMIT_PER_MINUTE: '1' } })
  const ana = town.slack.as('U0ANA')
  for (let times = 0; times < 3; times += 1) await ana.types('ops', '/endpoint list')
  expect(measuredAs(await metricsOf(bot), 'limits_hit_total', { limit: 'person' })).toBe(2)
})

test('Slack’s refusals are counted by method and reason', async () => {
  const { town, worker } = await begin()
  const fault = town.slack.fault('chat.postMessage', { kind: 'error', error: 'token_revoked' })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await expect.poll(() => fault.hits()).toBeGreaterThan(0)
  const refused = async () =>
    measuredAs(await metricsOf(worker), 'slack_refusals_total', { method: 'chat.postMessage', why: 'token_revoked' })
  await expect.poll(refused).toBeGreaterThan(0)
  fault.clear()
  const silent = town.slack.fault('chat.postMessage', { kind: 'drop-before' })
  await ana.types('ops', '/endpoint stop my-llm')
  await expect.poll(() => silent.hits()).toBeGreaterThan(0)
  const lost = async () =>
    measuredAs(await metricsOf(worker), 'slack_refusals_total', { method: 'chat.postMessage', why: 'no_answer' })
  await expect.poll(lost).toBeGreaterThan(0)
})
