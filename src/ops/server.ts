import { createServer, type ServerResponse } from 'node:http'
import { listenAt, sendJson } from '../adapters/http/listen.ts'
import type { Log } from '../core/ports/services.ts'
import { createGauges } from './gauges.ts'
import { createMetrics } from './metrics.ts'
import type { Needs } from './readiness.ts'

export interface OpsOptions {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly readiness: Needs
  readonly log: Pick<Log, 'info'>
}

export type Ops = Awaited<ReturnType<typeof startOps>>

/** Serves `/livez`, `/readyz` and `/metrics` from the start. Throws Misconfigured if the port can't be opened. */
export async function startOps({ host, port, readiness, log }: OpsOptions) {
  const metrics = createMetrics()
  const gauges = createGauges(metrics)
  const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void> | void>> = {
    '/livez': (response) => sendJson(response, 200, { live: true }),
    async '/readyz'(response) {
      const found = await readiness.find()
      sendJson(response, found.ready ? 200 : 503, found)
    },
    async '/metrics'(response) {
      await gauges.read(await readiness.find())
      const { registry } = metrics
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
    },
  }
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const page = pages[request.url?.split('?', 1)[0] ?? '']
    if (page === undefined) return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
    Promise.resolve(page(response)).catch(() => response.writeHead(500).end())
  })
  server.maxConnections = 100
  const open = await listenAt(server, { host, port, variable: 'LAMPLIGHTER_OPS_PORT' })
  log.info({ host, port: open }, 'the operations port is listening')
  return {
    meter: { happened: metrics.happened, project: gauges.add, awaited: readiness.awaited, probe: readiness.probe },
    port: open,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
