import { performance } from 'node:perf_hooks'
import { measuredCoreTime, processorTimeOf } from './machine.ts'

export interface Measured<Result> {
  readonly result: Result
  /** ms of processor time that the program used meanwhile; NaN where the kernel does not tell. */
  readonly processorMs: number
  /** The part of the measured core that others took. */
  readonly foreign: number
}

/** More than this of the measured core taken by others, and the slice is measured again, twice at most. */
const tolerated = 0.15

/** Runs a slice against one program, and again when the machine was busy with other things. */
export async function quietly<Result>(pid: number, run: () => Promise<Result>): Promise<Measured<Result>> {
  for (let tries = 1; ; tries++) {
    const [own, core, begin] = [processorTimeOf(pid), measuredCoreTime(), performance.now()]
    const result = await run()
    const processorMs = processorTimeOf(pid) - own
    const foreign = (measuredCoreTime() - core - processorMs) / (performance.now() - begin)
    if (!(foreign > tolerated) || tries === 3) return { result, processorMs, foreign }
  }
}
