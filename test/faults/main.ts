import { readCourse } from './choices.ts'
import { play } from './execution.ts'
import { explore } from './explore.ts'
import { scenes } from './scenes.ts'

/*
 * npm run test:faults                                    all executions with up to two faults, more by chance
 * npm run test:faults -- --executions 500000 --seed 7    more of them, others
 * npm run test:faults -- --repeat 'restart|15.3'         one again, with everything that happened in it
 */

const args = process.argv.slice(2)

function option(name: string): string | undefined {
  const at = args.indexOf(`--${name}`)
  return at === -1 ? undefined : args[at + 1]
}

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
  const most = Number(option('executions') ?? 200_000)
  const began = performance.now()
  const { executions, findings, ends } = await explore(scenes, {
    faults: 2,
    most,
    seed: Number(option('seed') ?? 1),
    progress: (count) => count % 10_000 === 0 && console.log(`${count} executions`),
  })
  const seconds = (performance.now() - began) / 1_000
  console.log(`${executions} executions in ${seconds.toFixed(0)} s (${(executions / seconds).toFixed(0)}/s).`)
  console.log([...ends].map(([status, times]) => `${status}: ${times}`).join(', '))
  return findings.map(
    ({ says, times, repeat: line }) => `${times} ×: ${says}\n    npm run test:faults -- --repeat '${line}'`,
  )
}

const what = option('repeat')
const wrong = what === undefined ? await all() : await repeat(what)
console.log(wrong.length === 0 ? 'No law was broken.' : `Broken laws:\n${wrong.map((one) => `  ${one}`).join('\n')}`)
process.exitCode = wrong.length === 0 ? 0 : 1
