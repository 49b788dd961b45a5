import type { IncomingMessage, ServerResponse } from 'node:http'
import { defined } from '../../core/model/defined.ts'
import type { Offer } from '../../core/model/query-answer.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { ProgramResult } from '../../core/requests/accept-program.ts'
import { inEach, plainText } from '../../core/words/plain.ts'
import { sendJson } from '../http/listen.ts'

/** An unsuccessful answer: a problem object (RFC 9457), with its sentence in each language. */
export interface Problem {
  readonly status: number
  /** The end of the URN in `type`, for programs: `not-allowed`. */
  readonly type: string
  readonly says: Words
  readonly offers?: readonly Offer[]
  readonly field?: string
  /** The methods that the URL accepts. */
  readonly allowed?: readonly string[]
  /** s. */
  readonly retryAfter?: number
}

export class Refusal extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.type)
    this.problem = problem
  }
}

export function noRequest(id: string): Refusal {
  return new Refusal({ status: 404, type: 'no-request', says: say('program.noRequest', { id }) })
}

const statusOf = {
  line: 422,
  'other kind': 422,
  'not allowed': 403,
  'too much': 429,
  'too often': 429,
  'other line': 409,
  storage: 503,
} as const

/** Returns the id of an accepted request. Throws a Refusal otherwise. */
export function acceptedId(result: ProgramResult): string {
  if (result.kind === 'accepted') return result.id
  if (result.kind === 'answered') throw new Error('Only a query is answered right away.')
  const { why, says, offers } = result
  const status = statusOf[why]
  throw new Refusal({
    status,
    type: why.replaceAll(' ', '-'),
    says,
    ...(offers !== undefined && { offers }),
    ...((status === 429 || status === 503) && { retryAfter: why === 'too often' ? 60 : 30 }),
  })
}

export function problemBody({ status, type, says, offers = [], field }: Problem) {
  const lines = offers.map(({ line }) => line)
  return {
    type: `urn:lamplighter:${type}`,
    title: plainText(say('program.problem', { type: type.replaceAll('-', '_') }), 'en'),
    status,
    says: inEach(says),
    ...(field !== undefined && { field }),
    ...(lines.length > 0 && { perhaps: lines }),
  }
}

/** Shows a problem as the view of a request, so that an early refusal looks like a later one. */
export function refusedView(status: number, { type, field, perhaps }: Partial<ReturnType<typeof problemBody>>): object {
  // A call that failed says nothing about the request.
  const isKnown = status !== 429 && status < 500
  return {
    ...(isKnown && { status: 'refused', open: false }),
    ...(type !== undefined && { why: type.replace('urn:lamplighter:', '') }),
    ...defined({ field, perhaps }),
  }
}

export function sendProblem(response: ServerResponse, problem: Problem, headers: object = {}): void {
  if (response.headersSent) return void response.end()
  const { status, retryAfter, allowed } = problem
  sendJson(response, status, problemBody(problem), {
    'content-type': 'application/problem+json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...((status === 413 || status === 415) && { connection: 'close' }),
    ...(allowed !== undefined && { allow: allowed.join(', ') }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...headers,
  })
}

/** The longest body, KiB. */
const mostBody = 256

export function badBody(status: 400 | 413): Refusal {
  return new Refusal({
    status,
    type: 'bad-body',
    says: say('program.badBody', { long: status === 413 ? 'yes' : 'no', most: mostBody }),
  })
}

/** How often a quiet stream gets a comment, so that no proxy takes it for dead, ms. */
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

/** Reads a body as text. Throws a Refusal if it is too long or not UTF-8. */
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

/**
 * Turns a request whose body was read into a `fetch` request, without the headers that proved its sender. Its signal
 * aborts once nobody is waiting for the response.
 */
export function webRequest(
  { headers, method = 'POST', url = '/' }: IncomingMessage,
  body: string,
  response: ServerResponse,
): Request {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const secret = /^(authorization|cookie|x-slack-signature)$/
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !secret.test(name) ? [[name, value] as [string, string]] : [],
  )
  return new Request(new URL(url, 'http://localhost'), { method, headers: kept, body, signal: gone.signal })
}

export async function sendWeb(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, { ...Object.fromEntries(headers), 'cache-control': 'no-store' })
  for await (const part of body ?? []) response.write(part)
  response.end()
}
