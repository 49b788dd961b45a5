import { Session } from 'node:inspector/promises'

/** Counts executed code instead of measuring time, so results are the same on every machine. */
export interface Counter {
  /** Counts the blocks and calls that `work` executes in files whose URL contains `file`. */
  stepsOf(file: string, work: () => void): Promise<number>
  stop(): void
}

/** Must start before the counted code first runs: V8 counts code compiled earlier by calls only, not by blocks. */
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
