import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAcks } from './acks.ts'
import { goalsOf, lineOf } from './goals.ts'
import { measureJourneys } from './journeys.ts'
import { machine, stepAside } from './machine.ts'
import { goalsOfMany, measureMany } from './many.ts'
import { goalsOfRules, measureRules } from './rules.ts'
import { createSetting } from './setting.ts'
import { goalsOfSignals, measureSignals } from './signals.ts'
import { measureStarts } from './starts.ts'
import { type Section, tableOf } from './table.ts'

const parts = {
  acks: measureAcks,
  journeys: measureJourneys,
  starts: measureStarts,
  many: measureMany,
  rules: measureRules,
  signals: measureSignals,
}
type Part = keyof typeof parts

/**
 * `npm run bench [-- --rounds 5] [--only acks]`: compares our bot with Bolt and a naive bot in interleaved rounds of
 * one run. Only ratios within one run are meaningful; the row "again" repeats one program and shows their noise.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' } } })
  const rounds = Number(values.rounds)
  stepAside()
  const setting = await createSetting()
  const sections: Partial<Record<Part, Section>> = {}
  try {
    for (const part of ['acks', 'journeys', 'starts', 'many', 'rules', 'signals'] as const) {
      if (values.only !== undefined && values.only !== part) continue
      const section = await parts[part](setting, part === 'starts' ? 2 * rounds - 1 : rounds)
      sections[part] = section
      console.log(`\n${tableOf(section)}`)
    }
  } finally {
    await setting.stop()
  }
  const goals = [
    ...goalsOf(sections),
    ...goalsOfMany(sections.many),
    ...goalsOfRules(sections.rules),
    ...goalsOfSignals(sections.signals),
  ]
  console.log(`\nGoals, as ratios of medians\n${goals.map(lineOf).join('\n')}`)
  console.log('\n± half the spread between rounds · foreign: the most that other programs took of the measured core')
  if (busiest(Object.values(sections)) > 0.15)
    console.log('Other programs kept this machine busy: measure again before believing any of it.')
  const results = {
    at: new Date().toISOString(),
    machine: machine(),
    redis: setting.redisNote,
    rounds,
    goals,
    sections,
  }
  if (values.only === undefined) await save(results)
}

function busiest(sections: readonly Section[]): number {
  return Math.max(...sections.flatMap(({ variants }) => Object.values(variants).flatMap(({ foreign = [] }) => foreign)))
}

async function save(results: object): Promise<void> {
  const directory = join(import.meta.dirname, 'results')
  await mkdir(directory, { recursive: true })
  const file = join(directory, 'latest.json')
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  console.log(`Written to ${file}`)
}

await main()
