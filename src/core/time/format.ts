import { dayMs } from './calendar.ts'

const [open, close, korean] = ['\u{e000}', '\u{e001}', 'k']

/** The last instant that Slack can show, ms: its dates have at most eleven digits of seconds. */
export const latestInstant = 99_999_999_999_000

/** An instant (ms since 1970) for a sentence of this language, which is shown in each reader's own time zone. */
export function instant(ms: number, language: 'en' | 'ko' = 'en'): string {
  return `${open}${ms}${language === 'ko' ? korean : ''}${close}`
}

/** Whether instants stand in a Korean sentence: an English one may quote Korean words. */
export function isKoreanTime(text: string): boolean {
  return text.includes(`${korean}${close}`)
}

/** The parts of a sentence: texts, and instants in ms. A number that is no instant stays text. */
export function cutAtInstants(text: string): readonly (string | number)[] {
  const parts = text.split(/\u{e000}(-?\d{1,16})k?\u{e001}/u)
  return parts
    .map((part, at) => (at % 2 === 1 && 0 <= Number(part) && Number(part) <= latestInstant ? Number(part) : part))
    .filter((part) => part !== '')
}

/** The sentence with instants in ISO 8601, UTC, for readers without a time zone. */
export function withInstants(text: string): string {
  return cutAtInstants(text)
    .map((part) => (typeof part === 'number' ? `${new Date(part).toISOString().slice(0, 16)}Z` : part))
    .join('')
}

const units = { m: 60_000, h: 3_600_000, d: dayMs, w: 604_800_000 } as const

/** Reads a length of time such as "30m", "1h30m" or "2w", in ms; null if it is none. */
export function spanOf(typed: string): number | null {
  if (!/^(?=\d)(\d{1,4}w)?(\d{1,4}d)?(\d{1,4}h)?(\d{1,4}m)?$/.test(typed)) return null
  const parts = [...typed.matchAll(/(\d+)([mhdw])/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0)
}

/** A length of time (ms) in full minutes, as `spanOf` reads it: "1h30m". */
export function spanText(ms: number): string {
  const minutes = Math.floor(ms / units.m)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${hours === 0 ? '' : `${hours}h`}${rest > 0 || hours === 0 ? `${rest}m` : ''}`
}

/** What follows a number of seconds, minutes, hours and days. */
const after = { en: [' s', ' min', ' h', ' d'], ko: ['초', '분', '시간', '일'] } as const

/** A length of time for people: "42 s", "3 min", "2 h 5 min", "2 d 23 h". `ms` in milliseconds. */
export function lasting(ms: number, language: keyof typeof after): string {
  const [second, minute, hour, day] = after[language]
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}${second}`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}${minute}`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)}${day}${hours % 24 === 0 ? '' : ` ${hours % 24}${hour}`}`
  return minutes % 60 === 0 ? `${hours}${hour}` : `${hours}${hour} ${minutes % 60}${minute}`
}

/** An instant (ms) in UTC, rounded up to a full minute: "2026-11-20T20:30Z". */
export function absolute(ms: number): string {
  return `${new Date(Math.ceil(ms / units.m) * units.m).toISOString().slice(0, 16)}Z`
}

/** An instant (ms) as canonical lines write it. */
export function inLine(ms: number): string {
  return absolute(ms).toLowerCase()
}

/** Reads what `absolute` writes, in ms; null for any other text. */
export function absoluteIn(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}z$/i.test(text)) return null
  const at = Date.parse(text.toUpperCase())
  // `Date.parse` turns an impossible date or time into the next possible one.
  return !Number.isNaN(at) && absolute(at) === text.toUpperCase() ? at : null
}

/** Invisible characters but the one that colours an emoji, and the marks of our instants. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ue000\ue001]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu

/** Writes invisible characters as \u{…}, since they can make one name look like another, and line breaks as blanks. */
export function visible(text: string): string {
  return text
    .replace(/[\n\r\t]/g, ' ')
    .normalize('NFC')
    .replace(invisible, escapedMark)
}

/** A text from outside, with the marks of our own times written out. */
export function outsideText(text: string): string {
  return text.replace(/[\ue000\ue001]/g, escapedMark)
}

function escapedMark(mark: string): string {
  return `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`
}
