import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text as readAll } from 'node:stream/consumers'
import { startApiServer } from '../../../src/adapters/api/server.ts'
import { usualAutomation } from '../../../src/core/model/automation.ts'
import type { ProgramCaller } from '../../../src/core/requests/accept-program.ts'
import { lookUpPerson } from '../../../src/core/requests/authorize.ts'
import type { ProjectGateway } from '../../../src/core/requests/gateway.ts'
import { commands } from '../../../src/features/command-table.ts'
import type { Stage } from './stage.ts'

/** A line, or the id of a request, sent by a program. */
export type Handed =
  | { readonly line: string; readonly wants: 'operation' | 'query'; readonly key: string; readonly reason: string }
  | { readonly id: string }

export interface Answered {
  readonly ok: boolean
  readonly status: number
  /** The whole response, with its headers. */
  readonly text: string
  readonly id: string | undefined
}

/** The doors for programs. `slack`: Slack's own client, which names its person and has no token. */
export interface Doors {
  http(secret: string, handed: Handed): Promise<Answered>
  mcp(secret: string, handed: Handed): Promise<Answered>
  slack(person: ProgramCaller['actor'], handed: Handed): Promise<Answered>
  stop(): Promise<void>
}

/** Returns the project as a door sees it. With `working`, a worker runs while a call is answered. */
export function gatewayOn(stage: Stage, working: boolean): ProjectGateway {
  const { store, services } = stage
  const wake: typeof services.queue.wake = async (...given) => {
    await services.queue.wake(...given)
    if (working) await stage.work()
  }
  return {
    project: 'default',
    languageOf: async () => 'en' as const,
    zoneOf: async () => null,
    automation: () => usualAutomation,
    namesOf: async () => null,
    channels: () => ['*'],
    isDirect: () => false,
    operationsChannel: () => 'C0OPS',
    store,
    queue: { ...services.queue, wake },
    home: {
      async roleOf(actor: ProgramCaller['actor']) {
        const person = await lookUpPerson(services, actor, { channel: 'C0OPS', chosen: true })
        if (person === null) throw new Error('Nobody knows who this is.')
        return person.role
      },
      answersOf: async () => () => true,
    },
  } as unknown as ProjectGateway
}

/** Starts the real API on a free port. It never waits, because its clock jumps ahead each time it is read. */
export async function openDoors(stage: Stage): Promise<Doors> {
  let far = 0
  const monotonic = () => {
    far += 100_000
    return far
  }
  const log = { info: () => undefined, error: (fields: object) => stage.complaints.push(JSON.stringify(fields)) }
  const api = await startApiServer({
    host: '127.0.0.1',
    port: 0,
    gateways: [gatewayOn(stage, true)],
    commands,
    clock: { now: () => stage.clock.now(), monotonic },
    linkTo: async () => 'https://slack.test/card',
    isFromSlack: async ({ 'x-slack-signature': signature }) => signature === 'of slack',
    log,
  })

  const agent = new Agent({ keepAlive: true })

  async function call(path: string, headers: object, body?: object): Promise<Answered> {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request({
      agent,
      host: '127.0.0.1',
      port: api.port,
      path,
      method,
      headers: { 'content-type': 'application/json', ...headers },
    })
    sent.end(body && JSON.stringify(body))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const { statusCode: status = 0, rawHeaders } = response
    const text = `${rawHeaders.join(' ')}\n${await readAll(response)}`
    const id = /"id":"([\w-]{22})"/.exec(text)?.[1]
    // The MCP package refuses invalid tool arguments in its own words and without a request id.
    const isMisfit = id === undefined && text.includes('"isError":true')
    const ok = status < 300 && !isMisfit && !/urn:lamplighter:|"why":"|"error":/.test(text)
    return { ok, status, text, id }
  }

  function tool(headers: object, handed: Handed, meta = {}): Promise<Answered> {
    const params =
      'id' in handed
        ? { name: 'request', arguments: { id: handed.id } }
        : handed.wants === 'operation'
          ? { name: 'propose', arguments: { line: handed.line, reason: handed.reason, key: handed.key } }
          : handed.line.startsWith('explain ')
            ? { name: 'explain', arguments: { line: handed.line.slice('explain '.length) } }
            : { name: 'look', arguments: { line: handed.line } }
    const accept = 'application/json, text/event-stream'
    const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }
    return call('/mcp', { ...headers, accept }, sent)
  }

  return {
    http(secret, handed) {
      const headers = { authorization: `Bearer ${secret}` }
      if ('id' in handed) return call(`/v1/requests/${handed.id}`, headers)
      const { line, wants, key, reason } = handed
      if (wants === 'query') return call(`/v1/queries?line=${encodeURIComponent(line)}`, headers)
      return call('/v1/lines', { ...headers, 'idempotency-key': key }, { line, reason })
    },
    mcp: (secret, handed) => tool({ authorization: `Bearer ${secret}` }, handed),
    slack: ({ team, user }, handed) =>
      tool({ 'x-slack-signature': 'of slack' }, handed, { slack: { team_id: team, user_id: user } }),
    stop() {
      agent.destroy()
      return api.stop()
    },
  }
}
