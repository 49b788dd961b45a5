import { clockText, type Day, weekdayNames, weekdayOf } from './civil.ts'
import { lasting } from './duration.ts'
import type { Preview } from './preview.ts'
import { instantOf, localAt, shiftsBetween } from './zone.ts'

/** The next days as words, a line a day, as the clocks of one zone show them. */
export interface Outlook {
  readonly zone: string
  readonly lines: readonly string[]
}

type Stretch = Preview['segments'][number]

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const shown = 7

/**
 * What is to come, for somebody in each of some zones; zones whose clocks show the same are told once. Empty before
 * anything is decided.
 */
export function outlooksOf(preview: Preview, zones: readonly string[]): readonly Outlook[] {
  const all = [...new Set(zones)].map((zone) => ({ zone, lines: linesIn(preview, zone) }))
  return all.filter(({ lines }, at) => all.findIndex((one) => one.lines.join() === lines.join()) === at)
}

function linesIn({ segments, skipped }: Preview, zone: string): readonly string[] {
  const from = segments[0]?.from
  if (from === undefined) return []
  const first = localAt(from, zone).day
  const all = merged(segments)
  const leaves = all.some(({ want }) => want === 'hands off')
  return Array.from({ length: shown }, (_, nth) => first + nth).flatMap((day) => {
    const [start, end] = [instantOf(day, 0, zone), instantOf(day + 1, 0, zone)]
    const here = all.filter((one) => one.to > start && one.from < end)
    const changed = shiftsBetween(start, end - 1, zone)
    const holiday = skipped.includes(day) ? ' (holiday)' : ''
    return [
      `${dateOf(day)}  ${stretchesOf(here, [start, end], zone, leaves)}${holiday}`,
      ...changed.map(({ by }) => `${' '.repeat(12)}clocks go ${by > 0 ? 'forward' : 'back'} ${lasting(Math.abs(by))}`),
    ]
  })
}

/** Segments next to each other that want the same are one. */
function merged(segments: Preview['segments']): readonly Stretch[] {
  const all: Stretch[] = []
  for (const one of segments) {
    const last = all.at(-1)
    if (last?.want === one.want) all[all.length - 1] = { ...last, to: one.to }
    else all.push(one)
  }
  return all
}

/** "Mon 23 Nov", always as wide. */
function dateOf(day: Day): string {
  const date = new Date(day * 86_400_000)
  const name = weekdayNames[weekdayOf(day)] ?? ''
  const month = months[date.getUTCMonth()] ?? ''
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${String(date.getUTCDate()).padStart(2)} ${month}`
}

/** "up 09:00–20:00". Where all else is down, only what is up has to be said. */
function stretchesOf(
  here: readonly Stretch[],
  [start, end]: readonly [number, number],
  zone: string,
  leaves: boolean,
): string {
  const [only] = here
  if (only !== undefined && here.length === 1 && only.from <= start && end <= only.to) return wholeDay[only.want]
  const ups = here.filter(({ want }) => want === 'up')
  const said = ups.length > 0 && !leaves ? ups : here.filter(({ want }) => want !== 'hands off')
  if (said.length === 0) return wholeDay['hands off']
  return said
    .map(({ from, to, want }) => {
      const begins = from <= start ? '00:00' : clockText(localAt(from, zone).minute)
      const ends = to >= end ? '24:00' : clockText(localAt(to, zone).minute)
      return `${want} ${begins}–${ends}`
    })
    .join(', ')
}

const wholeDay = { up: 'up all day', down: 'down all day', 'hands off': 'left as it is' } as const
