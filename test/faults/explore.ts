import { diceOf } from '../support/dice.ts'
import { type Course, chanceCourse, furtherCourses, writeCourse } from './choices.ts'
import { type Breaking, type Execution, play } from './execution.ts'
import type { Scene } from './scenes.ts'

/** A law that was broken. */
export interface Finding {
  readonly says: string
  readonly times: number
  /** Of the first execution that broke it: "restart|15.3,20.1". */
  readonly repeat: string
}

export interface Explored {
  /** Different ones. */
  readonly executions: number
  readonly findings: readonly Finding[]
  /** How often each status was the end of a request. */
  readonly ends: ReadonlyMap<string, number>
}

export interface Exploring {
  /** All executions with up to so many faults are played, as far as `most` allows. */
  readonly faults: number
  /** And then others with up to four by chance, until there were so many different ones. */
  readonly most: number
  readonly seed?: number
  /** Something that is wrong with every worker. */
  readonly breaking?: Breaking
  /** Enough is found once a broken law says this. */
  readonly until?: string
  readonly progress?: (executions: number) => void
}

/** Plays scenes in as many ways as asked for, those with the fewest faults first. */
export async function explore(scenes: readonly Scene[], exploring: Exploring): Promise<Explored> {
  const { stackTraceLimit } = Error
  // Faults are put in by the thousand. Where one was is said by its course, which costs nothing.
  Error.stackTraceLimit = 0
  try {
    return await exploreAll(scenes, exploring)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function exploreAll(scenes: readonly Scene[], exploring: Exploring): Promise<Explored> {
  const { faults, seed = 1, breaking, until, progress } = exploring
  let { most } = exploring
  const findings = new Map<string, Finding>()
  const ends = new Map<string, number>()
  const known = new Set<string>()
  /** Where the shortest ones could have gone otherwise: chance begins at them again and again. */
  const short = new Map<string, Execution['made']>()

  async function run(scene: Scene, course: Course): Promise<Execution['made']> {
    const repeat = `${scene.name}|${writeCourse(course)}`
    const before = short.get(repeat)
    if (before !== undefined) return before
    const execution = await play(scene, course, { ...(breaking && { breaking }) })
    if (course.length < 2) short.set(repeat, execution.made)
    if (known.has(repeat)) return execution.made
    known.add(repeat)
    for (const says of execution.violations) {
      const { times, repeat: first } = findings.get(says) ?? { times: 0, repeat }
      findings.set(says, { says, times: times + 1, repeat: first })
      if (until !== undefined && says.includes(until)) most = 0
    }
    for (const end of execution.ends) {
      const [status = ''] = end.split(':')
      ends.set(status, (ends.get(status) ?? 0) + 1)
    }
    if (known.size % 250 === 0) {
      progress?.(known.size)
      // Others in this process have to breathe: nothing here waits for anything outside.
      await new Promise<void>((resolve) => void setImmediate(resolve))
    }
    return execution.made
  }

  let front: (readonly [Scene, Course])[] = scenes.map((scene) => [scene, []])
  for (let count = 0; count <= faults; count += 1) {
    const next: (readonly [Scene, Course])[] = []
    for (const [scene, course] of front) {
      if (known.size >= most) break
      const made = await run(scene, course)
      if (count < faults) for (const further of furtherCourses(course, made)) next.push([scene, further])
    }
    front = next
  }

  const dice = diceOf(seed)
  for (let lost = 0; known.size < most && lost < most; lost += 1) {
    const scene = scenes[lost % scenes.length]!
    let course: Course | null = []
    for (let count = 0; count <= 4 && course !== null; count += 1) {
      const made = await run(scene, course)
      course = chanceCourse(course, made, dice.next)
    }
  }
  return { executions: known.size, findings: [...findings.values()], ends }
}
