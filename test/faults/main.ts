import { parseArgs } from 'node:util'
import { readCourse } from './choices.ts'
import { play } from './execution.ts'
import { explore } from './explore.ts'
import { scenes } from './scenes.ts'
import { searchLong } from './searches.ts'

const usage = `npm run test:faults [-- OPTIONS]

Plays executions with faults, then runs every test that searches by chance with all its tries.

  --executions N     how many are played at most; 200000
  --seed N           which of those beyond two faults; 1
  --repeat LINE      one again, with everything that happened in it, such as 'restart|15.3'`

const { values } = parseArgs({
  options: {
    executions: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    repeat: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

async function repeat(what: string): Promise<readonly string[]> {
  const [name, course = ''] = what.split('|')
  const scene = scenes.find((one) => one.name === name)
  if (scene === undefined)
    throw new Error(`No scene is called ${name}. There are ${scenes.map((one) => one.name).join()}.`)
  const { story, violations } = await play(scene, readCourse(course), { telling: true })
  console.log(story.join('\n'))
  return violations
}

async function all(): Promise<readonly string[]> {
  const most = Number(values.executions)
  const began = performance.now()
  const { executions, findings, ends } = await explore(scenes, {
    faults: 2,
    most,
    seed: Number(values.seed),
    progress: (count) => count % 10_000 === 0 && console.log(`${count} executions`),
  })
  const seconds = (performance.now() - began) / 1_000
  console.log(`${executions} executions in ${seconds.toFixed(0)} s (${(executions / seconds).toFixed(0)}/s).`)
  console.log([...ends].map(([status, times]) => `${status}: ${times}`).join(', '))
  return findings.map(
    ({ says, times, repeat: line }) => `${times} ×: ${says}\n    npm run test:faults -- --repeat '${line}'`,
  )
}

if (values.help) {
  console.log(usage)
} else {
  const wrong = values.repeat === undefined ? await all() : await repeat(values.repeat)
  console.log(wrong.length === 0 ? 'No law was broken.' : `Broken laws:\n${wrong.map((one) => `  ${one}`).join('\n')}`)
  const searched = values.repeat === undefined ? searchLong() : 0
  process.exitCode = wrong.length === 0 ? searched : 1
}
