const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** When something last happened in the sandbox, ms since 1970. */
export interface Lately {
  /** A start, stop, scale or patch at the platform. */
  readonly changed: number
  /** Somebody has typed, pressed or switched something. */
  readonly handled: number
}

/**
 * How far time may go at once when it flies, ms. What takes seconds is given seconds; what people have just done is seen
 * within a minute, and what follows from it within an hour or two to a few minutes; the rest of a week goes by half
 * hours, at which people let things begin and end, and while people sleep in `zone` by hours.
 */
export function strideAfter({ changed, handled }: Lately, now: number, zone: string): number {
  if (now - changed < minute / 4) return 10 * second
  if (now - handled < 3 * minute) return minute
  if (now - handled < 2 * hour) return 5 * minute
  if (now - changed < 2 * hour) return 15 * minute
  return hourIn(zone, now) < 6 ? hour : hour / 2
}

function hourIn(timeZone: string, at: number): number {
  return Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(at))
}
