import type { Log, Services } from './services.ts'

/** What a process needs to do its work, by the names of the checks of `doctor`; `workers`: somebody does what a bot stores. */
export type Need = 'storage' | 'slack' | 'key' | 'rules' | 'workers'

/** Null: all is well; else the reason, for an operator. */
export type AskNeed = () => Promise<string | null> | string | null

/** `ok` is null where it cannot be told, since something that it rests on is not well. */
export interface Finding {
  readonly ok: boolean | null
  readonly why?: string
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Partial<Record<Need, Finding>>>
}

/** What is counted and timed. No field holds a person, a secret or a word that somebody typed: all are few and ours. */
export interface Happenings {
  /** A delivery of the chat got its answer. */
  readonly acknowledged: { readonly delivery: string; readonly seconds: number }
  /** A request came to its end. `asked`: people were asked on the way. `token`: of the program that handed it in. */
  readonly ended: {
    readonly project: string
    readonly verb: string
    readonly via: string
    readonly end: string
    readonly asked: boolean
    readonly seconds: number
    readonly token?: string | undefined
  }
  /** A line or an answer was not stored: a limit was hit, or Redis took nothing. */
  readonly unstored: { readonly project: string; readonly why: string }
  /** `status`: of HTTP; `none` without an answer. */
  readonly called: {
    readonly project: string
    readonly operation: string
    readonly status: string
    readonly seconds: number
  }
  /** The chat did not do what was asked of it. `why`: its own word for it. */
  readonly chatRefused: { readonly method: string; readonly why: string }
  /** A webhook was sent an event. `end`: whether it was taken, will be sent again, or never. */
  readonly eventSent: { readonly project: string; readonly webhook: string; readonly end: string }
}

/** A project as its gauges are read, at the moment when somebody looks. */
export interface MeteredProject {
  readonly project: string
  readonly policyVersion: () => string
  /** Jobs that no worker has taken, by queue. */
  readonly depths: () => Promise<Readonly<Record<string, number>>>
  /** How long ago the rules were checked, ms; null: longer than it should be. */
  readonly tickedAgo: () => Promise<number | null>
  /** What only a worker has. */
  readonly worker?: {
    readonly services: Pick<Services, 'store' | 'policy' | 'clock' | 'checks'>
    /** When the whole audit was last found well, ms since 1970; null: not yet. */
    readonly verifiedAt: () => Promise<number | null>
  }
}

/** Where parts of the product say how they are, for whoever operates it. */
export interface Meter {
  readonly happened: <Kind extends keyof Happenings>(kind: Kind, facts: Happenings[Kind]) => void
  readonly project: (one: MeteredProject) => void
  /** What a service that is still waited for at the start answers; null: it is there. */
  readonly awaited: (service: string, why: string | null) => void
  /** How to find out from now on whether a need is met. Several parts may have the same need. */
  readonly probe: (need: Need, ask: AskNeed) => void
}

const ignore = (): void => undefined

/** Where nobody looks. */
export const unmetered: Meter = { happened: ignore, project: ignore, awaited: ignore, probe: ignore }

/** Warns of a kind of trouble. `kind` says which trouble is the same; it must not grow with what people send. */
export type WarnSparingly = (kind: string, fields: object, message: string) => void

/** For a terminal, where log lines would stand between the answers. */
export const silent: Log = { info: ignore, warn: ignore, error: ignore }

/** Kinds counted at once. Further ones share one count, so that nobody can fill the memory. */
const most = 100

/** Logs the first of a kind at once, the rest as one line a minute with their count. A quiet minute starts over. */
export function sparingly(log: Pick<Log, 'warn'>): WarnSparingly {
  const counted = new Map<string, { times: number; last: object }>()

  function watch(kind: string, message: string): void {
    setTimeout(() => {
      const { times, last } = counted.get(kind) ?? { times: 0, last: {} }
      counted.delete(kind)
      if (times === 0) return
      log.warn({ ...last, times }, `${message} (again, ${times} ${times === 1 ? 'time' : 'times'} in the last minute)`)
      counted.set(kind, { times: 0, last })
      watch(kind, message)
    }, 60_000).unref()
  }

  return (given, fields, message) => {
    const kind = counted.has(given) || counted.size < most ? given : 'any other'
    const known = counted.get(kind)
    if (known !== undefined) {
      known.times += 1
      known.last = fields
      return
    }
    counted.set(kind, { times: 0, last: fields })
    log.warn(fields, message)
    watch(kind, message)
  }
}
