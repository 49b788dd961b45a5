import { type Civil, type Day, readClock, readDate, weekdayNamed, weekdayOf } from './calendar.ts'
import { spanOf } from './format.ts'
import { instantOf, localAt } from './zone.ts'

type Read = { readonly at: number } | { readonly wrong: string }

/** When a day is named without a time, people mean its morning: "until mon" is until work begins. */
const morning = 9 * 60
const minuteMs = 60_000
const yearMs = 366 * 86_400_000
const forms = 'Write 19:00, tomorrow 09:00, fri 18:00, 2026-12-24 18:00, or a length of time such as 4h, 90m or 2d.'

/**
 * An instant (ms) as people type it, seen from `now` (ms) in a zone: "19:00" (today, or tomorrow when that is past),
 * "tomorrow", "today 19:00", "fri 18:00" (the next one), "2026-12-24 18:00", "4h" (from now), and as `absolute` writes
 * it, the same in every zone. A day alone is its 09:00. Otherwise a sentence: it is past, it is more than a year away, or
 * it is none of these.
 */
export function readWhen(text: string, now: number, zone: string): Read {
  const exact = absoluteIn(text)
  if (exact !== null) return judged(exact, text, now)
  const [head = '', tail, ...more] = text
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)t(?=\d)/, ' ')
    .split(/\s+/)
  if (whenWords([head]) === 0 || more.length > 0) return { wrong: `I do not understand the time “${text}”. ${forms}` }
  const length = spanOf(head)
  if (length !== null)
    return tail === undefined ? after(length, text, now) : { wrong: `“${text}” says too much. ${forms}` }
  if (isClock(head) && tail !== undefined) return { wrong: `Write the day first: ${tail} ${head}.` }
  const minute = isClock(head) ? readClock(head) : tail === undefined ? morning : readClock(tail)
  if (minute === null) return { wrong: `“${tail ?? head}” is no time that a clock shows. ${forms}` }
  const today = localAt(now, zone)
  const day = dayOf(head, minute, today)
  if (day === null) return { wrong: `There is no such day as ${head}. ${forms}` }
  const at = instantOf(day, minute, zone)
  // Right after the clocks were set back, what the wall shows may have passed already.
  const next = at > now || !comesAgain(head) ? at : instantOf(day + (isClock(head) ? 1 : 7), minute, zone)
  return judged(next, text, now)
}

/** An instant (ms) in words that mean the same to everybody, "2026-11-20T20:30Z" in UTC; within a minute its end. */
export function absolute(ms: number): string {
  return `${new Date(Math.ceil(ms / minuteMs) * minuteMs).toISOString().slice(0, 16)}Z`
}

/** An instant (ms) as canonical lines have it. */
export function inLine(ms: number): string {
  return absolute(ms).toLowerCase()
}

/** The instant (ms) behind such words; null for any others. */
export function absoluteIn(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}z$/i.test(text)) return null
  const at = Date.parse(text.toUpperCase())
  // What no calendar or clock shows is read as the next that one does.
  return !Number.isNaN(at) && absolute(at) === text.toUpperCase() ? at : null
}

/** How many of the leading words of a line are one time, as in `until fri 18:00 because=…`: 0, 1 or 2. */
export function whenWords(words: readonly string[]): number {
  const [first = '', second = ''] = words
  const low = first.toLowerCase()
  if (isClock(low) || /^(\d+[mhdw])+$/.test(low) || /^\d{4}-\d{2}-\d{2}t\d/.test(low)) return 1
  const isDay =
    low === 'today' || low === 'tomorrow' || weekdayNamed(low) !== null || /^\d{4}-\d{1,2}-\d{1,2}$/.test(low)
  if (!isDay) return 0
  return isClock(second) ? 2 : 1
}

function isClock(word: string): boolean {
  return /^\d{1,2}:\d{2}$/.test(word)
}

function comesAgain(head: string): boolean {
  return isClock(head) || weekdayNamed(head) !== null
}

function dayOf(head: string, minute: number, today: Civil): Day | null {
  if (head === 'today') return today.day
  if (head === 'tomorrow') return today.day + 1
  if (isClock(head)) return minute > today.minute ? today.day : today.day + 1
  const weekday = weekdayNamed(head)
  if (weekday === null) return readDate(head)
  const ahead = (weekday - weekdayOf(today.day) + 7) % 7
  return today.day + (ahead === 0 && minute <= today.minute ? 7 : ahead)
}

function after(length: number, text: string, now: number): Read {
  if (length === 0) return { wrong: `${text} is no time at all. ${forms}` }
  return length > yearMs ? { wrong: tooFar(text) } : { at: now + length }
}

function judged(at: number, text: string, now: number): Read {
  if (at <= now) return { wrong: `${text} is past. Say a time that is still to come.` }
  return at - now > yearMs ? { wrong: tooFar(text) } : { at }
}

function tooFar(text: string): string {
  return `${text} is more than a year away. Say a time within a year.`
}
