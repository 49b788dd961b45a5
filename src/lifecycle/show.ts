import { Newer } from '../core/model/formats.ts'
import { type ClaimedRequest, LeaseLost, type Services, type ShowResult } from '../core/ports/services.ts'

export interface Showing {
  /** Show the request as it is now, beside the work: a slow chat must not hold up the platform. */
  readonly soon: () => void
  /** When all is shown as it is now, or put off. */
  readonly settled: () => Promise<ShowResult>
}

/** At most one showing at a time; whatever changes meanwhile is shown once, in its newest form. */
export function showing(services: Services, held: ClaimedRequest): Showing {
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let stale = true
  let leaving = false
  let result: ShowResult = { again: null }

  async function run(): Promise<void> {
    while (stale) {
      stale = false
      result = await services.notifier.show(held)
    }
    running = null
    again(result.again)
  }

  function start(): Promise<void> {
    running ??= run().catch((error) => {
      running = null
      if (error instanceof LeaseLost || error instanceof Newer) throw error
      services.log.error({ request: held.request.id, err: error }, 'a request could not be shown')
      result = { again: services.clock.now() + 5_000 }
    })
    return running
  }

  /** While the work goes on, what had to wait a moment is shown in its moment. */
  function again(at: number | null): void {
    clearTimeout(timer)
    if (at !== null && !leaving) timer = setTimeout(soon, Math.max(0, at - services.clock.now()))
  }

  function soon(): void {
    stale = true
    start().catch(() => undefined)
  }

  return {
    soon,
    settled: async () => {
      leaving = true
      clearTimeout(timer)
      if (stale || running !== null) await start()
      leaving = false
      return result
    },
  }
}
