/** A length of time for people: "42 s", "3 min", "2 h 5 min", "3 d". `ms` in milliseconds. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} d`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}
