import { setTimeout as wait } from 'node:timers/promises'
import type { AskNeed, Meter, Need } from '../core/ports/meter.ts'

/** `ok` is null where it cannot be told, since something that it rests on is not well. */
export interface Finding {
  readonly ok: boolean | null
  readonly why?: string
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Partial<Record<Need, Finding>>>
}

/** The longest time that one question may take, ms: whoever probes gives up after a few seconds. */
const patience = 2_000

/** Where these are not well, this could not be told, or is not well for the same reason. */
const restsOn: Readonly<Partial<Record<Need, readonly Need[]>>> = { rules: ['storage', 'key'], workers: ['storage'] }

/** A bot stores commands for workers that come back, and a bot that is taken out of service would lose them. */
const onlyTold: readonly Need[] = ['workers']

/** Finds out whether every need of a process is met. `hide` masks secrets in the reasons. */
export function createReadiness(
  needs: readonly Need[],
  hide: (text: string) => string,
): Pick<Meter, 'awaited' | 'probe'> & { readonly find: () => Promise<Readiness> } {
  const awaited = new Map<string, string>()
  const asks = new Map<Need, AskNeed[]>(needs.map((need) => [need, []]))

  /** Null: it is met. */
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
