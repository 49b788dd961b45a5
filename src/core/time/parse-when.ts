import {
  clockText,
  type Day,
  dayMs,
  type Misread,
  misread,
  readClock,
  readDate,
  type WallTime,
  weekdayNamed,
  weekdayOf,
} from './calendar.ts'
import { absoluteIn, spanOf } from './format.ts'
import { instantOf, localAt } from './zone.ts'

type Read = { readonly at: number } | Misread

/** The time of a day given without one: "until mon" means until work begins. */
const morning = 9 * 60
/** From then on, "tonight" is the coming night. */
const nightIsOver = 5 * 60

const yearMs = 366 * dayMs
const forms = 'time.forms'

/**
 * Parses an instant, at `now` (ms) in a zone: "19:00" (today, or tomorrow if past), "tomorrow", "today 19:00", "fri
 * 18:00" (the next one), "2026-12-24 18:00", "4h" (from now), "overnight", or the format of `absolute`. A day alone means 09:00.
 * `wrong` if the time is past, more than a year away, or unreadable.
 */
export function readWhen(text: string, now: number, zone: string): Read {
  const exact = absoluteIn(text)
  // Canonical lines use this format; people see it in their own time zone.
  if (exact !== null) return judged(exact, { at: exact }, now)
  const [head = '', tail, ...more] = text
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)t(?=\d)/, ' ')
    .split(/\s+/)
  if (whenWords([head]) === 0 || more.length > 0) return misread('time.unknown', { text }, forms)
  const length = spanOf(head)
  if (length !== null) {
    if (tail !== undefined) return misread('time.tooMuch', { text }, forms)
    if (length === 0) return misread('time.empty', { text })
    return length > yearMs ? misread('time.tooLong', { text }) : { at: now + length }
  }
  if (isClock(head) && tail !== undefined) return misread('time.dayFirst', { text: `${tail} ${head}` })
  const minute = isClock(head) ? readClock(head) : tail === undefined ? morning : readClock(tail)
  if (minute === null) return misread('time.noClock', { text: tail ?? head }, forms)
  const today = localAt(now, zone)
  const day = dayOf(head, minute, today)
  if (day === null) return misread('time.noDay', { text: head }, forms)
  const at = instantOf(day, minute, zone)
  // Just after the clocks were set back, this local time may already have passed once.
  const comesAgain = isClock(head) || weekdayNamed(head) !== null
  const next = at > now || !comesAgain ? at : instantOf(day + (isClock(head) ? 1 : 7), minute, zone)
  return judged(next, text, now)
}

/** Checks whether a time read earlier is still ahead at `now` (ms): an answer may come after it. */
export function stillAhead(read: Read, now: number): Read {
  return 'wrong' in read ? read : judged(read.at, { at: read.at }, now)
}

/** Counts the leading words that form one time, as in `fri 6 pm reason=…`. */
export function whenWords(words: readonly string[]): number {
  const [first = '', ...rest] = words.map((word) => word.toLowerCase())
  const clock = clockWords([first, ...rest])
  if (clock > 0) return clock + dayAfterClock([first, ...rest].slice(clock))
  if (first === 'overnight' || /^(\d+[mhdw])+$/.test(first) || /^\d{4}-\d{2}-\d{2}t\d/.test(first)) return 1
  return isDay(first) ? 1 + clockAfterDay(rest) : 0
}

export function isDay(word: string): boolean {
  return /^(today|tomorrow|\d{4}-\d{1,2}-\d{1,2})$/.test(word) || weekdayNamed(word) !== null
}

const hour = '(0?[1-9]|1[0-2])(?::([0-5]\\d))?'
const [inOneWord, firstOfTwo] = [new RegExp(`^${hour}[ap]m$`), new RegExp(`^${hour}$`)]
const halfDays = new RegExp(`\\b${hour} ?([ap])m\\b`, 'g')

/** Counts the leading words that form a time of day: "18:00" and "6pm" are one, "6 pm" is two. */
function clockWords([first = '', second = '']: readonly string[]): number {
  if (firstOfTwo.test(first) && /^[ap]m$/.test(second)) return 2
  return isClock(first) || inOneWord.test(first) ? 1 : 0
}

/** Does the same after a day: "tomorrow at 9" means the morning, like "tomorrow 9:00" and "tomorrow morning". */
function clockAfterDay([first = '', ...rest]: readonly string[]): number {
  if (first === 'morning') return 1
  if (first !== 'at') return clockWords([first, ...rest])
  const count = clockWords(rest)
  const isHour = count === 0 && /^([01]?\d|2[0-4])$/.test(rest[0] ?? '')
  return isHour ? 2 : count === 0 ? 0 : 1 + count
}

/** Counts the words of a day after a clock time: "7pm tomorrow", "19:00 on fri". */
function dayAfterClock([first = '', second = '']: readonly string[]): number {
  if (first === 'on') return isDay(second) ? 2 : 0
  return isDay(first) ? 1 : 0
}

/** Rewrites "6:30 pm on fri" to "fri 18:30" and "fri at 9" to "fri 09:00", as lines are stored. */
export function in24Hours(text: string): string {
  return text
    .replace(halfDays, (_, hours: string, minutes: string | undefined, half: string) =>
      clockText(((Number(hours) % 12) + (half === 'p' ? 12 : 0)) * 60 + Number(minutes ?? 0)),
    )
    .replace(/ morning$/, '')
    .replace(/ at (\d{1,2})$/, (_, hours: string) => ` ${hours.padStart(2, '0')}:00`)
    .replace(/ at (?=\d)/, ' ')
    .replace(/^(\d{1,2}:\d{2}) (?:on )?(\S+)$/, '$2 $1')
}

/** Parts of the day and when they end. */
const partsOfDay = new Map([
  ['this afternoon', 'today 18:00'],
  ['this evening', 'today 22:00'],
  ['afternoon', 'today 18:00'],
  ['evening', 'today 22:00'],
  ['night', 'overnight'],
  ['today', 'today 24:00'],
  ['tonight', 'overnight'],
])

/** Returns when the part of the day named by the leading words ends, and their count; null if they name none. */
export function partOfDay([first = '', second = '']: readonly string[]) {
  const [one, two] = [first, `${first} ${second}`].map((words) => partsOfDay.get(words.toLowerCase()))
  if (one !== undefined) return { end: one, count: 1 }
  return two === undefined ? null : { end: two, count: 2 }
}

function isClock(word: string): boolean {
  return /^\d{1,2}:\d{2}$/.test(word)
}

function dayOf(head: string, minute: number, today: WallTime): Day | null {
  if (head === 'today') return today.day
  if (head === 'tomorrow') return today.day + 1
  if (head === 'overnight') return today.minute < nightIsOver ? today.day : today.day + 1
  if (isClock(head)) return minute > today.minute ? today.day : today.day + 1
  const weekday = weekdayNamed(head)
  if (weekday === null) return readDate(head)
  const ahead = (weekday - weekdayOf(today.day) + 7) % 7
  return today.day + (ahead === 0 && minute <= today.minute ? 7 : ahead)
}

function judged(at: number, text: string | { readonly at: number }, now: number): Read {
  if (at <= now) return misread('time.past', { text })
  return at - now > yearMs ? misread('time.tooFar', { text }) : { at }
}
