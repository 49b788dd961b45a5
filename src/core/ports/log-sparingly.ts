import type { Log } from './services.ts'

/** Warns of a kind of trouble. `kind` says which trouble is the same; it must not grow with what people send. */
export type WarnSparingly = (kind: string, fields: object, message: string) => void

const ignore = (): void => undefined

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
