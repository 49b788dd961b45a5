import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { manualOf } from '../../core/commands/help.ts'
import { longestLine } from '../../core/commands/parse.ts'
import { jsonIn } from '../../core/model/formats.ts'
import { type Language, say } from '../../core/model/words.ts'
import { endsItself } from '../../core/policy/programs.ts'
import { LeaseLost, type Log } from '../../core/ports/services.ts'
import type { ProgramCaller } from '../../core/requests/accept-program.ts'
import { type IntakeContext, languageFor } from '../../core/requests/gateway.ts'
import { plainText } from '../../core/words/plain.ts'
import { closeGently, listenAt, sendJson } from '../http/listen.ts'
import { calendarOf } from './calendar.ts'
import { createCallers, type TokenCaller } from './caller.ts'
import { type ApiReply, createCalls, type FollowContext, states } from './calls.ts'
import openapi from './openapi.json' with { type: 'json' }
import {
  badBody,
  beginStream,
  bodyText,
  noRequest,
  type Problem,
  problemBody,
  Refusal,
  sendProblem,
  sendWeb,
  webRequest,
} from './problem.ts'

export interface ApiOptions extends Omit<FollowContext, 'isGone'>, Pick<IntakeContext, 'gateways'> {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Whether Slack signed a body, so that it may name the person it acts for; undefined: it never may. */
  readonly isFromSlack?: ((headers: IncomingHttpHeaders, body: string) => Promise<boolean>) | undefined
  readonly log: Pick<Log, 'info' | 'error'>
}

const base = 'http://localhost'

/** Ends the connections of callers without a token: kept open, they would soon use up the limit. */
const closing = { connection: 'close' }

/** The longest reason, in characters. */
const longestReason = 300
/** How long a call may wait for a request, s, and a stream may last, ms. */
const [longestWait, longestStream] = [60, 30 * 60_000]
/** How often, a second apart, a stream asks who the owner of its token is. */
const mostChecks = 60

const body = z.strictObject({
  line: z.string().min(1).max(longestLine),
  reason: z.string().max(longestReason).optional(),
  wait: z.number().int().min(0).max(longestWait).optional(),
})

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
}

