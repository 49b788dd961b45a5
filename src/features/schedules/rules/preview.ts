import type { Outlook } from '../../../core/model/question.ts'
import type { Rules } from '../../../core/model/rules.ts'
import { clockText, type Day, weekdayNames, weekdayOf } from '../../../core/time/calendar.ts'
import { lasting } from '../../../core/time/format.ts'
import { instantOf, localAt, type Shift, shiftsBetween } from '../../../core/time/zone.ts'
import { type Segment, segments } from './desired-state.ts'

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
  const usual = usualOf(all)
  return Array.from({ length: shown }, (_, nth) => first + nth).flatMap((day) => {
    const [start, end] = [instantOf(day, 0, zone), instantOf(day + 1, 0, zone)]
    const holiday = skipped.includes(day) ? ' (holiday)' : ''
    const [head = '', ...more] = stretchesOf(all, [start, end], zone, usual)
    const below = [...more, ...shiftsBetween(start, end - 1, zone).flatMap((shift) => shiftText(shift, zone))]
    return [`${dateOf(day)}  ${head}${holiday}`, ...below.map((text) => `${' '.repeat(12)}${text}`)]
  })
}

/**
 * What goes without saying: down where something is to be up, else what is left as it is. Where all three come, the
 * longer of the two, or a stop of a one-off would be hidden by what nobody decides about.
 */
function usualOf(all: readonly Stretch[]): Stretch['want'] {
  const wants = new Set(all.map(({ want }) => want))
  if (wants.size === 1) return all[0]?.want ?? 'hands off'
  if (!wants.has('up') || !wants.has('down')) return 'hands off'
  const long = (wanted: Stretch['want']) =>
    all.filter(({ want }) => want === wanted).reduce((sum, { from, to }) => sum + to - from, 0)
  return long('down') >= long('hands off') ? 'down' : 'hands off'
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

/** "up 22:00–06:00", a line each, on the day it begins; what takes longer than a day on every day it touches. */
function stretchesOf(
  all: readonly Stretch[],
  [start, end]: readonly [number, number],
  zone: string,
  usual: Stretch['want'],
): readonly string[] {
  const here = all.filter(({ from, to, want }) => want !== usual && from < end && to > start)
  const whole = here.find(({ from, to }) => from <= start && end <= to)
  if (whole !== undefined) return [wholeDay[whole.want]]
  const said = here.flatMap((one) => {
    const [from, to] = [one.from, one.to].map((ms) => clockText(localAt(ms, zone).minute))
    const name = names[one.want]
    if (one.from >= start)
      return [isLong(one) && one.to > end ? `${name} from ${from}` : `${name} ${from}–${to === '00:00' ? '24:00' : to}`]
    return isLong(one) ? [`${name} until ${to}`] : []
  })
  if (said.length > 0) return said
  const night = here.at(-1)
  return [night === undefined ? wholeDay[usual] : `${names[usual]} from ${clockText(localAt(night.to, zone).minute)}`]
}

/** Not told in one line, as a night is: it ends on another day than it begins. */
function isLong({ from, to, want }: Stretch): boolean {
  return want === 'hands off' || to - from >= 86_400_000
}

/** What the clocks do, and which hours there are not: what is to begin in them begins after them, or not at all. */
function shiftText({ at, by }: Shift, zone: string): readonly string[] {
  const length = lasting(Math.abs(by))
  if (by < 0) return [`clocks go back ${length}`]
  const to = localAt(at, zone).minute
  return [`clocks go forward ${length}`, `no ${clockText(to - by / 60_000)}–${clockText(to)} that day`]
}

const names = { up: 'up', down: 'down', 'hands off': 'left as it is' } as const
const wholeDay = { up: 'up all day', down: 'down all day', 'hands off': 'left as it is' } as const

/** What rules come to over some days. Instants in ms. */
interface Preview {
  /** One after the other without a hole. */
  readonly segments: readonly Segment[]
  /** Dates in it on which up-windows do not begin. */
  readonly skipped: readonly Day[]
  /** Changes of the clocks in it, in the zones of the rules. */
  readonly shifts: readonly (Shift & { readonly zone: string })[]
}

/** What rules come to in so many days of 24 h from `from` (ms): to look at before they are kept. */
export function preview(rules: Rules, from: number, days: number): Preview {
  const to = from + days * 86_400_000
  const zones = [...new Set(rules.weekly.map(({ zone }) => zone))]
  const shown = zones.map((zone) => [localAt(from, zone).day, localAt(to - 1, zone).day] as const)
  const isShown = (day: Day): boolean => shown.some(([first, last]) => first <= day && day <= last)
  return {
    segments: segments(rules, from, to),
    skipped: [...rules.skip].filter(isShown).sort((a, b) => a - b),
    shifts: zones
      .flatMap((zone) => shiftsBetween(from, to, zone).map((shift) => ({ ...shift, zone })))
      .sort((a, b) => a.at - b.at),
  }
}
