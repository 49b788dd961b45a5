const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** When something last happened in the sandbox, ms since 1970. */
export interface Lately {
  /** A start, stop, scale or patch at the platform. */
  readonly changed: number
  /** A command, press or switch by a person. */
  readonly handled: number
}

/**
 * Returns how far the clock may jump at once in fast mode, ms. Strides are short after a change or a person's action,
 * so that people see what follows from it. Otherwise they are half hours, at which rules usually begin and end, and at
 * night in `zone` whole hours.
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