/** Takes a token, or at `/mcp` Slack's signature, but no cookie. Throws Misconfigured if the port cannot be opened. */
export async function startApiServer(options: ApiOptions): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const { gateways, commands, clock, linkTo, log, isFromSlack } = options
  let isStopping = false
  /** The answers to proven callers. */
  const proven = new WeakSet<ServerResponse>()
  const callers = createCallers(gateways, clock)
  // A caller that has hung up no longer waits, so only open calls count.
  const contextOf = (response: ServerResponse) => ({
    commands,
    clock,
    linkTo,
    isGone: () => isStopping || response.closed,
  })

  const routes: readonly (readonly [method: string, path: RegExp, run: (call: Call, id: string) => Promise<void>])[] = [
    ['POST', /^\/v1\/lines$/, propose],
    ['GET', /^\/v1\/requests\/([\w-]{1,64})$/, show],
    ['GET', /^\/v1\/queries$/, query],
    ['GET', /^\/v1\/me$/, me],
    ['GET', /^\/v1\/openapi\.json$/, async ({ response }) => sendJson(response, 200, openapi, closing)],
    ['GET', /^\/v1\/calendar\/([\w-]{1,100})\.ics$/, calendar],
    ['POST', /^\/mcp$/, mcp],
  ]

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: asked = '/' } = request
    // A request may ask for `//`, which is not a valid URL.
    const url = new URL(URL.canParse(asked, base) ? asked : '/', base)
    const there = routes.filter(([, path]) => path.test(url.pathname))
    const path = url.pathname.slice(0, 200)
    if (there.length === 0) throw new Refusal({ status: 404, type: 'no-page', says: say('program.noPage', { path }) })
    // Node sends no body with HEAD.
    const found = there.find(([method]) => method === (request.method === 'HEAD' ? 'GET' : request.method))
    if (found === undefined) {
      const allowed = there.flatMap(([one]) => (one === 'GET' ? [one, 'HEAD'] : [one]))
      const says = say('program.badMethod', { method: request.method ?? '', allowed: { any: allowed } })
      throw new Refusal({ status: 405, type: 'bad-method', says, allowed })
    }
    const [, pattern, run] = found
    await run({ request, response, url }, pattern.exec(url.pathname)?.[1] ?? '')
  }

  async function callerOf({ request, response }: Omit<Call, 'url'>, found?: TokenCaller | Problem) {
    const caller = known(found ?? (await callers.byToken(request.headers.authorization)))
    proven.add(response)
    return known(callers.whyBusy(caller, response) ?? caller)
  }

  async function propose({ request, response }: Call): Promise<void> {
    const caller = await callerOf({ request, response })
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      throw new Refusal({ status: 415, type: 'bad-content-type', says: say('program.badContentType') })
    const { error, data } = body.safeParse(jsonIn(await bodyText(request)))
    if (error !== undefined) throw badField(error.issues[0])
    const reply = await createCalls(contextOf(response)).propose(caller, {
      ...data,
      key: request.headers['idempotency-key'],
    })
    const { id, line = '' } = reply.body as { readonly id: string; readonly line?: string }
    const own = commands.stored(line)
    // The token may have been revoked during the wait. A line that ends its own token is still answered.
    if (data.wait && (own === null || !endsItself(caller, own)))
      known(await checkedAgain(request, contextOf(response).isGone))
    sendJson(response, reply.status, reply.body, { location: `/v1/requests/${id}` })
  }

  async function query({ request, response, url }: Call): Promise<void> {
    const caller = await callerOf({ request, response })
    // Without its line, a query would be answered with the whole manual.
    const field = [...url.searchParams.keys()].find((name) => name !== 'line')?.slice(0, 100)
    if (field !== undefined)
      throw new Refusal({ status: 400, type: 'bad-query', field, says: say('program.badQuery', { field }) })
    const reply = await createCalls(contextOf(response)).query(caller, url.searchParams.get('line') ?? '')
    sendJson(response, reply.status, reply.body)
  }

  async function me({ request, response }: Call): Promise<void> {
    const { authorization } = request.headers
    const found = await callers.byToken(authorization)
    // A terminal polls this until its person has approved the login.
    const isNew = 'status' in found && found.type === 'bad-token'
    const end = isNew ? await callers.endOfLogin(authorization, commands) : null
    const { gateway, actor, through, role, until } = await callerOf({ request, response }, end ?? found)
    const [name] = (await gateway.namesOf(actor.user)) ?? []
    const view = { person: actor.user, name, project: gateway.project, token: through.name, role }
    sendJson(response, 200, { ...view, until: new Date(until).toISOString() })
  }

  /** The token is part of the URL, because calendars send no headers. */
  async function calendar({ response }: Call, secret: string): Promise<void> {
    const caller = known(await callers.byToken(`Bearer ${secret}`, 'calendar'))
    const text = await calendarOf(commands, caller, await languageOf(caller), clock.now())
    response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'no-store' })
    response.end(text)
  }

  async function show({ request, response }: Call, id: string): Promise<void> {
    const caller = await callerOf({ request, response })
    const context = contextOf(response)
    if (request.method === 'HEAD' || !(request.headers.accept ?? '').includes('text/event-stream'))
      return sendJson(response, 200, (await createCalls(context).request(caller, id)).body)
    for await (const view of states(caller, id, context, longestStream)) {
      if (view === null) throw noRequest(id)
      // The token is checked again at each state, so that a revoked one gets nothing more.
      const found = response.headersSent ? await checkedAgain(request, context.isGone) : caller
      if (!response.headersSent) beginStream(response)
      const [event, data] = 'status' in found ? ['problem', problemBody(found)] : [view.open ? 'state' : 'end', view]
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      if (event === 'problem') break
    }
    response.end()
  }

  /** Waits if Slack can't say for a moment who the owner of the token is. */
  async function checkedAgain({ headers }: IncomingMessage, isGone: () => boolean): Promise<TokenCaller | Problem> {
    for (let tries = 1; ; tries += 1) {
      const found = await callers.byToken(headers.authorization, 'calls', 'again')
      if (!('status' in found) || found.status !== 503 || tries === mostChecks || isGone()) return found
      await pause(1_000)
    }
  }

  async function mcp({ request, response }: Call): Promise<void> {
    const isSigned = isFromSlack !== undefined && request.headers['x-slack-signature'] !== undefined
    const caller = isSigned ? null : await callerOf({ request, response })
    const text = await bodyText(request)
    if (isSigned && !(await isFromSlack(request.headers, text)))
      throw new Refusal({ status: 401, type: 'bad-signature', says: say('program.badSignature') })
    proven.add(response)
    // A batch would make many calls, but count as one. MCP has had none since June 2025.
    if (/^\s*\[/.test(text)) throw badBody(400)
    // Listing the tools needs no person; a call of a tool names one.
    const calls = createCalls(contextOf(response))
    const manual = manualOf(commands.rows, 'programs')
    const options = { manual, language: await languageOf(caller), write: plainText }
    const as = async (meta: unknown) => {
      const found = caller ?? known(await callers.bySlack(meta))
      if (caller === null) options.language = await languageOf(found)
      return found
    }
    const door = {
      query: (line: string, meta: unknown) => replyOf(async () => calls.query(await as(meta), line)),
      propose: (proposal: Parameters<typeof calls.propose>[1], meta: unknown) =>
        replyOf(async () => calls.propose(await as(meta), { ...proposal, asked: true })),
      request: (id: string, meta: unknown) => replyOf(async () => calls.request(await as(meta), id)),
    }
    const { answerMcp } = await import('./mcp.ts')
    await sendWeb(response, await answerMcp(webRequest(request, text, response), door, options))
  }

  /** Turns a refusal into a reply, because a tool answers with what was wrong. */
  async function replyOf(call: () => Promise<ApiReply>): Promise<ApiReply> {
    try {
      return await call()
    } catch (error) {
      const problem = problemOf(error)
      return { status: problem.status, body: problemBody(problem) }
    }
  }

  function problemOf(error: unknown): Problem {
    if (error instanceof Refusal) return error.problem
    // The line may have been stored, so it must be sent again under the same key.
    if (error instanceof LeaseLost) return { status: 503, type: 'storage', says: say('program.away'), retryAfter: 5 }
    log.error({ err: error }, 'an API call failed with an internal error')
    return { status: 500, type: 'fault', says: say('program.fault') }
  }

  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000, keepAliveTimeout: 75_000 },
    (request, response) => {
      // A terminal takes the time of its login code from this header.
      response.setHeader('date', new Date(clock.now()).toUTCString())
      route(request, response).catch((error: unknown) =>
        sendProblem(response, problemOf(error), proven.has(response) ? {} : closing),
      )
    },
  )
  server.maxConnections = 500
  const port = await listenAt(server, { host: options.host, port: options.port, variable: 'LAMPLIGHTER_API_PORT' })
  log.info({ host: options.host, port }, 'the API is listening')
  return {
    port,
    async stop() {
      isStopping = true
      await closeGently(server, 2_000)
    },
  }
}

async function languageOf(caller: ProgramCaller | null): Promise<Language> {
  return caller === null ? 'en' : languageFor([caller.gateway], caller.actor)
}

function known<Caller extends object>(found: Caller | Problem): Caller {
  if ('status' in found) throw new Refusal(found)
  return found
}

function badField(issue: z.core.$ZodIssue | undefined): Refusal {
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]
  if (name === undefined) return badBody(400)
  const field = String(name).slice(0, 100)
  const most = { line: longestLine, reason: longestReason, wait: longestWait }
  return new Refusal({ status: 400, type: 'bad-body', field, says: say('program.badField', { field, ...most }) })
}
