/** Slack's date tokens, each with how it is written; all in the reader's zone. */
const formats: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  time_secs: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
}

/** Writes a `<!date^…>`: `unix` in seconds, `now` in ms (for "today", "yesterday" and "ago"). */
export function writeDate(unix: number, format: string, zone: string, now: number): string {
  return format.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'ago') return ago(Math.round(now / 1000) - unix)
    if (name.endsWith('_pretty')) return pretty(unix, name.slice(0, -'_pretty'.length), zone, now) ?? whole
    return written(unix, name, zone) ?? whole
  })
}

/** By format and zone: to make one takes a hundred times as long as to use it. */
const made = new Map<string, Intl.DateTimeFormat>()

function written(unix: number, name: string, zone: string): string | undefined {
  const options = formats[name]
  if (!options) return undefined
  const key = `${name} ${zone}`
  const locale = name === 'date_num' ? 'en-CA' : 'en-US'
  const format = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  made.set(key, format)
  return format.format(unix * 1000)
}

function pretty(unix: number, name: string, zone: string, now: number): string | undefined {
  const day = written(unix, 'date_num', zone)
  const near = { yesterday: -1, today: 0, tomorrow: 1 }
  for (const [word, days] of Object.entries(near)) {
    if (written(Math.floor(now / 1000) + days * 86_400, 'date_num', zone) === day) return word
  }
  return written(unix, name, zone)
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
