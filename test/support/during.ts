import type { TestContext } from 'vitest'
import { type Child, startChild } from './child.ts'
import { leasesLapse, turnLapses } from './time.ts'
import { startTown, type Town, type TownOptions } from './town.ts'

type Ending = Pick<TestContext, 'onTestFinished'>

/** Starts a town that stops with this test. Takes the test's context, because tests may run side by side. */
export async function townDuring({ onTestFinished }: Ending, options: TownOptions = {}): Promise<Town> {
  const town = await startTown(options)
  onTestFinished(() => town.stop())
  return town
}

/** Starts a part of a town as a child process that stops with this test. */
export async function childDuring({ onTestFinished }: Ending, ...what: Parameters<typeof startChild>): Promise<Child> {
  const child = await startChild(...what)
  onTestFinished(() => child.stop())
  return child
}

/** Ends a worker and starts the next one here: beside it, or as soon as a killed one is gone with all that it held. */
export async function replaceWorker(
  town: Town,
  first: Child,
  signal: 'SIGTERM' | 'SIGKILL',
  turn: 'rules' | 'watch',
): Promise<void> {
  first.signal(signal)
  if (signal === 'SIGKILL') {
    await first.gone
    await leasesLapse(town)
    await turnLapses(town, turn)
  }
  await town.begin('worker')
}
