import type { IncomingMessage, ServerResponse } from 'node:http'
import { say } from '../../core/model/words.ts'
import { Refusal } from './problem.ts'

/** KiB of a body. */
const mostBody = 256

export function badBody(status: 400 | 413): Refusal {
  return new Refusal({
    status,
    type: 'bad-body',
    says: say('program.badBody', { long: status === 413 ? 'yes' : 'no', most: mostBody }),
  })
}

/** How often something is sent on a stream that has nothing to tell, so that no proxy takes it for dead, ms. */
const beatEvery = 15_000

/** Begins a stream of server-sent events, with a comment every few seconds until it ends. */
export function beginStream(response: Pick<ServerResponse, 'writeHead' | 'write' | 'once'>): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const beat = setInterval(() => response.write(': waiting\n\n'), beatEvery)
  for (const end of ['finish', 'close']) response.once(end, () => clearInterval(beat))
}

/** A body as text. Throws a Refusal where it is too long or not UTF-8. */
export async function bodyText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  if (Number(request.headers['content-length']) > mostBody * 1_024) throw badBody(413)
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > mostBody * 1_024) throw badBody(413)
    parts.push(part)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts))
  } catch {
    throw badBody(400)
  }
}

/** Aborted once nobody waits for the answer any more. */
export function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

/** A request whose body was read, as `fetch` has it, without what proved who sent it. */
export function webRequest(
  { headers, method = 'POST', url = '/' }: IncomingMessage,
  body: string,
  signal: AbortSignal,
): Request {
  const secret = /^(authorization|cookie|x-slack-signature)$/
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !secret.test(name) ? [[name, value] as [string, string]] : [],
  )
  return new Request(new URL(url, 'http://localhost'), { method, headers: kept, body, signal })
}

export async function sendWeb(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, { ...Object.fromEntries(headers), 'cache-control': 'no-store' })
  for await (const part of body ?? []) response.write(part)
  response.end()
}
