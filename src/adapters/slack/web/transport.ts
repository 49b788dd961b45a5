import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FetchFunction } from '@slack/web-api'
import { Agent, type Dispatcher, request } from 'undici'

type Init = NonNullable<Parameters<FetchFunction>[1]>
type Response = Awaited<ReturnType<FetchFunction>>

/** More than this is not read, in bytes. A page of the longest list that is asked for stays far below. */
const mostBytes = 16 * 1024 * 1024

/** Answers that send elsewhere: to go there would take the token along. */
const redirects = new Set([301, 302, 303, 307, 308])

/** A card is edited every few seconds while something happens, and a new TLS handshake costs more than the edit. */
const pool = new Agent({ keepAliveTimeout: 30_000 })

/**
 * What the Slack client sends its calls with, in place of `fetch`: by undici's `request`, which does without the
 * streams and copies of both. Sends once, follows no redirect, and brings the whole answer. Throws for no connection,
 * for the call's own signal (the client's time-out), for a redirect, and for a 2xx that broke off or is too long.
 */
export async function carry(url: string | URL, init: Init = {}): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init
  // Only bytes are sent as a form, which is `fetch`'s to write.
  if (body instanceof FormData) return fetch(url, { ...init, redirect: 'error' })
  const answer = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers, 'accept-encoding': 'gzip' },
    body: body ?? null,
    signal: signal ?? null,
    dispatcher: pool,
  })
  const { statusCode: status, statusText } = answer
  if (redirects.has(status)) {
    await answer.body.dump()
    throw new Error(`Slack's address answered with a redirect (${status}), which is not followed.`)
  }
  const ok = status >= 200 && status < 300
  const packed = answer.headers['content-encoding'] === 'gzip'
  const bytes = await whole(packed ? unpacked(answer.body) : answer.body, ok)
  return {
    ok,
    status,
    statusText,
    url: String(url),
    headers: headersOf(answer.headers),
    text: async () => bytes.toString(),
    json: async (): Promise<unknown> => JSON.parse(bytes.toString()),
    arrayBuffer: async () => Uint8Array.from(bytes).buffer,
  }
}

function unpacked(body: Readable): Readable {
  // What goes wrong in either is thrown to whoever reads the end.
  return pipeline(body, createGunzip(), () => undefined)
}

// A refusal is a refusal even when its text breaks off, and says in its headers when to come again.
async function whole(body: AsyncIterable<Buffer>, mustBeWhole: boolean): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.byteLength
      if (length > mostBytes) throw new Error(`Slack's answer is longer than ${mostBytes} bytes.`)
      chunks.push(chunk)
    }
  } catch (fault) {
    if (mustBeWhole) throw fault
  }
  return Buffer.concat(chunks)
}

function headersOf(given: Dispatcher.ResponseData['headers']): Response['headers'] {
  const all = Object.entries(given).map(([name, value]): [string, string] => [name, [value ?? []].flat().join(', ')])
  return {
    get: (name) => all.find(([one]) => one === name.toLowerCase())?.[1] ?? null,
    entries: () => all,
  }
}
