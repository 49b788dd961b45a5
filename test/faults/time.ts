import type { MemoryClock } from '../support/memory/clock.ts'

/** A clock that jumps to the next alarm as soon as nothing is left to do at the current moment. */
export interface VirtualTime {
  sleep(ms: number): Promise<void>
  /** Calls `act` at a moment, in ms since 1970. */
  at(moment: number, act: () => void): void
  /** Runs until nothing is left to happen. Returns false if something is still due after `limit`, ms since 1970. */
  run(limit: number): Promise<boolean>
}

interface Alarm {
  readonly moment: number
  readonly act: () => void
}

/** `last` returns the alarm that rings if no other is due before it, or null. */
export function createTime(clock: MemoryClock, last: () => Alarm | null): VirtualTime {
  const alarms: Alarm[] = []
  function at(moment: number, act: () => void): void {
    let place = alarms.length
    // Alarms of the same moment ring in the order in which they were set.
    while (place > 0 && alarms[place - 1]!.moment > moment) place -= 1
    alarms.splice(place, 0, { moment, act })
  }
  return {
    at,
    sleep: (ms) => new Promise((resolve) => at(clock.now() + ms, resolve)),
    async run(limit) {
      for (;;) {
        await quiet()
        const own = last()
        const set = alarms[0]
        const next = own !== null && (set === undefined || own.moment < set.moment) ? own : alarms.shift()
        if (next === undefined) return true
        if (next.moment > limit) return false
        if (next.moment > clock.now()) clock.pass(next.moment - clock.now())
        next.act()
      }
    },
  }
}

/** Resolves when all pending promises have settled: `nextTick` runs after the last of them. */
function quiet(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
