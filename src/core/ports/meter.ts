import type { Log, Services } from './services.ts'

/** A need of a process, named like its check in `doctor`; `workers`: some worker processes what a bot stores. */
export type Need = 'storage' | 'slack' | 'key' | 'rules' | 'workers'

/** Null if the need is met, otherwise the reason, for an operator. */
export type AskNeed = () => Promise<string | null> | string | null

/** `ok` is null if the answer is unknown because something that the check depends on is down. */
export interface Finding {
  readonly ok: boolean | null
  readonly why?: string
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Partial<Record<Need, Finding>>>
}

/** Counted and timed events. No field holds a person, a secret or typed text: all values are few and our own. */
export interface Happenings {
  /** A delivery from the chat was answered. */
  readonly acknowledged: { readonly delivery: string; readonly seconds: number }
  /** A request ended. `asked`: it needed an answer. `token`: that of the program that made the request. */
  readonly ended: {
    readonly project: string
    readonly verb: string
    readonly via: string
    readonly end: string
    readonly asked: boolean
    readonly seconds: number
    readonly token?: string | undefined
  }
  /** A line or an answer was not stored: a limit was reached, or Redis stored nothing. */
  readonly unstored: { readonly project: string; readonly why: string }
  /** `status`: the HTTP status, or `none` without an answer. */
  readonly called: {
    readonly project: string
    readonly operation: string
    readonly status: string
    readonly seconds: number
  }
  /** The chat refused a call. `why`: its own error code. */
  readonly chatRefused: { readonly method: string; readonly why: string }
  /** An event was sent to a webhook. `end`: accepted, to be sent again, or given up. */
  readonly eventSent: { readonly project: string; readonly webhook: string; readonly end: string }
}

/** A project whose gauges are read at each scrape. */
export interface MeteredProject {
  readonly project: string
  readonly policyVersion: () => string
  /** Jobs that no worker has taken, by queue. */
  readonly depths: () => Promise<Readonly<Record<string, number>>>
  /** How long ago the rules were checked, ms; null: longer than allowed. */
  readonly tickedAgo: () => Promise<number | null>
  /** Set in workers only. */
  readonly worker?: {
    readonly services: Pick<Services, 'store' | 'policy' | 'clock' | 'checks' | 'operationsChannel'>
    /** When the whole audit was last found valid, ms since 1970; null: not yet. */
    readonly verifiedAt: () => Promise<number | null>
  }
}

/** Collects the state of a process for its operator. */
export interface Meter {
  readonly happened: <Kind extends keyof Happenings>(kind: Kind, facts: Happenings[Kind]) => void
  readonly project: (one: MeteredProject) => void
  /** Reports the error of a service that the process waits for at its start; null: the service is ready. */
  readonly awaited: (service: string, why: string | null) => void
  /** Sets how to check a need. Several parts may register the same need. */
  readonly probe: (need: Need, ask: AskNeed) => void
}

const ignore = (): void => undefined

/** The meter of a process that nobody monitors. */
export const unmetered: Meter = { happened: ignore, project: ignore, awaited: ignore, probe: ignore }

/** Logs a warning sparingly. Warnings of the same `kind` are counted together; `kind` must not depend on user input. */
export interface WarnSparingly {
  (kind: string, fields: object, message: string): void
  /** Logs the end of the trouble whose kinds begin with `about`, if one was logged and stays away for ten seconds. */
  readonly over: (about: string, fields: object, message: string) => void
}

/** For a terminal, where log lines would appear between the answers. */
export const silent: Log = { info: ignore, warn: ignore, error: ignore }

/** The most kinds counted at once. Any others share one count, which keeps the memory bounded. */
const most = 100

/** ms. */
const period = 10_000
const periodsPerMinute = 6

interface Count {
  readonly message: string
  times: number
  last: object
  /** Periods since the count was logged, and since the last warning. */
  unlogged: number
  quiet: number
}

/** Logs a kind's first warning, then its count once a minute or at its end; after a quiet minute it starts over. */
export function sparingly(log: Pick<Log, 'warn'>): WarnSparingly {
  const counted = new Map<string, Count>()
  /** Kinds whose trouble has not ended. */
  const open = new Set<string>()
  /** What seems to work again. */
  const ending = new Map<string, NodeJS.Timeout>()

  function logAgain(count: Count | undefined): void {
    if (count === undefined || count.times === 0) return
    const { times, last, message } = count
    // A count is about many requests.
    const fields = { ...last, request: undefined, times }
    log.warn(fields, `${message} (again, ${times} ${times === 1 ? 'time' : 'times'})`)
    Object.assign(count, { times: 0, unlogged: 0 })
  }

  function watch(kind: string, count: Count): void {
    const timer = setInterval(() => {
      if (counted.get(kind) !== count) return clearInterval(timer)
      count.unlogged += 1
      count.quiet += 1
      if (count.quiet > 1 || count.unlogged >= periodsPerMinute) logAgain(count)
      if (count.quiet >= periodsPerMinute) counted.delete(kind)
    }, period).unref()
  }

  function warn(given: string, fields: object, message: string): void {
    const kind = counted.has(given) || counted.size < most ? given : 'any other'
    if (open.size < most) open.add(given)
    for (const [about, timer] of ending) {
      if (!given.startsWith(about)) continue
      clearTimeout(timer)
      ending.delete(about)
    }
    const known = counted.get(kind)
    if (known !== undefined) return void Object.assign(known, { times: known.times + 1, last: fields, quiet: 0 })
    const count = { message, times: 0, last: fields, unlogged: 0, quiet: 0 }
    counted.set(kind, count)
    log.warn(fields, message)
    watch(kind, count)
  }

  function over(about: string, fields: object, message: string): void {
    const these = [...open].filter((kind) => kind.startsWith(about))
    if (these.length === 0 || ending.has(about)) return
    const end = (): void => {
      ending.delete(about)
      for (const kind of these) {
        open.delete(kind)
        logAgain(counted.get(kind))
        counted.delete(kind)
      }
      log.warn(fields, message)
    }
    ending.set(about, setTimeout(end, period).unref())
  }

  return Object.assign(warn, { over })
}
