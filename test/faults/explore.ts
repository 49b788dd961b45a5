import { diceOf } from '../support/dice.ts'
import { type Course, chanceCourse, furtherCourses, writeCourse } from './choices.ts'
import { type Breaking, type Execution, play } from './execution.ts'
import type { Scene } from './scenes.ts'

/** A broken law. */
export interface Finding {
  readonly says: string
  readonly times: number
  /** The first execution that broke it, such as "restart|15.3,20.1". */
  readonly repeat: string
}

export interface Explored {
  /** How many distinct executions were played. */
  readonly executions: number
  readonly findings: readonly Finding[]
  /** How many requests ended with each status. */
  readonly ends: ReadonlyMap<string, number>
}

export interface Exploring {
  /** Plays every execution with at most this many faults, up to `most` executions. */
  readonly faults: number
  /** Then plays random ones with up to four faults until this many distinct ones were played. */
  readonly most: number
  readonly seed?: number
  /** A defect in every worker. */
  readonly breaking?: Breaking
  /** Stops as soon as a broken law contains this text. */
  readonly until?: string
  readonly progress?: (executions: number) => void
}

/** Plays the scenes with the fewest faults first. */
export async function explore(scenes: readonly Scene[], exploring: Exploring): Promise<Explored> {
  const { stackTraceLimit } = Error
  // A run throws thousands of faults. Their courses locate them, so the stack traces are not worth their cost.
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
  /** The choices of the shortest executions, because every random search starts from them again. */
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
      // Nothing here awaits I/O, so yield to the rest of the process.
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
