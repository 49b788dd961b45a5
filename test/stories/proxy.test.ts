import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildProduct, launchChild, startChild, untilSays } from '../support/child.ts'
import { effects } from '../support/ends.ts'
import { asks } from '../support/ops.ts'
import { startReceiver } from '../support/receiver.ts'
import { policyOf, startTown } from '../support/town.ts'
import { createAuthority, startFront, startTunnels } from '../support/tunnels.ts'

/*
 * A network whose only way out is the proxy. Only the proxy knows the names of Slack, the platform and the webhook.
 * Their certificates come from an authority that only NODE_EXTRA_CA_CERTS names, so a direct connection fails.
 */

beforeAll(buildProduct)

const password = 'p%40ss-of-the-proxy'

const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN], approver: [user:U0BEN] }
    events:
      - { name: incidents, url: "https://events.test/hook", secret_env: EVENTS_SECRET, allow_private: true }
`)

async function begin() {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const endpoints = [{ id: 'ep-tts', name: 'my-tts', active: false }]
  const env = { EVENTS_SECRET: 'only the receiver and we know this' }
  const town = await startTown({ policy, roles: [], endpoints, env })
  onTestFinished(() => town.stop())
  const authority = createAuthority(['slack.test', 'platform.test', 'events.test', 'localhost'])
  onTestFinished(() => authority.stop())
  const slack = new URL(town.slack.url).origin
  const events = new URL(receiver.url).origin
  const here = { 'slack.test': slack, localhost: slack, 'events.test': events }
  const servers = { ...here, 'platform.test': new URL(town.platform.url).origin }
  const front = await startFront(authority, servers)
  onTestFinished(() => front.stop())
  return { town, authority, front, receiver }
}

async function behindProxy(...names: readonly string[]) {
  const { town, authority, front, receiver } = await begin()
  const ways = Object.fromEntries(names.map((name) => [`${name}:443`, front.port]))
  const proxy = await startTunnels(ways, 'lamp:p@ss-of-the-proxy')
  onTestFinished(() => proxy.stop())
  town.slack.workspace.origin = 'https://slack.test'
  const env = {
    SLACK_API_URL: 'https://slack.test/api/',
    PLATFORM_BASE_URL: `https://platform.test${new URL(town.platform.url).pathname}`,
    HTTPS_PROXY: `http://lamp:${password}@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: authority.file,
  }
  return { town, proxy, env, receiver }
}

test('Bot and worker reach Slack, the platform and webhooks only through the proxy', async () => {
  const { town, proxy, env, receiver } = await behindProxy('slack.test', 'platform.test', 'events.test')
  const worker = await startChild(town, 'worker', env)
  onTestFinished(() => worker.stop())
  const bot = await startChild(town, 'bot', env)
  onTestFinished(() => bot.stop())
  await town.slack.sockets.connected(2)
  const ana = town.slack.as('U0ANA')
  const ben = town.slack.as('U0BEN')
  // On a busy machine the first look-up of a role may time out.
  const answers = async () => {
    await ana.types('ops', '/endpoint doctor')
    const seen = ana.sees(/incidents: nothing delivered yet/, { in: 'ops', timeoutMs: 10_000 })
    return seen.then(
      () => true,
      () => false,
    )
  }
  await expect.poll(answers).toBe(true)
  await asks(ana, 'start my-tts', 'Started my-tts; it’s serving.')
  // One answer goes to Slack's own response URL, and the export uploads two files.
  await asks(ana, 'status my-tts', 'running · 1 replica')
  await ben.types('ops', '/endpoint history export')
  await expect.poll(() => town.slack.calls('files.completeUploadExternal').length).toBe(2)
  expect(effects(town)).toEqual(['start'])
  await expect.poll(() => receiver.calls.map(({ body }) => body['type'])).toContain('request.ended')
  expect(new Set(proxy.asked)).toEqual(new Set(['slack.test:443', 'platform.test:443', 'events.test:443']))
  expect(proxy.refused).toEqual([])
  expect(bot.log() + worker.log()).not.toContain('of-the-proxy')
})

test('A proxy that refuses Slack is named as the reason, without its password', async () => {
  const { town, proxy, env } = await behindProxy('platform.test')
  const bot = launchChild(town, 'bot', env)
  onTestFinished(() => bot.stop())
  await untilSays(bot, 'waiting for Slack')
  expect(bot.log()).toContain('The proxy refuses to connect (403).')
  expect(new Set(proxy.refused)).toEqual(new Set(['slack.test:443']))
  expect(bot.log()).not.toContain('of-the-proxy')
})

test('A platform that the proxy refuses gets no call', async () => {
  const { town, env } = await behindProxy('slack.test')
  for (const role of ['worker', 'bot'] as const) {
    const child = await startChild(town, role, env)
    onTestFinished(() => child.stop())
  }
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'status my-tts', '(The proxy refuses to connect (403).), so nothing was sent')
})

test('A private authority also works without a proxy, and only if it is named', async () => {
  const { town, authority, front } = await begin()
  town.slack.workspace.origin = `https://localhost:${front.port}`
  // No proxy listens there: local addresses bypass it.
  const env = { SLACK_API_URL: `https://localhost:${front.port}/api/`, HTTPS_PROXY: 'http://127.0.0.1:1' }
  const stranger = launchChild(town, 'bot', env)
  onTestFinished(() => stranger.stop())
  await untilSays(stranger, 'waiting for Slack')
  expect(stranger.log()).toMatch(/certificate/)
  const bot = await startChild(town, 'bot', { ...env, NODE_EXTRA_CA_CERTS: authority.file })
  onTestFinished(() => bot.stop())
  await town.slack.sockets.connected(2)
})
