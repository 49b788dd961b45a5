import type { DailyPreview } from '../../../core/model/question.ts'
import type { Rules } from '../../../core/model/rules.ts'
import { clockText, type Day, dayMs, monthDayText, weekdayText } from '../../../core/time/calendar.ts'
import { lasting } from '../../../core/time/format.ts'
import { type ClockChange, instantOf, localAt, shiftsBetween } from '../../../core/time/zone.ts'
import { type DecidedSpan, segments } from './desired-state.ts'

type Want = DecidedSpan['want']

const shownDays = 7

/** The next 7 days from `now` (ms), in the zones of the rules and in `zone`; equal clocks are shown once. */
export function previewDays(rules: Rules, now: number, zone: string): readonly DailyPreview[] {
  // Two more days, for a night that begins on the last one.
  const spans = merged(segments(rules, now, now + (shownDays + 2) * dayMs))
  const holidays = rules.weekly.length === 0 ? new Set<Day>() : rules.skip
  const zones = [...new Set([...rules.weekly.map((rule) => rule.zone), zone])]
  const all = zones.map((one) => ({ zone: one, lines: linesIn(spans, holidays, now, one) }))
  return all.filter(({ lines }, at) => all.findIndex((one) => one.lines.join() === lines.join()) === at)
}

function linesIn(spans: readonly DecidedSpan[], holidays: Rules['skip'], now: number, zone: string): readonly string[] {
  const first = localAt(now, zone).day
  const usual = usualOf(spans)
  return Array.from({ length: shownDays }, (_, nth) => first + nth).flatMap((day) => {
    const [start, end] = [instantOf(day, 0, zone), instantOf(day + 1, 0, zone)]
    const holiday = holidays.has(day) ? ' (holiday)' : ''
    const [head = '', ...more] = textsOf(start, end)
    const below = [...more, ...shiftsBetween(start, end - 1, zone).flatMap((shift) => shiftText(shift, zone))]
    const date = `${weekdayText(day)} ${monthDayText(day).padStart(6)}`
    return [`${date}  ${head}${holiday}`, ...below.map((text) => `${' '.repeat(12)}${text}`)]
  })

  /** "up 22:00–06:00" for each span that begins on a day, and a text for a long one on every day that it touches. */
  function textsOf(start: number, end: number): readonly string[] {
    const here = spans.filter(({ from, to, want }) => want !== usual && from < end && to > start)
    const whole = here.find(({ from, to }) => from <= start && end <= to)
    if (whole !== undefined) return [wholeDay[whole.want]]
    const texts = here.flatMap((one) => {
      const [from, to] = [one.from, one.to].map((ms) => clockText(localAt(ms, zone).minute))
      const name = names[one.want]
      if (one.from >= start)
        return [
          isLong(one) && one.to > end ? `${name} from ${from}` : `${name} ${from}–${to === '00:00' ? '24:00' : to}`,
        ]
      return isLong(one) ? [`${name} until ${to}`] : []
    })
    if (texts.length > 0) return texts
    const night = here.at(-1)
    return [night === undefined ? wholeDay[usual] : `${names[usual]} from ${clockText(localAt(night.to, zone).minute)}`]
  }
}

/** The state that is not mentioned: down beside up, else hands off; of all three the longer of down and hands off. */
function usualOf(all: readonly DecidedSpan[]): Want {
  const wants = new Set(all.map(({ want }) => want))
  if (wants.size === 1) return all[0]?.want ?? 'hands off'
  if (!wants.has('up') || !wants.has('down')) return 'hands off'
  const total = (wanted: Want) =>
    all.filter(({ want }) => want === wanted).reduce((sum, { from, to }) => sum + to - from, 0)
  return total('down') >= total('hands off') ? 'down' : 'hands off'
}

function merged(spans: readonly DecidedSpan[]): readonly DecidedSpan[] {
  const all: DecidedSpan[] = []
  for (const one of spans) {
    const last = all.at(-1)
    if (last?.want === one.want) all[all.length - 1] = { ...last, to: one.to }
    else all.push(one)
  }
  return all
}

/** Whether it gets a text on its first and on its last day, unlike a night. */
function isLong({ from, to, want }: DecidedSpan): boolean {
  return want === 'hands off' || to - from >= dayMs
}

function shiftText({ at, by }: ClockChange, zone: string): readonly string[] {
  const length = lasting(Math.abs(by))
  if (by < 0) return [`clocks go back ${length}`]
  const to = localAt(at, zone).minute
  return [`clocks go forward ${length}`, `no ${clockText(to - by / 60_000)}–${clockText(to)} that day`]
}

const names = { up: 'up', down: 'down', 'hands off': 'left as it is' } as const
const wholeDay = { up: 'up all day', down: 'down all day', 'hands off': 'left as it is' } as const
