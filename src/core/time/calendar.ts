import type { SentenceId } from '../../words/english.ts'

/** A date without a zone, in days since 1970-01-01. */
export type Day = number

/** The length of a day without a clock change, ms. */
export const dayMs = 86_400_000
export const hourMs = 3_600_000

/** A local date and time. `minute` is 0 to 1439; 1440 is the end of the day. */
export interface WallTime {
  readonly day: Day
  readonly minute: number
}

/** By weekday: 0 is Monday, 6 is Sunday. */
export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Returns 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: Day): number {
  // 1970-01-01 was a Thursday.
  return (((day + 3) % 7) + 7) % 7
}

const spelled =
  /^(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)$/

/** Parses a weekday such as "mon", "Monday" or "mondays"; null for any other word. */
export function weekdayNamed(word: string): number | null {
  const low = word.toLowerCase()
  return spelled.test(low) ? weekdayNames.findIndex((name) => low.startsWith(name)) : null
}

/** Parses "2026-12-24"; null if there is no such date. */
export function readDate(text: string): Day | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const ms = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(ms)) return null
  const day = ms / dayMs
  // Some engines parse February 30 as March 2.
  return dateText(day) === text ? day : null
}

/** Returns the first day of the month that many months before a day's own. */
export function firstOfMonth(day: Day, before: number): Day {
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - before, 1) / dayMs
}

export function dateText(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

const dateParts = {
  whole: { month: 'long', day: 'numeric', weekday: 'short' },
  weekday: { day: 'numeric', weekday: 'short' },
  month: { month: 'long', day: 'numeric' },
} as const

/** "Mon 16 Nov", padded to the length of any date; "Mon 16" or "16 Nov" with `only`; in Korean "11월 16일(월)". */
export function dateIn(day: Day, language: 'en' | 'ko', only: keyof typeof dateParts = 'whole'): string {
  if (language === 'ko')
    return koreanDate(only)
      .format(day * dayMs)
      .replace(' (', '(')
      .replace(/(?<=월 )\d일\(/, ' $&')
  // "Mon, 16 Nov 2026 00:00:00 GMT"
  const [weekday, date, month] = new Date(day * dayMs).toUTCString().split(/,? /)
  const [dayText, monthDay] = [`${Number(date)}`, `${Number(date)} ${month}`]
  if (only === 'month') return monthDay
  return `${weekday} ${only === 'weekday' ? dayText : monthDay.padStart(6)}`
}

const koreanDates = new Map<keyof typeof dateParts, Intl.DateTimeFormat>()

/** Made when first needed, because the first one costs a start 10 ms. */
function koreanDate(only: keyof typeof dateParts): Intl.DateTimeFormat {
  const made = koreanDates.get(only) ?? new Intl.DateTimeFormat('ko', { ...dateParts[only], timeZone: 'UTC' })
  koreanDates.set(only, made)
  return made
}

/** Parses "9:00", "09:00" or, for the end of a day, "24:00" to the minute of the day; null for other texts. */
export function readClock(text: string): number | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  if (hours === '' || Number(minutes) > 59) return null
  const minute = Number(hours) * 60 + Number(minutes)
  return minute <= 1440 ? minute : null
}

/** Formats a minute of the day as "09:00". 1440 is "24:00"; a larger one is a time of the next day. */
export function clockText(minute: number): string {
  const shown = minute > 1440 ? minute - 1440 : minute
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`
}

/** Why typed text cannot be parsed: sentences of the catalogue, as `say` of `core/model/words.ts` makes them. */
export interface Misread {
  readonly wrong: readonly { readonly say: SentenceId; readonly with: Values }[]
  /** Other words would work, so the command's form is offered. */
  readonly mistyped: true
}

type Values = Readonly<Record<string, string | { readonly at: number } | { readonly any: readonly string[] }>>

/** `forms`: a sentence that lists what people can type instead. */
export function misread(id: SentenceId, values: Values, forms?: SentenceId): Misread {
  return {
    wrong: [{ say: id, with: values }, ...(forms === undefined ? [] : [{ say: forms, with: {} }])],
    mistyped: true,
  }
}
