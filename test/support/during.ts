import type { TestContext } from 'vitest'
import { type Child, startChild } from './child.ts'
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
