import { dayMs } from '../../../core/time/calendar.ts'

/** A value that changes only at edges. Instants in ms. */
export interface Course {
  readonly at: (ms: number) => string
  /** The last edge not after an instant, and the first after it; null if there is none. */
  readonly before: (ms: number) => number | null
  readonly after: (ms: number) => number | null
  /** The edges that do not recur weekly, in any order. From two weeks after one until the next, all weeks are alike. */
  readonly marks: (ms: number) => readonly (number | null)[]
}

/** If nothing changes for this long, nothing changes before the next mark, ms. */
const steady = 16 * dayMs

/** Returns the first instant after `ms` at which the value is no longer `now`; null if none is known. */
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

/** Returns the last instant not after `ms` at which the value became `now`; null if it never differed. */
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

/** Returns the earliest of these instants after `after`; null if there is none. */
export function earliest(instants: readonly (number | null)[], after: number): number | null {
  let found: number | null = null
  for (const one of instants) if (one !== null && one > after && (found === null || one < found)) found = one
  return found
}

/** Returns the latest of these instants not after `upTo`; null if there is none. */
export function latest(instants: readonly (number | null)[], upTo: number): number | null {
  let found: number | null = null
  for (const one of instants) if (one !== null && one <= upTo && (found === null || one > found)) found = one
  return found
}
