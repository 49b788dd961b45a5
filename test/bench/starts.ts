import { memoryOf, processorTimeOf } from './machine.ts'
import type { Setting } from './setting.ts'
import { shuffled } from './statistics.ts'
import type { Section } from './table.ts'

/** Measures the time from the start of a process to its ready line, and its memory at that point. */
export async function measureStarts(setting: Setting, rounds: number): Promise<Section> {
  const { programs } = setting
  const commands: Record<string, readonly string[]> = {
    'naive Bolt bot': [programs.naive],
    'naive Bolt bot, again': [programs.naive],
    'Bolt + queue.add': [programs.queueing],
    'Lamplighter, all': [programs.ours, 'all'],
    'Lamplighter, bot': [programs.ours, 'bot'],
    'Lamplighter, worker': [programs.ours, 'worker'],
    'Lamplighter, api': [programs.ours, 'api'],
  }
  const variants = Object.fromEntries(Object.keys(commands).map((name) => [name, samples()]))
  // The first round only warms the file cache.
  for (let round = -1; round < rounds; round++) {
    for (const [name, command] of shuffled(Object.entries(commands), round + 1)) {
      const program = await setting.start(command, 'bench-starts')
      const kept = variants[name]
      if (round >= 0) {
        kept?.readyMs.push(program.readyMs)
        kept?.processorMs.push(processorTimeOf(program.pid))
        kept?.memoryMb.push(memoryOf(program.pid))
      }
      await program.stop()
    }
  }
  return {
    title: 'Cold start, until ready',
    measures: [
      { key: 'readyMs', heading: 'ms', digits: 0, compared: true },
      { key: 'processorMs', heading: 'CPU ms', digits: 0, compared: true },
      { key: 'memoryMb', heading: 'RSS MB', digits: 0, compared: true },
    ],
    variants,
  }
}

function samples(): { readyMs: number[]; processorMs: number[]; memoryMb: number[] } {
  return { readyMs: [], processorMs: [], memoryMb: [] }
}
