import { clockText, type Misread, misread, readClock, weekdayNamed, weekdayNames } from './calendar.ts'
import { in24Hours } from './parse-when.ts'

/**
 * Weekly local times. On each of `days` (0 is Monday, 6 is Sunday; ascending), each of `spans` begins at the minute
 * `from` and ends before the minute `to`, both counted from that day's midnight. Minutes past 1440 are on the next day,
 * so a night belongs to the day on which it begins. Spans ascend and do not overlap.
 */
export interface Window {
  readonly days: readonly number[]
  readonly spans: readonly Span[]
}

interface Span {
  readonly from: number
  readonly to: number
}

const wholeDay: Span = { from: 0, to: 1440 }
const groups = new Map<string, readonly number[]>([
  ...['daily', 'everyday', 'day', '매일'].map((name) => [name, [0, 1, 2, 3, 4, 5, 6]] as const),
  ...['weekday', 'weekdays', '평일'].map((name) => [name, [0, 1, 2, 3, 4]] as const),
  ...['weekend', 'weekends', '주말'].map((name) => [name, [5, 6]] as const),
])
const dayForms = 'window.days'
/** The suggested hours of a night. */
export const night = '22:00-06:00'

/** Parses days with optional times: "mon,wed,fri", "weekdays 09:00-12:00,13:00-18:00". */
export function readWindow(text: string): { readonly window: Window } | Misread {
  const typed = in24Hours(text.replace(/[AP]M\b/g, (half) => half.toLowerCase()))
    .trim()
    .replaceAll(/[–~]/g, '-')
    .replaceAll(/\s*([-,])\s*/g, '$1')
  const [head = '', tail, ...more] = typed.split(/\s+/)
  if (head === '') return misread('window.noDays', {}, dayForms)
  if (/^night(s|ly)?$/i.test(head)) return misread('window.night', { example: `daily ${night}` })
  if (tail === undefined && /^\d/.test(head)) {
    const example = 'wrong' in readSpans(head) ? '09:00-17:00' : head
    return misread('window.whichDays', { example: `daily ${example}` })
  }
  if (more.length > 0) return misread('window.surplus', { more: more.join(' '), before: `${head} ${tail}` })
  const days = readDays(head)
  if ('wrong' in days) return days
  const spans = tail === undefined ? { spans: [wholeDay] } : readSpans(tail)
  return 'wrong' in spans ? spans : { window: { ...days, ...spans } }
}

/** Translates the "월-금" and "월요일" of a text to the words of stored lines. */
export function weekdaysIn(text: string): string {
  return text.replaceAll(
    /(?<![가-힣\d])([월화수목금토일])(?:요일)?(?=[- ]|$)/g,
    (_, day: string) => weekdayNames['월화수목금토일'.indexOf(day)] ?? day,
  )
}

function readDays(text: string): { readonly days: readonly number[] } | Misread {
  const found = new Set<number>()
  for (const item of text.split(',')) {
    const days = groups.get(item.toLowerCase()) ?? daysFrom(weekdaysIn(item))
    if (days === null) {
      return item === '' ? misread('window.gap', { text }, dayForms) : misread('window.noDay', { text: item }, dayForms)
    }
    for (const day of days) found.add(day)
  }
  return { days: [...found].sort((a, b) => a - b) }
}

/** Parses one day or a range, which may cross Sunday: "fri-mon". */
function daysFrom(item: string): readonly number[] | null {
  const [first = '', last = first, ...more] = item.split('-')
  const begin = weekdayNamed(first)
  const end = weekdayNamed(last)
  if (begin === null || end === null || more.length > 0) return null
  return Array.from({ length: ((end - begin + 7) % 7) + 1 }, (_, index) => (begin + index) % 7)
}

function readSpans(text: string): { readonly spans: readonly Span[] } | Misread {
  const spans: Span[] = []
  for (const item of text.split(',')) {
    const span = readSpan(item)
    if ('wrong' in span) return span
    spans.push(span)
  }
  spans.sort((a, b) => a.from - b.from)
  const early = spans.find(({ to }, index) => to > (spans[index + 1]?.from ?? 2880))
  return early === undefined ? { spans } : misread('window.overlap', { text })
}

/** Parses an hour; "9" means 09:00. */
function readHour(text: string): number | null {
  return readClock(/^\d{1,2}$/.test(text) ? `${text}:00` : text)
}

function readSpan(text: string): Span | Misread {
  const [first = '', last = '', ...more] = text.split('-')
  if (last === '' || more.length > 0) return misread('window.noSpan', { text })
  const [from, to] = [readHour(first), readHour(last)]
  if (from === null || from === 1440) return misread('window.noClock', { text: first })
  // "9-5" does not say which half of the day it ends in.
  const isUnclear = /^\d+$/.test(last) && from <= 720 && (to ?? 0) <= from
  if (to === null || isUnclear) return misread('window.noClock', { text: last })
  if (from === to) return misread('window.empty', { text })
  return { from, to: to > from ? to : to + 1440 }
}

export function windowText({ days, spans }: Window): string {
  const [only] = spans
  if (spans.length === 1 && only?.from === wholeDay.from && only.to === wholeDay.to) return daysText(days)
  return `${daysText(days)} ${spans.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join(',')}`
}

/** Returns all other times, if one window can say them: other hours of every day, or other days. */
export function complement({ days, spans }: Window): Window | null {
  const [{ from, to } = wholeDay, ...more] = spans
  const others = [...weekdayNames.keys()].filter((day) => !days.includes(day))
  const isWhole = from === wholeDay.from && to === wholeDay.to
  if (more.length > 0 || isWhole !== others.length > 0) return null
  if (isWhole) return { days: others, spans }
  const begin = to % 1440
  return { days, spans: [{ from: begin, to: from > begin ? from : from + 1440 }] }
}

function daysText(days: readonly number[]): string {
  const listed = days.join()
  for (const name of ['daily', 'weekdays', 'weekends']) if (groups.get(name)?.join() === listed) return name
  return runsOf(days).map(runText).join(',')
}

/** Groups consecutive days into runs, which may cross Sunday. */
function runsOf(days: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const [first, last] = [runs[0], runs.at(-1)]
  if (runs.length > 1 && first?.[0] === 0 && last?.at(-1) === 6) return [...runs.slice(1, -1), [...last, ...first]]
  return runs
}

function runText(run: readonly number[]): string {
  const names = run.map((day) => weekdayNames[day] ?? '')
  return names.length > 2 ? `${names[0]}-${names.at(-1)}` : names.join()
}
