import type { ServerResponse } from 'node:http'
import type { Offer } from '../../core/model/answer.ts'
import { say, type Words } from '../../core/model/words.ts'
import { inEach, plainText } from '../../core/words/plain.ts'

/** An answer that is no success: a problem object (RFC 9457), with the sentence in each language. */
export interface Problem {
  readonly status: number
  /** Ends the address in `type`, for programs: `not-allowed`. */
  readonly type: string
  readonly says: Words
  readonly offers?: readonly Offer[]
  /** The field of the body that is wrong. */
  readonly field?: string
  /** The methods that the address takes instead. */
  readonly allowed?: readonly string[]
  /** s. */
  readonly retryAfter?: number
}

/** What a call throws to be answered with a problem. */
export class Refusal extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.type)
    this.problem = problem
  }
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

/** A problem as the view of a request: what is refused at the door looks as what is refused later. */
export function refusedView(status: number, { type, field, perhaps }: Partial<ReturnType<typeof problemBody>>): object {
  return {
    status: status === 429 || status >= 500 ? 'failed' : 'refused',
    open: false,
    ...(type !== undefined && { why: type.replace('urn:lamplighter:', '') }),
    ...(field !== undefined && { field }),
    ...(perhaps !== undefined && { perhaps }),
  }
}

export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) return void response.end()
  const { status, retryAfter, allowed } = problem
  sendJson(response, status, problemBody(problem), {
    'content-type': 'application/problem+json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...((status === 413 || status === 415) && { connection: 'close' }),
    ...(allowed !== undefined && { allow: allowed.join(', ') }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  })
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  response.end(`${JSON.stringify(body)}\n`)
}
