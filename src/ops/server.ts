import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { listenAt, sendJson } from '../adapters/http/listen.ts'
import type { ProcessRole } from '../config/config.ts'
import type { AskNeed, Finding, Meter, Need, Readiness } from '../core/ports/meter.ts'
import type { Log } from '../core/ports/services.ts'
import { maskOf } from '../core/text/redact.ts'
import { createGauges } from './gauges.ts'
import { createMetrics } from './metrics.ts'

export interface OpsOptions {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly role: ProcessRole
  /** Masked in every answer. */
  readonly secrets: readonly string[]
  readonly log: Pick<Log, 'info'>
}

export type Ops = Awaited<ReturnType<typeof startOps>>

/** A bot without workers still accepts commands, so it needs neither rules nor key. */
const needsOf: Readonly<Record<ProcessRole, readonly Need[]>> = {
  bot: ['storage', 'slack', 'workers'],
  api: ['storage', 'workers'],
  worker: ['storage', 'key', 'rules'],
  all: ['storage', 'slack', 'key', 'rules'],
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` before anything else in the process has started. `/livez` answers while the
 * event loop runs. Throws Misconfigured if the port can't be opened.
 */
export async function startOps({ host, port, role, secrets, log }: OpsOptions) {
  const readiness = createReadiness(needsOf[role], maskOf({ values: secrets }))
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

/** The time limit of one check, ms: probes give up after a few seconds. */
const patience = 2_000

/** What each check depends on. If that fails, the check is unknown or fails for the same reason. */
const restsOn: Readonly<Partial<Record<Need, readonly Need[]>>> = { rules: ['storage', 'key'], workers: ['storage'] }

/** Checks that don't affect readiness: a bot without workers keeps storing commands for them. */
const onlyTold: readonly Need[] = ['workers']

/** Checks everything a process needs. `hide` masks secrets in the reasons. */
export function createReadiness(
  needs: readonly Need[],
  hide: (text: string) => string,
): Pick<Meter, 'awaited' | 'probe'> & { readonly find: () => Promise<Readiness> } {
  const awaited = new Map<string, string>()
  const asks = new Map<Need, AskNeed[]>(needs.map((need) => [need, []]))

  /** Returns the reason, or null if the check passes. */
  async function whyNot(need: Need): Promise<string | null> {
    const probes = asks.get(need) ?? []
    if (probes.length === 0) return [...awaited.values(), 'It is starting.'][0] ?? null
    const reasons = await Promise.all(probes.map(reasonIn))
    return reasons.find((reason) => reason !== null) ?? null
  }

  return {
    awaited(service, why) {
      if (why === null) awaited.delete(service)
      else awaited.set(service, `Waiting for ${service}: ${why}`)
    },
    probe: (need, ask) => void asks.get(need)?.push(ask),
    async find() {
      const reasons = new Map(await Promise.all(needs.map(async (need) => [need, await whyNot(need)] as const)))
      const isWell = (need: Need) => (reasons.get(need) ?? null) === null
      function finding(need: Need): Finding {
        const cause = restsOn[need]?.find((other) => !isWell(other))
        if (cause !== undefined) return { ok: null, why: `See ${cause}.` }
        const why = reasons.get(need) ?? null
        return why === null ? { ok: true } : { ok: false, why: hide(why) }
      }
      const checks = Object.fromEntries(needs.map((need) => [need, finding(need)]))
      return { ready: needs.every((need) => onlyTold.includes(need) || isWell(need)), checks }
    },
  }
}

async function reasonIn(ask: AskNeed): Promise<string | null> {
  const late = new AbortController()
  try {
    const limit = wait(patience, `There was no answer within ${patience / 1_000} s.`, { signal: late.signal })
    return await Promise.race([ask(), limit])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    late.abort()
  }
}
