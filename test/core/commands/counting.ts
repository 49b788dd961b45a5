import { Session } from 'node:inspector/promises'

/** How many statements of our own code ran: not a time, so it is the same on every machine. */
export interface Counter {
  /** Counts the blocks and calls that `work` runs in files whose address contains `file`. */
  stepsOf(file: string, work: () => void): Promise<number>
  stop(): void
}

/** Start it before the code to be counted has run: what was compiled before is counted by call only. */
export async function startCounting(): Promise<Counter> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    async stepsOf(file, work) {
      await session.post('Profiler.takePreciseCoverage')
      work()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const ranges = result
        .filter(({ url }) => url.includes(file))
        .flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
      return ranges.reduce((sum, { count }) => sum + count, 0)
    },
    stop: () => session.disconnect(),
  }
}
