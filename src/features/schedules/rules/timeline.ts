/** Something that depends on time and changes only at edges. Instants in ms. */
export interface Course {
  /** What it is at an instant; the same text is the same. */
  readonly at: (ms: number) => string
  /** The last edge not after, the first edge after; null when there is none. At an edge something may change, or not. */
  readonly before: (ms: number) => number | null
  readonly after: (ms: number) => number | null
  /**
   * Those known from an instant, a finite number in any order; asked for seldom. From two weeks after one of these until the next, every
   * week is like the one before.
   */
  readonly marks: (ms: number) => readonly (number | null)[]
}

/** Edges every week without a change for so long mean that there will be none before the next mark. */
const steady = 16 * 86_400_000

/** The first instant after `ms` at which it is no longer what it is `now`; null when it never will, as far as is known. */
export function changeAfter(course: Course, ms: number, now = course.at(ms)): number | null {
  let anchor = ms
  for (let edge = course.after(ms); edge !== null; edge = course.after(edge)) {
    while (edge - anchor > steady) {
      const mark = earliest(course.marks(ms), anchor)
      if (mark === null) return null
      anchor = mark
      edge = Math.max(edge, mark)
    }
    if (course.at(edge) !== now) return edge
  }
  return null
}

/** The last instant not after `ms` at which it became what it is `now`; null when it was never anything else. */
export function changeBefore(course: Course, ms: number, now = course.at(ms)): number | null {
  let anchor = ms
  for (let edge = course.before(ms); edge !== null; edge = course.before(edge - 1)) {
    while (anchor - edge > steady) {
      const mark = latest(course.marks(ms), anchor - 1)
      if (mark === null) return null
      anchor = mark
      edge = Math.min(edge, mark)
    }
    if (course.at(edge - 1) !== now) return edge
  }
  return null
}

/** The earliest of some instants after one. */
export function earliest(instants: readonly (number | null)[], after: number): number | null {
  let found: number | null = null
  for (const one of instants) if (one !== null && one > after && (found === null || one < found)) found = one
  return found
}

/** The latest of some instants not after one. */
export function latest(instants: readonly (number | null)[], upTo: number): number | null {
  let found: number | null = null
  for (const one of instants) if (one !== null && one <= upTo && (found === null || one > found)) found = one
  return found
}
