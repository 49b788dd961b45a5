import { type LogFile, writeLine } from './log-file.ts'
import type { Meter } from './meter.ts'
import type { Server } from './server.ts'

/** Writes the log of simulated traffic: at each read, what the server would have logged by then. */
export interface TrafficLog {
  /** Writes the lines that are due. `at` in ms since 1970. */
  catchUp(at: number): void
}

/** The most request lines for one read; there may be thousands. */
const most = 20

export function createTrafficLog(file: LogFile, server: Server, meter: Meter): TrafficLog {
  let written = 0
  let until = file.startedAt
  /** Interval lines still to come: the server goes quiet after two intervals in a row without traffic. */
  let left = 0

  return {
    catchUp(at) {
      const reading = meter.read(at)
      // A restarted process counts from zero.
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
