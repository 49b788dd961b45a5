/** A date of the calendar without a zone: days since 1970-01-01, so that dates can be counted, compared and kept. */
export type Day = number

/** What a wall calendar and a wall clock show together. `minute` of the day, 0 to 1439; 1440 is the end of the day. */
export interface Civil {
  readonly day: Day
  readonly minute: number
}

/** Days of the week as people write them; their places are the weekdays: 0 is Monday, 6 is Sunday. */
export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The weekday of a date, 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: Day): number {
  // 1970-01-01 was a Thursday.
  return (((day + 3) % 7) + 7) % 7
}

const spelled =
  /^(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)$/

/** The weekday a word names ("mon", "Monday", "mondays"), null when it is none. */
export function weekdayNamed(word: string): number | null {
  const low = word.toLowerCase()
  return spelled.test(low) ? weekdayNames.findIndex((name) => low.startsWith(name)) : null
}

/** The date in "2026-12-24"; null when it is none, such as the 30th of February. */
export function readDate(text: string): Day | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const ms = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(ms)) return null
  const day = ms / 86_400_000
  // Some engines read the 30th of February as the 2nd of March.
  return dateText(day) === text ? day : null
}

/** A date as "2026-12-24". */
export function dateText(day: Day): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

/** The minute of the day in "9:00", "09:00" or, for the end of a day, "24:00"; null when no clock shows it. */
export function readClock(text: string): number | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  if (hours === '' || Number(minutes) > 59) return null
  const minute = Number(hours) * 60 + Number(minutes)
  return minute <= 1440 ? minute : null
}

/** A minute of the day as "09:00". Past 1440 it is the clock of the next day; 1440 itself is "24:00". */
export function clockText(minute: number): string {
  const shown = minute > 1440 ? minute - 1440 : minute
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`
}
