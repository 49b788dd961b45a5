import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exposition } from './exposition.ts'
import { type LogFile, writeLine } from './log-file.ts'
import { createMeter } from './meter.ts'
import type { Traffic } from './names.ts'
import { answerScrape, type ScrapeFate } from './scrape.ts'
import { type ServerKind, servers } from './servers.ts'
import { createTrafficLog } from './traffic-log.ts'
import type { Fate, SandboxClock, Settings } from './types.ts'

/** What a replica needs to know about its endpoint; it may change while the replica runs. */
export interface Deployment {
  readonly name: string
  readonly settings: Settings
  readonly fate: Fate
  readonly server: ServerKind
  readonly scrapes: ScrapeFate
}

/** One copy of an endpoint: an inference server that answers health checks, reads of its metrics, and requests. */
export interface Replica {
  readonly id: string
  /** ms since 1970. */
  readonly startedAt: number
  readonly file: LogFile
  /** Sets the share of its endpoint's traffic that it gets from now on. */
  share(traffic: Required<Traffic>): void
  /** Restarts its process, as after a crash; the platform does not notice. */
  renew(): void
  /** Writes to its log what it would have written by now. */
  write(): void
  /** Whether its startup time has passed. */
  isDue(): boolean
  state(): 'STARTING' | 'RUNNING'
  /** Answers a request as the container would, whichever address it came through. */
  answer(request: IncomingMessage, response: ServerResponse): void
  /** Resolves to its address once it listens; to null if it has no port of its own. */
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
  const server = servers[deployment.server]
  const meter = createMeter(readyAt)
  const log = createTrafficLog(file, server, meter)
  // A different fraction of a second for each replica, because processes are told apart by their start times.
  const apart = (Number.parseInt(file.replicaId, 36) % 1_000_003) / 1_000
  let processAt = file.startedAt + apart
  let scrapes = 0
  const own = listens ? createServer(answer) : null
  const listening = own ? listen(own) : Promise.resolve(null)
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
    } else if (path === (metrics ?? server.path)) {
      scrapes += 1
      const state = { ...meter.read(clock.now()), model: deployment.name, processAt, scrapes }
      answerScrape(deployment.scrapes, response, exposition(server.metrics(state), server.float))
      if (server.writesScrapes) note(request, path, response.statusCode)
    } else if (path.endsWith('/metrics')) {
      response.writeHead(404).end('Not Found')
      note(request, path, 404)
    } else {
      serve(request, response, path)
    }
  }

  function note(request: IncomingMessage, path: string, status: number): void {
    const line = server.access(request.method ?? '', path, status, clock.now())
    if (line !== null) writeLine(file, clock.now(), 'stdout', line)
  }

  function serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    meter.began()
    response.once('close', () => {
      meter.ended()
      note(request, path, response.statusCode)
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
    share(traffic) {
      log.catchUp(clock.now())
      meter.share(traffic, clock.now())
    },
    renew() {
      log.catchUp(clock.now())
      meter.renew(clock.now())
      processAt = clock.now() + apart
      scrapes = 0
    },
    write: () => log.catchUp(clock.now()),
    isDue,
    state,
    answer,
    url: () => listening,
    async end() {
      file.endedAt ??= clock.now()
      await listening
      if (own) await close(own)
    },
  }
}

/** Listens on a port of 127.0.0.1, by default a free one, and returns the origin. */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Closes a server with all its connections, including open ones. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
