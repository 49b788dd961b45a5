import { type Held, type House, LeaseLost, type ShowResult } from './ports.ts'

export interface Showing {
  /** Show the request as it is now, beside the work: a slow chat must not hold up the platform. */
  soon(): void
  settled(): Promise<ShowResult>
}

/** At most one showing at a time; whatever changes meanwhile is shown once, in its newest form. */
export function showing(house: House, held: Held): Showing {
  let running: Promise<void> | null = null
  let stale = true
  let result: ShowResult = { again: null }

  async function run(): Promise<void> {
    while (stale) {
      stale = false
      result = await house.notifier.show(held)
    }
    running = null
  }

  function start(): Promise<void> {
    running ??= run().catch((error) => {
      running = null
      if (error instanceof LeaseLost) throw error
      house.log.error({ request: held.request.id, err: error }, 'a request could not be shown')
      result = { again: house.clock.now() + 5_000 }
    })
    return running
  }

  return {
    soon: () => {
      stale = true
      start().catch(() => undefined)
    },
    settled: async () => {
      stale = true
      await start()
      return result
    },
  }
}
