/** A moment at which something could have gone otherwise: what could have happened instead of nothing. */
export type Choice = readonly string[]

/** Which of the choices of an execution did not go the usual way: their numbers, each with that of its fault, from 1. */
export type Course = readonly (readonly [choice: number, fault: number])[]

/** Decides what goes wrong in one execution, and remembers where else something could have. */
export interface Choices {
  readonly made: readonly Choice[]
  /** Null: all is well. `kind`: of the operation; only its first few in a phase are worth a choice. */
  take<Fault extends string>(kind: string, faults: readonly Fault[]): Fault | null
  /** Something has come further: what happens from here on is another matter. */
  nextPhase(): void
}

/** A request that waits does the same again and again: a fault at the tenth look shows nothing that the second does not. */
const mostOfAKind = 2

/** Throws when a fault of the course is not there to be had: then the course belongs to another version of the code. */
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

/** "3.1,17.2"; nothing where all went well. */
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

/** The courses that go on as this one did and then meet one fault more. */
export function* furtherCourses(course: Course, made: readonly Choice[]): Generator<Course> {
  const from = (course.at(-1)?.[0] ?? -1) + 1
  for (let choice = from; choice < made.length; choice += 1)
    for (let fault = 1; fault <= (made[choice]?.length ?? 0); fault += 1) yield [...course, [choice, fault]]
}

/** One of them by chance: `next` gives numbers from 0 up to 1. Null where there is none. */
export function chanceCourse(course: Course, made: readonly Choice[], next: () => number): Course | null {
  const from = (course.at(-1)?.[0] ?? -1) + 1
  if (from >= made.length) return null
  const choice = from + Math.floor(next() * (made.length - from))
  const faults = made[choice]?.length ?? 0
  return faults === 0 ? null : [...course, [choice, 1 + Math.floor(next() * faults)]]
}
