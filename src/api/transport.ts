import type { Dispatcher } from 'undici'
import { Agent } from 'undici'

/** undici's own fetch: only that one is sure to understand an Agent of the same package on every Node. */
export type Fetch = typeof import('undici').fetch

/** More than this is not read, in bytes. The longest real answer, a log of 50,000 lines, stays below. */
const mostBytes = 32 * 1024 * 1024

/**
 * One pool of connections. Sockets are kept for 60 s, because a new TLS handshake after each pause costs more than
 * the call; a server that announces a shorter limit is obeyed. Connecting may take 3 s.
 */
export function keepAlive(): Agent {
  return new Agent({ keepAliveTimeout: 60_000, connect: { timeout: 3_000 } })
}

export interface Carried {
  readonly status: number
  readonly text: string
}

/**
 * Carries a request to the platform and brings back the whole answer as text. Follows no redirect and repeats
 * nothing. Throws what fetch throws: for no connection, for the request's own signal, for a 2xx that broke off.
 */
export async function carry(fetch: Fetch, dispatcher: Dispatcher, request: Request): Promise<Carried> {
  const answer = await fetch(request.url, {
    method: request.method,
    headers: [...request.headers],
    body: request.body === null ? null : await request.text(),
    redirect: 'error',
    signal: request.signal,
    dispatcher,
  })
  return { status: answer.status, text: await wholeText(answer.body, answer.ok) }
}

// A refusal is a refusal even when its text breaks off; half an answer is none.
async function wholeText(body: AsyncIterable<Uint8Array> | null, mustBeWhole: boolean): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw new Error(`The answer is longer than ${mostBytes} bytes.`)
      text += decoder.decode(chunk, { stream: true })
    }
  } catch (fault) {
    if (mustBeWhole) throw fault
  }
  return text + decoder.decode()
}
