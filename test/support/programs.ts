import { randomBytes } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { Town } from './town.ts'

export interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Creates a token as a person does, and returns the secret that they receive. */
export async function tokenOf({ slack }: Town, user: string, line: string): Promise<string> {
  const person = slack.as(user)
  const sent = () => [...slack.transcript(user).matchAll(/lamp_[\w-]{65}/g)].map(([secret]) => secret)
  const before = sent()
  await person.types('ops', `/endpoint ${line}`)
  return vi.waitFor(
    () => {
      const found = sent().find((one) => !before.includes(one))
      if (found === undefined) throw new Error(`No token came: ${slack.transcript(user)}`)
      return found
    },
    { timeout: 60_000 },
  )
}

export async function callApi(
  town: Town,
  token: string,
  path: string,
  body?: object,
  key = randomBytes(8).toString('hex'),
): Promise<Answered> {
  const response = await fetch(`${town.api()}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answered['body'] }
}

/** Proposes a line, and returns the answer once a worker has taken up the request. */
export async function proposeTo(town: Town, token: string, line: string, key?: string): Promise<Answered> {
  const proposal = line.includes('reason=') ? { line } : { line, reason: 'the nightly job' }
  const first = await callApi(town, token, '/v1/lines', proposal, key)
  if (first.status !== 202) return first
  const look = () => callApi(town, token, `/v1/requests/${String(first.body['id'])}`)
  await expect.poll(async () => (await look()).body['status'] ?? 'received').not.toBe('received')
  return { status: first.status, body: (await look()).body }
}
