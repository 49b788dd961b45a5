import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { measuredCoreTime, processorTimeOf } from './machine.ts'

export interface Measured<Result> {
  readonly result: Result
  /** The program's processor time meanwhile, ms; NaN if the kernel does not report it. */
  readonly processorMs: number
  /** The fraction of the measured core that other processes used. */
  readonly foreign: number
}

/** A slice with more foreign use than this fraction is repeated while there is time. */
const tolerated = 0.1
/** The time left for repetitions in this run, ms. */
let spare = 100_000

/** Measures a slice against one program, and repeats it while the machine is busy. Returns the quietest. */
export async function quietly<Result>(pid: number, run: () => Promise<Result>): Promise<Measured<Result>> {
  let quietest: Measured<Result> | undefined
  for (let tries = 1; ; tries++) {
    // Work left over from the previous slice must not count here.
    await wait(100)
    const begin = performance.now()
    const slice = await measure(pid, run)
    if (quietest === undefined || slice.foreign < quietest.foreign) quietest = slice
    if (!(quietest.foreign > tolerated) || tries === 5 || spare <= 0) return quietest
    spare -= performance.now() - begin
  }
}

async function measure<Result>(pid: number, run: () => Promise<Result>): Promise<Measured<Result>> {
  const [own, core, begin] = [processorTimeOf(pid), measuredCoreTime(), performance.now()]
  const result = await run()
  const processorMs = processorTimeOf(pid) - own
  return { result, processorMs, foreign: (measuredCoreTime() - core - processorMs) / (performance.now() - begin) }
}
