import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { measuredCoreTime, processorTimeOf } from './machine.ts'

export interface Measured<Result> {
  readonly result: Result
  /** ms of processor time that the program used meanwhile; NaN where the kernel does not tell. */
  readonly processorMs: number
  /** The part of the measured core that others took. */
  readonly foreign: number
}

/** A slice in which others took more of the measured core than this is measured again, as long as there is time. */
const tolerated = 0.1
/** ms that repetitions may take in one run. */
let spare = 100_000

/** Runs a slice against one program, and again while the machine is busy with other things; the quietest one counts. */
export async function quietly<Result>(pid: number, run: () => Promise<Result>): Promise<Measured<Result>> {
  let quietest: Measured<Result> | undefined
  for (let tries = 1; ; tries++) {
    // What the slice before left to do is not this one's.
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
