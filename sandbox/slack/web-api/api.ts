import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Faults } from '../faults.ts'
import { readBody, sendJson } from '../http.ts'
import type { JsonObject } from '../json.ts'
import { createPace } from '../pace.ts'
import type { Workspace } from '../workspace.ts'
import { createArgs, readArgs } from './args.ts'
import type { ApiCall, CallListener, Context, Method } from './call.ts'
import { methods } from './methods.ts'
import { Refusal } from './refusal.ts'
import { checkScopes, checkToken, readToken } from './token.ts'

/** The Web API: answers `/api/<method>`, records every call, and notifies listeners. */
export interface WebApi {
  answer(request: IncomingMessage, response: ServerResponse, name: string, query: URLSearchParams): Promise<void>
  readonly calls: readonly ApiCall[]
  /** Calls the listener before and after each call takes effect, and waits for it. */
  readonly onCall: (listener: CallListener) => () => void
}

type Ending =
  | { readonly answer: JsonObject; readonly status?: number; readonly headers?: Record<string, string> }
  | 'drop'
  | 'hang'

export function createWebApi(workspace: Workspace, faults: Faults): WebApi {
  const calls: ApiCall[] = []
  const listeners = new Set<CallListener>()
  const pace = createPace(workspace.settings.clock)

  async function answer(request: IncomingMessage, response: ServerResponse, name: string, query: URLSearchParams) {
    const body = await readBody(request)
    const ending = await endingOf(request, body.toString(), name, query)
    if (ending === 'drop') request.socket.destroy()
    else if (ending !== 'hang') sendJson(response, ending.status ?? 200, ending.answer, ending.headers)
  }

  async function endingOf(
    request: IncomingMessage,
    body: string,
    name: string,
    query: URLSearchParams,
  ): Promise<Ending> {
    const fault = faults.strike(name)
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms))
    try {
      const given = readArgs(request.headers['content-type'] ?? '', body, query)
      const { token, ...shown } = given
      const context = { workspace, args: createArgs(shown) }
      const method = methodNamed(name)
      checkToken(workspace, method, readToken(request.headers.authorization, token))
      checkScopes(context, method)
      return await perform(name, method, context)
    } catch (error) {
      if (error instanceof Refusal) return { answer: { ok: false, error: error.error, ...error.details } }
      throw error
    }

    async function perform(name: string, method: Method, context: Context): Promise<Ending> {
      let call: ApiCall = {
        method: name,
        args: context.args.all,
        at: workspace.settings.clock.now(),
        answer: undefined,
        applied: false,
      }
      const at = calls.push(call) - 1
      for (const listener of listeners) await listener(call, 'before')
      const stopped = stoppedBy(fault) ?? limited(name, method, context)
      const answer = stopped === undefined ? applied(method, context) : undefined
      const ending: Ending = stopped ??
        swallowedBy(fault) ?? { answer: answer ?? {}, headers: grantedTo(method, workspace) }
      const heard = typeof ending === 'object' ? ending.answer : undefined
      call = { ...call, answer: heard, applied: answer?.['ok'] === true }
      calls[at] = call
      for (const listener of listeners) await listener(call, 'after')
      workspace.news.tell('call', call)
      return ending
    }
  }

  function limited(name: string, method: Method, { args }: Context): Ending | undefined {
    if (!workspace.settings.paceRealistically) return undefined
    // Slack allows about one message a second in a channel, with short bursts, and limits other methods by tier.
    const posts = name === 'chat.postMessage' || name === 'chat.postEphemeral'
    const wait = posts
      ? pace.take(`${name} ${args.text('channel')}`, 1, 8)
      : method.perMinute && pace.take(name, method.perMinute / 60, method.perMinute)
    return wait ? rateLimited(wait) : undefined
  }

  return {
    answer,
    calls,
    onCall(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function methodNamed(name: string): Method {
  const method = methods[name]
  if (!method) throw new Refusal('unknown_method', { req_method: name })
  return method
}

function applied(method: Method, context: Context): JsonObject {
  try {
    return { ok: true, ...method.run(context) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.error, ...error.details }
    throw error
  }
}

/** Slack returns the token's scopes with each answer; those of an app-level token do not matter here. */
function grantedTo({ token = 'bot' }: Method, { settings }: Workspace): Record<string, string> {
  return token === 'bot' ? { 'x-oauth-scopes': settings.scopes.join(',') } : {}
}

function stoppedBy(fault: ReturnType<Faults['strike']>): Ending | undefined {
  switch (fault?.kind) {
    case 'error':
      return { answer: { ok: false, error: fault.error } }
    case 'status':
      return { status: fault.status, answer: {} }
    case 'rate-limited':
      return rateLimited(fault.retryAfterS)
    case 'drop-before':
      return 'drop'
    case 'hang':
      return 'hang'
    default:
      return undefined
  }
}

function swallowedBy(fault: ReturnType<Faults['strike']>): Ending | undefined {
  if (fault?.kind === 'drop-after') return 'drop'
  if (fault?.kind === 'hang-after') return 'hang'
  if (fault?.kind === 'status-after') return { status: fault.status, answer: {} }
  return undefined
}

function rateLimited(seconds: number | string): Ending {
  const headers = { 'retry-after': String(seconds) }
  return { status: 429, headers, answer: { ok: false, error: 'ratelimited' } }
}
