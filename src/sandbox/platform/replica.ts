import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exposition } from './exposition.ts'
import type { LogFile } from './log-file.ts'
import { writeLine } from './log-file.ts'
import type { Meter } from './meter.ts'
import { createMeter } from './meter.ts'
import type { Fate, SandboxClock, Settings } from './types.ts'

/** What a replica has to know of its endpoint; it may change while the replica runs. */
export interface Deployment {
  readonly name: string
  readonly settings: Settings
  readonly fate: Fate
}

/** One copy of an endpoint: an inference server that answers for its health, its metrics and requests. */
export interface Replica {
  readonly id: string
  /** ms since 1970. */
  readonly startedAt: number
  readonly file: LogFile
  readonly meter: Meter
  /** Whether the time it needs to start is over. */
  isDue(): boolean
  state(): 'STARTING' | 'RUNNING'
  /** Answers a request as the container would, wherever it came in. */
  answer(request: IncomingMessage, response: ServerResponse): void
  /** Where it listens, once it does; null without a port of its own. */
  url(): Promise<string | null>
  end(): Promise<void>
}

export function createReplica(
  deployment: Deployment,
  file: LogFile,
  readyAt: number,
  clock: SandboxClock,
  listens: boolean,
): Replica {
  const meter = createMeter(readyAt)
  const server = listens ? createServer(answer) : null
  const listening = server ? listen(server) : Promise.resolve(null)
  writeLine(file, clock.now(), 'stdout', `Loading ${deployment.name}`)

  function isDue(): boolean {
    return clock.now() >= readyAt
  }

  function state(): 'STARTING' | 'RUNNING' {
    return isDue() && deployment.fate !== 'deploy_failed' ? 'RUNNING' : 'STARTING'
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const { container_health_check_path: health, container_metric_path: metrics } = deployment.settings
    const serves = state() === 'RUNNING'
    if (path === (health ?? '/health')) {
      response.writeHead(serves && deployment.fate === 'running' ? 200 : 503).end()
    } else if (!serves) {
      response.writeHead(503).end('Loading')
    } else if (path === (metrics ?? '/metrics')) {
      const text = exposition(deployment.name, meter.read(clock.now()), file.startedAt)
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    } else {
      serve(request, response, path)
    }
  }

  function serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    meter.began()
    response.once('close', () => {
      meter.ended()
      writeLine(file, clock.now(), 'stdout', `${request.method} ${path} ${response.statusCode}`)
    })
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ model: deployment.name, choices: [{ text: 'A lamp is lit.' }] }))
    })
  }

  return {
    id: file.replicaId,
    startedAt: file.startedAt,
    file,
    meter,
    isDue,
    state,
    answer,
    url: () => listening,
    async end() {
      file.endedAt ??= clock.now()
      await listening
      if (server) await close(server)
    },
  }
}

/** Listens on a free port of 127.0.0.1, or the one given, and answers the origin. */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Ends a server with all its connections, the open ones too. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
