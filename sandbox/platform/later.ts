import type { SandboxClock } from './types.ts'

/** Schedules work by the sandbox's clock, which a test may move. */
export interface Later {
  /** `ms` from now. */
  after(ms: number, run: () => void): void
  /** Runs everything that is due. Code that reads the world calls it first. */
  catchUp(): void
  /** Resolves after `ms` of real time; never resolves if the sandbox ends before. */
  pause(ms: number): Promise<void>
  end(): void
}

export function createLater(clock: SandboxClock): Later {
  const timers = new Set<NodeJS.Timeout>()
  let waiting: { readonly due: number; readonly run: () => void }[] = []

  function timer(ms: number, run: () => void): void {
    const one = setTimeout(() => {
      timers.delete(one)
      run()
    }, ms)
    timers.add(one)
  }

  function catchUp(): void {
    if (waiting.length === 0) return
    const now = clock.now()
    const due = waiting.filter((one) => one.due <= now)
    waiting = waiting.filter((one) => one.due > now)
    for (const { run } of due) run()
  }

  return {
    catchUp,
    after(ms, run) {
      waiting.push({ due: clock.now() + ms, run })
      timer(ms, catchUp)
    },
    pause: (ms) => new Promise((resolve) => timer(ms, resolve)),
    end() {
      for (const one of timers) clearTimeout(one)
      waiting = []
    },
  }
}
