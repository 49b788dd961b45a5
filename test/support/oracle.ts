import { tries } from './search.ts'

/**
 * The local time of a zone, computed the slow way: with `Intl` for each single minute, and without the product's own
 * calculation. Instants and local times are whole minutes since 1970 (in UTC and in the zone).
 */
export interface Oracle {
  /** Returns the local time. */
  readonly shown: (minute: number) => number
  /** Returns the local time, and the latest one reached so far, so that repeated hours count once. */
  readonly look: (minute: number) => { readonly shown: number; readonly reached: number }
  /** Returns the first minute at which local time reaches `wall`. Call it with ascending times. */
  readonly first: (wall: number) => number
  readonly changes: readonly Change[]
}

/** A clock change, with the local times of `beside` minutes before and after it, from `begin`. */
export interface Change {
  readonly at: number
  readonly begin: number
  readonly shown: readonly number[]
  readonly reached: readonly number[]
}

const day = 1440
const week = 7 * day
/** A day in the long search, otherwise three hours, which is more than any clock change. */
const beside = tries(day, 8)

export function oracleOf(zone: string, from: number, to: number): Oracle {
  const shown = clockOf(zone)
  const changes = turnsIn(shown, from, to)
    .slice(1)
    .map(({ at }) => around(shown, at))
  let next = 0
  let ahead = shown(from) - from
  return {
    shown,
    changes,
    look(minute) {
      const change = changes.find(({ begin, shown }) => begin <= minute && minute < begin + shown.length)
      const now = shown(minute)
      return { shown: now, reached: change?.reached[minute - change.begin] ?? now }
    },
    first(wall) {
      for (; changes[next] !== undefined && wall > changes[next]!.reached.at(-1)!; next++) {
        const { begin, shown } = changes[next]!
        ahead = shown.at(-1)! - (begin + shown.length - 1)
      }
      const change = changes[next]
      if (change !== undefined && wall > change.reached[0]!) {
        return change.begin + change.reached.findIndex((one) => one >= wall)
      }
      const minute = wall - ahead
      if (shown(minute) !== wall) throw new Error(`${zone} has a change nobody found`)
      return minute
    },
  }
}

function clockOf(zone: string): (minute: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (minute) => {
    // "11/20/2026, 13:00"
    const text = format.format(minute * 60_000)
    const number = (at: number, size: number) => Number(text.slice(at, at + size))
    return Date.UTC(number(6, 4), number(0, 2) - 1, number(3, 2), number(12, 2), number(15, 2)) / 60_000
  }
}

/** Returns each clock change of a zone: the first minute with another offset, and that offset in minutes. */
export function turnsOf(
  zone: string,
  from: number,
  to: number,
): readonly { readonly at: number; readonly offset: number }[] {
  return turnsIn(clockOf(zone), from, to)
}

/** Compares weeks and bisects one with a change. It would miss two changes in a week, but the product finds them. */
function turnsIn(shown: (minute: number) => number, from: number, to: number) {
  const offset = (minute: number) => shown(minute) - minute
  const found = [{ at: from, offset: offset(from) }]
  for (let low = from; low < to; low += week) {
    if (found.at(-1)?.offset === offset(low + week)) continue
    let [same, other] = [low, low + week]
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2)
      if (offset(middle) === offset(low)) same = middle
      else other = middle
    }
    if (found.length > 1 && other - found.at(-1)!.at <= 2 * day)
      throw new Error('Two changes are too near for this oracle.')
    found.push({ at: other, offset: offset(other) })
  }
  return found
}

function around(shown: (minute: number) => number, at: number): Change {
  const begin = at - beside
  const walls = Array.from({ length: 2 * beside + 1 }, (_, index) => shown(begin + index))
  let furthest = Number.NEGATIVE_INFINITY
  const reached = walls.map((wall) => {
    furthest = Math.max(furthest, wall)
    return furthest
  })
  return { at, begin, shown: walls, reached }
}
