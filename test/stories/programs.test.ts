import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTown, type Town } from '../support/town.ts'

const policy = `
operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
    tokens: [user:U0ANA, user:U0CLEO]
`

let town: Town
beforeEach(async () => {
  const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env: { LAMPLIGHTER_KEY } })
})
afterEach(() => town.stop())

/** Makes a token as a person does, and returns what they were sent. */
async function tokenOf(user: string, line: string): Promise<string> {
  const person = town.slack.as(user)
  await person.types('ops', `/endpoint ${line}`)
  const sent = JSON.stringify(await person.sees('lamp_', { in: '@app' }))
  return /lamp_[\w-]{65}/.exec(sent)?.[0] ?? sent
}

async function call(token: string, method: string, path: string, body?: object, key = randomBytes(8).toString('hex')) {
  const response = await fetch(`${town.api()}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('a program proposes, a person confirms, and the program learns the end', async () => {
  const token = await tokenOf('U0ANA', 'token new "ci of team a"')
  const proposed = await call(token, 'POST', '/v1/lines', { line: 'start my-tts', reason: 'the nightly job', wait: 2 })
  expect(proposed).toMatchObject({
    status: 202,
    body: {
      line: 'start my-tts because="the nightly job"',
      status: 'awaiting',
      needs: 'confirmation',
      person: 'U0ANA',
    },
  })
  expect(town.slack.transcript('ops')).toContain('🤖 proposed by ci of team a for @ana')
  expect(town.platform.changes()).toEqual([])
  await town.slack.as('U0ANA').presses('Start my-tts', { in: 'ops' })
  await town.slack.as('U0ANA').sees('Started my-tts', { in: 'ops' })
  const end = await call(token, 'GET', `/v1/requests/${String(proposed.body['id'])}`)
  expect(end).toMatchObject({ status: 200, body: { status: 'succeeded', open: false, program: 'ci of team a' } })
})
