import { dayMs } from './calendar.ts'

const [open, close, korean] = ['\u{e000}', '\u{e001}', 'k']

/** The latest instant that Slack can show, ms: its dates have at most eleven digits of seconds. */
export const latestInstant = 99_999_999_999_000

/** Marks an instant (ms since 1970) in a sentence of this language. Each reader sees it in their own time zone. */
export function instant(ms: number, language: 'en' | 'ko' = 'en'): string {
  return `${open}${ms}${language === 'ko' ? korean : ''}${close}`
}

/** Whether the sentence around the instants is Korean. Hangul is no proof: an English sentence may quote it. */
export function isKoreanTime(text: string): boolean {
  return text.includes(`${korean}${close}`)
}

/** Splits a sentence into texts and instants (ms). A number that is not a valid instant stays text. */
export function cutAtInstants(text: string): readonly (string | number)[] {
  const parts = text.split(/\u{e000}(-?\d{1,16})k?\u{e001}/u)
  return parts
    .map((part, at) => (at % 2 === 1 && 0 <= Number(part) && Number(part) <= latestInstant ? Number(part) : part))
    .filter((part) => part !== '')
}

/** Writes the instants of a sentence in ISO 8601, UTC, for readers without a time zone. */
export function withInstants(text: string): string {
  return cutAtInstants(text)
    .map((part) => (typeof part === 'number' ? `${new Date(part).toISOString().slice(0, 16)}Z` : part))
    .join('')
}

const units = { m: 60_000, h: 3_600_000, d: dayMs, w: 604_800_000 } as const

/** Parses a length of time such as "30m", "1h30m" or "2w" to ms; null for any other text. */
export function spanOf(typed: string): number | null {
  if (!/^(?=\d)(\d{1,6}w)?(\d{1,6}d)?(\d{1,6}h)?(\d{1,6}m)?$/.test(typed)) return null
  const parts = [...typed.matchAll(/(\d+)([mhdw])/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0)
}

/** Formats a length of time (ms) in whole minutes, as `spanOf` parses it: "1h30m". */
export function spanText(ms: number): string {
  const minutes = Math.floor(ms / units.m)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${hours === 0 ? '' : `${hours}h`}${rest > 0 || hours === 0 ? `${rest}m` : ''}`
}

/** The suffixes of seconds, minutes, hours and days. */
const after = { en: [' s', ' min', ' h', ' d'], ko: ['초', '분', '시간', '일'] } as const

/** Formats a length of time (ms) for people: "42 s", "3 min", "2 h 5 min", "2 d 23 h". */
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

/** Formats an instant (ms) in UTC, rounded up to a full minute: "2026-11-20T20:30Z". */
export function absolute(ms: number): string {
  return `${new Date(Math.ceil(ms / units.m) * units.m).toISOString().slice(0, 16)}Z`
}

/** Formats an instant (ms) as canonical lines write it, rounded down to the minute that people read. */
export function inLine(ms: number): string {
  return absolute(ms - (ms % units.m)).toLowerCase()
}

/** Parses the format of `absolute` to ms; null for any other text. */
export function absoluteIn(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}z$/i.test(text)) return null
  const at = Date.parse(text.toUpperCase())
  // `Date.parse` moves an impossible date or time to the next possible one.
  return !Number.isNaN(at) && absolute(at) === text.toUpperCase() ? at : null
}

/** Invisible characters, except the one that colors an emoji, and the marks of our instants. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ue000\ue001]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu

/** Escapes invisible characters as \u{…}, because they can make names look alike. Line breaks become blanks. */
export function visible(text: string): string {
  return text
    .replace(/[\n\r\t]/g, ' ')
    .normalize('NFC')
    .replace(invisible, escapedMark)
}

/** Escapes the marks of our instants in a text from outside. */
export function outsideText(text: string): string {
  return text.replace(/[\ue000\ue001]/g, escapedMark)
}

function escapedMark(mark: string): string {
  return `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`
}
