/** Slack's date tokens and their formats. */
const formats: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  time_secs: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
}

/** Formats a `<!date^…>`: `unix` in seconds, `now` in ms (for "today", "yesterday" and "ago"). */
export function writeDate(unix: number, format: string, zone: string, now: number, locale = 'en-US'): string {
  return format.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'ago') return ago(Math.round(now / 1000) - unix)
    if (name.endsWith('_pretty')) return pretty(unix, name.slice(0, -'_pretty'.length), zone, now, locale) ?? whole
    return written(unix, name, zone, locale) ?? whole
  })
}

/** By format, zone and locale, because making one takes a hundred times as long as using it. */
const made = new Map<string, Intl.DateTimeFormat>()
/** By locale. */
const relative = new Map<string, Intl.RelativeTimeFormat>()

function written(unix: number, name: string, zone: string, locale: string): string | undefined {
  const options = formats[name]
  if (!options) return undefined
  const key = `${name} ${zone} ${locale}`
  const shown = name === 'date_num' ? 'en-CA' : locale
  const format = made.get(key) ?? new Intl.DateTimeFormat(shown, { ...options, timeZone: zone })
  made.set(key, format)
  return format.format(unix * 1000)
}

function pretty(unix: number, name: string, zone: string, now: number, locale: string): string | undefined {
  const dayOf = (seconds: number) => written(seconds, 'date_num', zone, locale)
  const day = dayOf(unix)
  const days = [-1, 0, 1].find((one) => dayOf(Math.floor(now / 1000) + one * 86_400) === day)
  if (days === undefined) return written(unix, name, zone, locale)
  const words = relative.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  relative.set(locale, words)
  return words.format(days, 'day')
}

function ago(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const size = Math.abs(seconds)
  const [unit, length] = units.find(([, length]) => size >= length) ?? ['second', 1]
  const count = Math.floor(size / length)
  const text = `${count} ${unit}${count === 1 ? '' : 's'}`
  return seconds >= 0 ? `${text} ago` : `in ${text}`
}
