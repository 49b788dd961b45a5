import type { Log } from '../../core/ports/services.ts'

/** ms in which the same fault is logged once: each queue reports it again with every try to connect. */
const pause = 60_000

/** Logs what queues report, each for its `error` event. */
export function createFaultLog(log: Log): (queue: string) => (err: Error) => void {
  const told = new Map<string, number>()
  return (queue) => (err) => {
    const now = performance.now()
    if (now - (told.get(err.message) ?? -pause) < pause) return
    told.set(err.message, now)
    log.warn({ err, queue }, 'the queue reports a fault')
  }
}
