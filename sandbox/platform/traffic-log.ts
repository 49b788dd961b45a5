import { type LogFile, writeLine } from './log-file.ts'
import type { Meter } from './meter.ts'
import type { Server } from './server.ts'

/** A server writes about traffic that nobody really sends, too: what it would have, whenever somebody looks. */
export interface TrafficLog {
  /** Writes what is due. `at` in ms since 1970. */
  catchUp(at: number): void
}

/** Lines about requests for one look; there may be thousands. */
const most = 20

export function createTrafficLog(file: LogFile, server: Server, meter: Meter): TrafficLog {
  let written = 0
  let until = file.startedAt
  /** Lines of the interval still to come: it goes quiet once there was nothing to tell twice in a row. */
  let left = 0

  return {
    catchUp(at) {
      const reading = meter.read(at)
      // A process that began anew counts from nothing.
      const requests = reading.supposed < written ? reading.supposed : reading.supposed - written
      const lines = Math.min(requests, most)
      for (let i = 1; i <= lines; i += 1) {
        const when = Math.round(until + ((at - until) * i) / lines)
        const line = server.access('POST', server.work, 200, when)
        if (line !== null) writeLine(file, when, 'stdout', line)
      }
      left = requests > 0 || reading.running > 0 ? 2 : Math.max(0, left - 1)
      if (left > 0 && server.interval !== undefined && at > until)
        writeLine(file, at, 'stdout', server.interval(reading, at))
      written = reading.supposed
      until = Math.max(until, at)
    },
  }
}
