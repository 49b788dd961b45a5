import { createServer, type ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { closeGently, listenAt, sendJson } from '../adapters/http/listen.ts'
import type { Happenings, MeteredProject } from '../core/ports/meter.ts'
import type { Log } from '../core/ports/services.ts'
import { createGauges } from './gauges.ts'
import type { Needs } from './readiness.ts'

export interface OpsOptions {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly readiness: Needs
  readonly log: Pick<Log, 'info'>
}

/** Serves `/livez`, `/readyz` and `/metrics` from the start. Throws Misconfigured if the port can't be opened. */
export async function startOps({ host, port, readiness, log }: OpsOptions) {
  const metrics = createMetrics()
  const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void> | void>> = {
    '/livez': (response) => sendJson(response, 200, { live: true }),
    async '/readyz'(response) {
      const found = await readiness.find()
      sendJson(response, found.ready ? 200 : 503, found)
    },
    async '/metrics'(response) {
      await metrics.gauges.read(await readiness.find())
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
    meter: { happened: metrics.happened, project: metrics.project, awaited: readiness.awaited, probe: readiness.probe },
    port: open,
    stop: () => closeGently(server, 0),
  }
}

/** Why a line or an answer was not stored: a limit, or Redis. */
const limitNames = ['person', 'project', 'hour', 'storage']
const storageFaults = ['away', 'slow', 'full', 'readonly', 'changing', 'disk', 'locked', 'refused', 'perhaps']

/** The most tokens with a label of their own; the rest share one. */
const mostTokens = 100

/** Makes everything that `/metrics` shows. Labels are few and hold only our own words. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  function metric(name: string, help: string, ...labelNames: string[]) {
    return { name: `lamplighter_${name}`, help, labelNames, registers: [registry] }
  }

  const commands = new Counter(metric('commands_total', 'Requests that ended.', 'project', 'verb', 'via', 'end'))
  const proposals = new Counter(
    metric('program_requests_total', 'Requests of programs that ended.', 'project', 'token', 'end'),
  )
  const tokens = new Set<string>()
  const took = new Histogram({
    ...metric(
      'command_seconds',
      'From a command to its end. asked: whether people had to answer.',
      'project',
      'verb',
      'asked',
    ),
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
  })
  // Slack expects it within 3 s.
  const acks = new Histogram({
    ...metric('ack_seconds', 'From a delivery by Slack to the acknowledgement.', 'delivery'),
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  })
  const unstored = new Counter(metric('unstored_total', 'Commands and answers that were not stored.', 'project', 'why'))
  const limits = new Counter(
    metric('limits_hit_total', 'Commands and answers refused by a rate limit.', 'project', 'limit'),
  )
  const calls = new Histogram({
    ...metric('platform_call_seconds', 'Calls to the platform.', 'project', 'operation', 'status'),
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  const events = new Counter(
    metric('event_tries_total', 'Tries to send an event to a webhook.', 'project', 'webhook', 'end'),
  )
  const refusals = new Counter(metric('slack_refusals_total', 'Calls that Slack rejected.', 'method', 'why'))

  /** The first eight letters of a token's id, which also follow `lamp_` in its secret. */
  function labelOf(token: string): string {
    const label = token.slice(0, 8)
    if (tokens.size < mostTokens) tokens.add(label)
    return tokens.has(label) ? label : 'other'
  }

  const happened: { readonly [Kind in keyof Happenings]: (facts: Happenings[Kind]) => void } = {
    acknowledged: ({ delivery, seconds }) => acks.observe({ delivery }, seconds),
    ended({ project, verb, via, end, asked, seconds, token }) {
      commands.inc({ project, verb, via, end })
      if (token !== undefined) proposals.inc({ project, token: labelOf(token), end })
      took.observe({ project, verb, asked: asked ? 'yes' : 'no' }, seconds)
    },
    unstored({ project, why }) {
      if (limitNames.includes(why)) limits.inc({ project, limit: why })
      else unstored.inc({ project, why })
    },
    called: ({ project, operation, status, seconds }) => calls.observe({ project, operation, status }, seconds),
    eventSent: (facts) => events.inc(facts),
    chatRefused: ({ method, why }) => refusals.inc({ method, why }),
  }

  const gauges = createGauges(registry)
  return {
    registry,
    gauges,
    happened: <Kind extends keyof Happenings>(kind: Kind, facts: Happenings[Kind]) => happened[kind](facts),
    project: (one: MeteredProject): void => {
      const { project } = one
      // Without a zero, Prometheus would miss a project's first event.
      for (const limit of limitNames) limits.inc({ project, limit }, 0)
      for (const why of storageFaults) unstored.inc({ project, why }, 0)
      gauges.add(one)
    },
  }
}
