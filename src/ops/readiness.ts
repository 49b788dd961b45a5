import { setTimeout as wait } from 'node:timers/promises'
import type { ProcessRole } from '../config/config.ts'
import type { AskNeed, Finding, Meter, Need, Readiness } from '../core/ports/meter.ts'
import type { Log } from '../core/ports/services.ts'
import { maskOf } from '../core/text/redact.ts'

/** What each kind of process needs. A bot without workers still accepts commands, so it needs neither rules nor key. */
export const needsOf: Readonly<Record<ProcessRole, readonly Need[]>> = {
  bot: ['storage', 'slack', 'workers'],
  api: ['storage', 'workers'],
  worker: ['storage', 'key', 'rules'],
  all: ['storage', 'slack', 'key', 'rules'],
}

/** The time limit of one check, ms: probes give up after a few seconds. */
const patience = 2_000

/** How often a running process checks its needs by itself, ms. */
const lookEvery = 10_000

/** What each check depends on. If that fails, the check is unknown or fails for the same reason. */
const restsOn: Readonly<Partial<Record<Need, readonly Need[]>>> = { rules: ['storage', 'key'], workers: ['storage'] }

/** The services that a process waits for at its start. */
const serviceOf: Readonly<Partial<Record<Need, string>>> = { storage: 'Redis', slack: 'Slack' }

/** Checks that don't affect readiness: a bot without workers keeps storing commands for them. */
const onlyTold: readonly Need[] = ['workers']

export type Needs = ReturnType<typeof createReadiness>

/** Checks everything a process needs. `secrets` are masked in the reasons. */
export function createReadiness(needs: readonly Need[], secrets: readonly string[]) {
  const hide = maskOf({ values: secrets })
  const awaited = new Map<string, string>()
  const asks = new Map<Need, AskNeed[]>(needs.map((need) => [need, []]))

  /** Before its first probe a need is unknown, unless the process waits for the service itself. */
  async function stateOf(need: Need): Promise<Finding> {
    const probes = asks.get(need) ?? []
    if (probes.length === 0) {
      const own = awaited.get(serviceOf[need] ?? '')
      return own === undefined
        ? { ok: null, why: [...awaited.values()][0] ?? 'It is starting.' }
        : { ok: false, why: own }
    }
    const reasons = (await Promise.all(probes.map(reasonIn))).filter((reason) => reason !== null)
    // Projects that share a service may give the same reason.
    return reasons.length === 0 ? { ok: true } : { ok: false, why: [...new Set(reasons)].join(' ') }
  }

  async function find(): Promise<Readiness> {
    const states = new Map(await Promise.all(needs.map(async (need) => [need, await stateOf(need)] as const)))
    const isWell = (need: Need) => (states.get(need) ?? { ok: true }).ok === true
    function finding(need: Need): Finding {
      const cause = restsOn[need]?.find((other) => !isWell(other))
      if (cause !== undefined) return { ok: null, why: `See ${cause}.` }
      const { ok = null, why } = states.get(need) ?? {}
      return why === undefined ? { ok } : { ok, why: hide(why) }
    }
    const checks = Object.fromEntries(needs.map((need) => [need, finding(need)]))
    return { ready: needs.every((need) => onlyTold.includes(need) || isWell(need)), checks }
  }

  return {
    awaited: (service: string, why: string | null): void => {
      if (why === null) awaited.delete(service)
      else awaited.set(service, `Waiting for ${service}: ${why}`)
    },
    probe: (need: Need, ask: AskNeed): void => void asks.get(need)?.push(ask),
    find,
    /** Logs each check that begins to fail, and that it passes again, until stopped. For a process that has started. */
    watch(log: Pick<Log, 'warn'>) {
      /** The logged reason of each check that fails, without numbers, which may differ each time. */
      const failing = new Map<string, string>()
      let stopped = false
      async function look(): Promise<void> {
        const { checks } = await find()
        if (stopped) return
        for (const [check, { ok, why }] of Object.entries(checks)) {
          if (ok === true && failing.delete(check)) log.warn({ check }, 'a check passes again')
          const cause = (why ?? '').replace(/\d+/g, '')
          if (ok !== false || failing.get(check) === cause) continue
          failing.set(check, cause)
          log.warn({ check, why }, 'a check fails')
        }
      }
      const timer = setInterval(() => void look(), lookEvery)
      return {
        async stop(): Promise<void> {
          stopped = true
          clearInterval(timer)
        },
      }
    },
  } satisfies Partial<Meter> & { readonly find: typeof find; readonly watch: unknown }
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
