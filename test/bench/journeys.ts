import { memoryOf } from './machine.ts'
import { quietly } from './quietly.ts'
import type { Setting } from './setting.ts'
import { medianOf, quantileOf, shuffled } from './statistics.ts'
import type { Section } from './table.ts'
import type { JourneyResult, Journeys } from './world.ts'

const count = 150
/** As many as for the reference figures, so that all programs are measured warm. */
const warmUp = 600

/** Measures from the command to its final message, with a platform and a Slack that respond at once. */
export async function measureJourneys(setting: Setting, rounds: number): Promise<Section> {
  const { programs, world } = setting
  const commands = {
    'naive Bolt bot': [programs.naive],
    'naive Bolt bot, again': [programs.naive],
    Lamplighter: [programs.ours, 'all'],
  }
  const running = await Promise.all(
    Object.entries(commands).map(async ([name, command]) => {
      return { name, ...(await setting.start(command, 'bench-journeys')) }
    }),
  )
  const variants = Object.fromEntries(running.map(({ name }) => [name, samples()]))
  const travel = (journeys: Journeys) => world.ask<JourneyResult>(journeys)

  // Twice, because Slack and the platform also warm up during the first pass.
  for (const { port } of [...running, ...running]) await travel({ port, count: warmUp / 2 })
  for (let round = 0; round < rounds; round++) {
    for (const { name, port, pid } of shuffled(running, round)) {
      const { result, processorMs, foreign } = await quietly(pid, () => travel({ port, count }))
      const kept = variants[name]
      kept?.p50Ms.push(medianOf(result.endMs))
      kept?.p99Ms.push(quantileOf(result.endMs, 0.99))
      kept?.ackMs.push(medianOf(result.ackMs))
      kept?.processorUs.push((processorMs / count) * 1_000)
      kept?.memoryMb.push(memoryOf(pid))
      kept?.foreign.push(foreign)
    }
  }
  await Promise.all(running.map((program) => program.stop()))
  return {
    title: 'From the command to its final message, one at a time',
    measures: [
      { key: 'p50Ms', heading: 'p50 ms', digits: 2, compared: true },
      { key: 'p99Ms', heading: 'p99 ms', digits: 1 },
      { key: 'ackMs', heading: 'ack p50 ms', digits: 2, compared: true },
      { key: 'processorUs', heading: 'CPU µs', digits: 0, compared: true },
      { key: 'memoryMb', heading: 'RSS MB', digits: 0 },
      { key: 'foreign', heading: 'foreign', digits: 2, worst: true },
    ],
    variants,
  }
}

function samples() {
  const empty = (): number[] => []
  return { p50Ms: empty(), p99Ms: empty(), ackMs: empty(), processorUs: empty(), memoryMb: empty(), foreign: empty() }
}
