export function dateFormat(language: string, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}
