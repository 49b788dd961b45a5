import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../sandbox/redis/port.ts'
import { effects, theEnd } from '../support/ends.ts'
import { asks, policyApplied } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

const signingSecret = 'a-secret-of-this-test-only-0123456789'

let town: Town
beforeEach(async () => {
  const port = await freePort()
  town = await startTown({
    slack: { mode: 'http', signingSecret, requestUrl: `http://127.0.0.1:${port}/slack/events` },
    env: { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: signingSecret, PORT: String(port) },
  })
})
afterEach(() => town.stop())

test('A signed workflow step is carried out, and a forged one does nothing', async () => {
  await policyApplied(
    town,
    policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN] }
    workflows: [user:U0ANA]
`),
  )
  const inputs = { endpoint: 'my-tts', person: 'U0ANA', reason: 'the nightly evaluation' }
  const { id, answer } = await town.slack.workflows.run('start_endpoint', inputs)
  expect(answer).toBe('acked')
  await town.slack.as('U0BEN').presses('Start my-tts', { in: 'ops' })
  expect(await town.slack.workflows.ended(id)).toMatchObject({ state: 'completed', outputs: { decided_by: 'U0BEN' } })
  // Slack repeats a delivery with a new timestamp and signature.
  expect(await town.slack.link.sendAgain(0)).toMatchObject({ kind: 'acked' })
  const [step] = town.slack.link.sent
  const forged = {
    ...step!,
    payload: { ...step!.payload, event: { ...Object(step!.payload['event']), function_execution_id: 'Fx1' } },
  }
  expect(await town.slack.http.forge(forged, { signature: `v0=${'0'.repeat(64)}` })).toMatchObject({ status: 401 })
  await timePassesUntil(town, town.calm())
  expect(effects(town)).toEqual(['start'])
  expect(town.slack.calls('functions.completeSuccess')).toHaveLength(1)
})

test('A signed command starts an endpoint; delivered again, byte for byte, it is the same request', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Started my-tts')
  town.platform.console.stop('ep-tts')
  await town.slack.link.sendAgain(0)
  await town.minutesPass(11)
  await town.slack.link.sendAgain(0)
  await town.calm()
  expect(effects(town)).toEqual(['start', 'stop'])
  expect(theEnd(town)).toContain('Started my-tts')
  expect(await town.slack.http.verifyUrl()).toBe(true)
})

test.each([
  ['another signature', { signature: `v0=${'0'.repeat(64)}` }],
  ['no signature', { signature: '' }],
  ['a time stamp of an hour ago', { skewS: -3_600 }],
  ['a time stamp of the day after tomorrow', { skewS: 2 * 86_400 }],
  ['the words of a certificate check before it', { signature: '', prefix: 'ssl_check=1&' }],
])('A press with %s does nothing', async (_, tamper) => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  const press = await capture(() => ana.pressesRaw(button))
  const { status } = await town.slack.http.forge(press, tamper)
  expect([200, 401]).toContain(status)
  await town.minutesPass(1)
  await town.calm()
  expect(effects(town)).toEqual([])
  expect(town.slack.transcript('ops')).toContain('[Stop my-llm]')
  // Without the forgery the same press works.
  expect(await town.slack.http.forge(press, {})).toMatchObject({ status: 200 })
  await ana.sees(/^Stopped my-llm\./, { in: 'ops' })
})

test('A signed body that Slack would never send is refused without an internal error', async () => {
  const user = { id: 'U0ANA', team_id: 'T0SANDBOX' }
  const action = { action_id: 'line', block_id: 'b', type: 'button', value: 'list' }
  const view = { id: 'V1', private_metadata: '{}', callback_id: 'form', state: { values: {} } }
  const whole: readonly Record<string, unknown>[] = [
    { type: 'block_actions', user, trigger_id: 't', actions: [action], channel: { id: 'C0OPS' } },
    { type: 'block_suggestion', user, action_id: 'endpoint', block_id: 'b', value: 'my', view },
    { type: 'view_submission', user, view },
    { type: 'shortcut', user, callback_id: 'lamplighter', trigger_id: 't' },
    { type: 'event_callback', event: { type: 'app_home_opened', user: 'U0ANA', tab: 'home' } },
  ]
  const wrong = [undefined, null, 7, 'x', [], [null], {}, { id: 7 }]
  const bodies = whole.flatMap((body) =>
    Object.keys(body)
      .filter((key) => key !== 'type')
      .flatMap((key) => wrong.map((value) => JSON.stringify({ ...body, [key]: value }))),
  )
  const commands = ['command=%2Fendpoint', 'command=%2Fendpoint&text=list', 'command=%2Fendpoint&user_id=U0ANA']
  const all = [...bodies.map((payload) => new URLSearchParams({ payload }).toString()), ...commands]
  const statuses = await Promise.all(all.map(posted))
  expect(all.filter((_, at) => (statuses[at] ?? 0) >= 500)).toEqual([])
})

/** Posts a body with a valid signature. */
async function posted(body: string): Promise<number> {
  const stamp = Math.floor(town.clock.now() / 1_000)
  const mac = createHmac('sha256', signingSecret).update(`v0:${stamp}:${body}`).digest('hex')
  const { status } = await fetch(`http://127.0.0.1:${town.env['PORT']}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-signature': `v0=${mac}`,
      'x-slack-request-timestamp': String(stamp),
    },
  })
  return status
}

/** Captures what Slack would send by pointing it at an address where nothing listens. */
async function capture(act: () => Promise<unknown>) {
  const { http } = town.slack
  const home = `http://127.0.0.1:${town.env['PORT']}/slack/events`
  http.setRequestUrl('http://127.0.0.1:1/')
  await act()
  http.setRequestUrl(home)
  return http.sent.at(-1)!
}
