import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as z from 'zod'
import { longestLine } from '../../core/commands/parse.ts'
import { say } from '../../core/model/words.ts'
import type { Clock, Log } from '../../core/ports/services.ts'
import type { IntakeContext } from '../../core/requests/accept.ts'
import { acceptFromProgram, type ProgramResult } from '../../core/requests/accept-program.ts'
import { listenAt } from '../http/listen.ts'
import { answerView } from './answer-text.ts'
import { createCallers, type TokenCaller } from './caller.ts'
import { type LinkTo, look, states } from './follow.ts'
import openapi from './openapi.json' with { type: 'json' }
import { type Problem, sendJson, sendProblem } from './problem.ts'

export interface ApiOptions extends Pick<IntakeContext, 'gateways' | 'commands'> {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly clock: Clock
  readonly linkTo: LinkTo
  readonly log: Pick<Log, 'info' | 'error'>
}

/** KiB of a body. */
const mostBody = 256
/** The longest that a call may wait for a request, s, and a stream may last, ms. */
const [longestWait, longestStream] = [60, 30 * 60_000]

const body = z.strictObject({
  line: z.string().min(1).max(longestLine),
  reason: z.string().max(300).optional(),
  wait: z.number().int().min(0).max(longestWait).optional(),
})

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly caller: TokenCaller
}

/** What a route throws to answer with it. */
class Refusal extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.type)
    this.problem = problem
  }
}

/**
 * Serves programs: `POST /v1/lines`, `GET /v1/requests/{id}`, `GET /v1/queries` and `GET /v1/me`, and their description. Each takes a
 * token; no cookie is read or set. Throws Misconfigured if the port cannot be had.
 */
export async function startApiServer(options: ApiOptions): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const { gateways, commands, clock, linkTo, log } = options
  const callerOf = createCallers(gateways, clock)
  const open = new AbortController()

  const routes: readonly (readonly [method: string, path: RegExp, run: (call: Call, id: string) => Promise<void>])[] = [
    ['POST', /^\/v1\/lines$/, propose],
    ['GET', /^\/v1\/requests\/([\w-]{1,64})$/, show],
    ['GET', /^\/v1\/queries$/, query],
    ['GET', /^\/v1\/me$/, me],
  ]

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/v1/openapi.json' && request.method === 'GET') return sendJson(response, 200, openapi)
    const there = routes.filter(([, path]) => path.test(url.pathname))
    const path = url.pathname.slice(0, 200)
    if (there.length === 0) throw new Refusal({ status: 404, type: 'no-page', says: say('program.noPage', { path }) })
    const found = there.find(([method]) => method === request.method)
    if (found === undefined) {
      const says = say('program.badMethod', {
        method: request.method ?? '',
        allowed: { any: there.map(([one]) => one) },
      })
      throw new Refusal({ status: 405, type: 'bad-method', says })
    }
    const caller = await callerOf(request.headers.authorization)
    if ('status' in caller) throw new Refusal(caller)
    const [, pattern, run] = found
    await run({ request, response, url, caller }, pattern.exec(url.pathname)?.[1] ?? '')
  }

  async function propose({ request, response, caller }: Call): Promise<void> {
    const { line, reason, wait = 0 } = await bodyOf(request)
    const key = request.headers['idempotency-key']
    if (key === undefined) throw new Refusal({ status: 400, type: 'no-key', says: say('program.keyMissing') })
    if (typeof key !== 'string' || !/^[!-~]{8,100}$/.test(key))
      throw new Refusal({ status: 400, type: 'bad-key', says: say('program.badKey') })
    const id = idOf(await acceptFromProgram({ commands, clock }, caller, { line, reason, key, wants: 'operation' }))
    let view = null
    for await (const state of states(caller, id, linkTo, { ms: wait * 1_000, signal: open.signal })) view = state
    const headers = { location: `/v1/requests/${id}` }
    return sendJson(response, view?.open === false ? 200 : 202, view ?? { id, open: true }, headers)
  }

  async function query({ request, response, url, caller }: Call): Promise<void> {
    const line = url.searchParams.get('line') ?? ''
    const key = `${clock.now()} ${crypto.randomUUID()}`
    const taken = await acceptFromProgram({ commands, clock }, caller, { line, key, wants: 'query' })
    if (taken.kind === 'answered') {
      const { answer } = taken
      return sendJson(response, 200, { answer: { en: answerView(answer, 'en'), ko: answerView(answer, 'ko') } })
    }
    const id = idOf(taken)
    let view = null
    for await (const state of states(caller, id, linkTo, { ms: 20_000, signal: open.signal })) view = state
    if (request.socket.destroyed) return
    return sendJson(response, view?.open === false ? 200 : 202, view ?? { id, open: true })
  }

  async function me({ response, caller }: Call): Promise<void> {
    const { gateway, actor, through, role, until } = caller
    const view = { person: actor.user, project: gateway.project, token: through.name, role }
    return sendJson(response, 200, { ...view, until: new Date(until).toISOString() })
  }

  async function show({ request, response, caller }: Call, id: string): Promise<void> {
    const missing = new Refusal({ status: 404, type: 'no-request', says: say('program.noRequest', { id }) })
    if (!(request.headers.accept ?? '').includes('text/event-stream')) {
      const view = await look(caller, id, linkTo)
      if (view === null) throw missing
      return sendJson(response, 200, view)
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([open.signal, gone.signal])
    for await (const view of states(caller, id, linkTo, { ms: longestStream, signal })) {
      if (view === null) throw missing
      if (!response.headersSent)
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write(`event: ${view.open ? 'state' : 'end'}\ndata: ${JSON.stringify(view)}\n\n`)
      // Who streams is asked for again at each state: a revoked token hears nothing more.
      if (view.open && 'status' in (await callerOf(request.headers.authorization))) break
    }
    response.end()
  }

  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 75_000 },
    (request, response) => {
      route(request, response).catch((error: unknown) => {
        if (error instanceof Refusal) return sendProblem(response, error.problem)
        log.error({ err: error }, 'a call of a program failed')
        sendProblem(response, { status: 500, type: 'fault', says: say('program.fault') })
      })
    },
  )
  server.maxConnections = 500
  const port = await listenAt(server, { host: options.host, port: options.port, variable: 'LAMPLIGHTER_API_PORT' })
  log.info({ host: options.host, port }, 'the port for programs is open')
  return {
    port,
    async stop() {
      open.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const force = setTimeout(() => server.closeAllConnections(), 2_000)
      await closed
      clearTimeout(force)
    },
  }
}

const statusOf = {
  line: 422,
  'other kind': 422,
  'not allowed': 403,
  'too much': 429,
  'other line': 409,
  storage: 503,
} as const

/** Of what was taken; refuses otherwise. */
function idOf(result: ProgramResult): string {
  if (result.kind === 'taken') return result.id
  if (result.kind === 'answered') throw new Error('Only a query is answered at once.')
  const { why, says, offers } = result
  const status = statusOf[why]
  throw new Refusal({
    status,
    type: why.replaceAll(' ', '-'),
    says,
    ...(offers !== undefined && { offers }),
    ...((status === 429 || status === 503) && { retryAfter: 30 }),
  })
}

async function bodyOf(request: IncomingMessage): Promise<z.infer<typeof body>> {
  const bad = (status: number) =>
    new Refusal({ status, type: 'bad-body', says: say('program.badBody', { most: mostBody }) })
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > mostBody * 1_024) throw bad(413)
    parts.push(part)
  }
  let read: unknown
  try {
    read = JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    throw bad(400)
  }
  const checked = body.safeParse(read)
  if (!checked.success) throw bad(400)
  return checked.data
}
