import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'

/** More than this is not read, in bytes. The longest real answer, a log of 50,000 lines, stays below. */
const mostBytes = 32 * 1024 * 1024

/** Answers that send elsewhere. */
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * One pool of connections. Sockets are kept for 60 s, because a new TLS handshake after each pause costs more than
 * the call; a server that announces a shorter limit is obeyed. Connecting may take 3 s.
 */
export function keepAlive(): Agent {
  return new Agent({ keepAliveTimeout: 60_000, connect: { timeout: 3_000 } })
}

/** A request as it leaves. */
export interface Asked {
  readonly method: Dispatcher.HttpMethod
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Ends it at any moment, also in the middle of the answer. */
  readonly signal: AbortSignal
}

export interface Carried {
  readonly status: number
  readonly text: string
  /** When to come back: the answer's own words, and its time. */
  readonly retryAfter?: string | undefined
  readonly date?: string | undefined
}

/**
 * Carries a request to the platform and brings back the whole answer as text. Follows no redirect and repeats
 * nothing. Throws for no connection, for the request's own signal, for a 2xx that broke off, and for a redirect.
 * By undici's `request`, which does without the streams and copies that make its fetch three times as slow.
 */
export async function carry(dispatcher: Dispatcher, { address, headers, ...asked }: Asked): Promise<Carried> {
  const answer = await request(address, { ...asked, headers: { ...headers, 'accept-encoding': 'gzip' }, dispatcher })
  const status = answer.statusCode
  const packed = answer.headers['content-encoding'] === 'gzip'
  const text = await wholeText(packed ? unpacked(answer.body) : answer.body, isOk(status))
  if (redirects.has(status)) throw new Error('unexpected redirect')
  return { status, text, retryAfter: headerOf(answer.headers['retry-after']), date: headerOf(answer.headers['date']) }
}

/** The last of the same name counts. */
function headerOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.at(-1) : value
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 300
}

function unpacked(body: Readable): Readable {
  // What goes wrong in either is thrown to whoever reads the end.
  return pipeline(body, createGunzip(), () => undefined)
}

// A refusal is a refusal even when its text breaks off; half an answer is none.
async function wholeText(body: AsyncIterable<Uint8Array>, mustBeWhole: boolean): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw new Error(`The answer is longer than ${mostBytes} bytes.`)
      text += decoder.decode(chunk, { stream: true })
    }
  } catch (fault) {
    if (mustBeWhole) throw fault
  }
  return text + decoder.decode()
}
