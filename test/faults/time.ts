import type { MemoryClock } from '../support/memory/clock.ts'

/** Time that passes only when nothing is left to do at this moment, and then at once to the next alarm. */
export interface VirtualTime {
  sleep(ms: number): Promise<void>
  /** Does something at a moment, ms since 1970. */
  at(moment: number, act: () => void): void
  /** Lets time pass until nothing is left to happen. False: something still is at the moment `limit`. */
  run(limit: number): Promise<boolean>
}

interface Alarm {
  readonly moment: number
  readonly act: () => void
}

/** `last`: what happens by itself when it is the next thing to happen; null: nothing. */
export function createTime(clock: MemoryClock, last: () => Alarm | null): VirtualTime {
  const alarms: Alarm[] = []
  function at(moment: number, act: () => void): void {
    let place = alarms.length
    // Alarms of one moment ring in the order they were set.
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

/** All that follows from what has happened so far has followed: ticks come after the last promise. */
function quiet(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
