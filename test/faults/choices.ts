/** A moment at which something can go wrong: the possible faults. */
export type Choice = readonly string[]

/** The faults of an execution: the number of each choice and the number of its fault, counted from 1. */
export type Course = readonly (readonly [choice: number, fault: number])[]

/** Decides what goes wrong in one execution and records where else a fault was possible. */
export interface Choices {
  readonly made: readonly Choice[]
  /** Returns null if nothing goes wrong. Only the first few operations of a `kind` per phase are choices. */
  take<Fault extends string>(kind: string, faults: readonly Fault[]): Fault | null
  /** Starts a new phase, in which every kind of operation is counted anew. */
  nextPhase(): void
}

/** A waiting request repeats itself, so a fault at the tenth look shows nothing new after the second. */
const mostOfAKind = 2

/** Throws if a choice does not offer the course's fault, which then belongs to another version of the code. */
export function createChoices(course: Course): Choices {
  const made: Choice[] = []
  const planned = new Map(course)
  const counts = new Map<string, number>()
  return {
    made,
    nextPhase: () => counts.clear(),
    take(kind, faults) {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count > mostOfAKind) return null
      const wanted = planned.get(made.length) ?? 0
      made.push(faults)
      if (wanted === 0) return null
      const fault = faults[wanted - 1]
      if (fault === undefined)
        throw new Error(`Choice ${made.length - 1} has no fault ${wanted}: this course is of other code.`)
      return fault
    },
  }
}

/** Formats a course as "3.1,17.2"; without faults it is empty. */
export function writeCourse(course: Course): string {
  return course.map(([choice, fault]) => `${choice}.${fault}`).join()
}

export function readCourse(text: string): Course {
  if (text === '') return []
  return text.split(',').map((one): [number, number] => {
    const found = /^(\d+)\.(\d+)$/.exec(one)
    if (found === null) throw new Error(`Not a course: ${text}. Write for example 3.1,17.2.`)
    return [Number(found[1]), Number(found[2])]
  })
}

/** Yields every course that adds one fault after this one's last. */
export function* furtherCourses(course: Course, made: readonly Choice[]): Generator<Course> {
  const from = (course.at(-1)?.[0] ?? -1) + 1
  for (let choice = from; choice < made.length; choice += 1)
    for (let fault = 1; fault <= (made[choice]?.length ?? 0); fault += 1) yield [...course, [choice, fault]]
}

/** Picks one of the further courses at random, or null if there is none. `next` returns numbers from 0 to below 1. */
export function chanceCourse(course: Course, made: readonly Choice[], next: () => number): Course | null {
  const from = (course.at(-1)?.[0] ?? -1) + 1
  if (from >= made.length) return null
  const choice = from + Math.floor(next() * (made.length - from))
  const faults = made[choice]?.length ?? 0
  return faults === 0 ? null : [...course, [choice, 1 + Math.floor(next() * faults)]]
}
