import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { callApi, proposeTo, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN], approver: [user:U0BEN], admin: [user:U0BEN] }
    tokens: [user:U0ANA]
`)
/* Programs while Slack is slow or fails for a moment. */

let town: Town
afterEach(() => town.stop())

test('A program gets the link to its question although Slack takes a second and a half for each permalink', async () => {
  town = await startTown({
    policy,
    roles: ['worker', 'bot', 'api'],
    env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') },
  })
  const token = await tokenOf(town, 'U0ANA', 'token new ci')
  const fault = town.slack.fault('chat.getPermalink', { kind: 'delay', ms: 1_500 })
  const { body } = await proposeTo(town, token, 'stop my-llm')
  let link: unknown
  for (let n = 0; n < 10 && typeof link !== 'string'; n += 1) {
    ;({ link } = (await callApi(town, token, `/v1/requests/${String(body['id'])}`)).body)
    await pause(500)
  }
  expect(fault.hits()).toBeGreaterThan(0)
  expect(link).toEqual(expect.stringContaining('http'))
})

test('A call that waits outlives a moment in which Slack doesn’t answer', async () => {
  town = await startTown({
    policy,
    roles: ['worker', 'bot', 'api'],
    env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') },
  })
  const token = await tokenOf(town, 'U0ANA', 'token new ci')
  const waiting = callApi(town, token, '/v1/lines', { line: 'stop my-llm', reason: 'x', wait: 60 }, 'one')
  const ben = town.slack.as('U0BEN')
  await ben.sees('[Stop my-llm]', { in: 'ops' })
  let fault: { hits(): number; clear(): void } | undefined
  town.platform.onCall(({ operation, when }) => {
    if (operation === 'stopEndpoint' && when === 'before answering')
      fault ??= town.slack.fault('users.info', { kind: 'status', status: 503 })
  })
  await ben.presses('Stop my-llm', { in: 'ops' })
  await expect.poll(() => fault?.hits() ?? 0).toBeGreaterThan(0)
  await pause(1_500)
  fault?.clear()
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'succeeded' } })
})
