import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAcks } from './acks.ts'
import { goalsOf, lineOf } from './goals.ts'
import { measureJourneys } from './journeys.ts'
import { machine, stepAside } from './machine.ts'
import { createSetting } from './setting.ts'
import { measureStarts } from './starts.ts'
import { type Section, tableOf } from './table.ts'

/**
 * `npm run bench [-- --rounds 5]`: ours beside Bolt and a naive bot, in interleaved rounds of one run. Only ratios out
 * of one run mean something; the row "again" is the same program twice and shows how much chance there is in them.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
  const rounds = Number(values.rounds)
  stepAside()
  const setting = await createSetting()
  try {
    const acks = await measureAcks(setting, rounds)
    console.log(`\n${tableOf(acks)}`)
    const journeys = await measureJourneys(setting, rounds)
    console.log(`\n${tableOf(journeys)}`)
    const starts = await measureStarts(setting, 2 * rounds - 1)
    console.log(`\n${tableOf(starts)}`)
    const goals = goalsOf(acks, journeys, starts)
    console.log(`\nGoals, as ratios of medians\n${goals.map(lineOf).join('\n')}`)
    console.log('\n± half the spread between rounds · foreign: part of the measured core that other programs took')
    if (busiest([acks, journeys]) > 0.15)
      console.log('Other programs kept this machine busy: measure again before believing any of it.')
    const results = { at: new Date().toISOString(), machine: machine(), redis: setting.redisNote, rounds, goals }
    await save({ ...results, sections: [acks, journeys, starts] })
  } finally {
    await setting.stop()
  }
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
