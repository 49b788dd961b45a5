const second = 1_000
const minute = 60 * second

/** When something last happened in the sandbox, ms since 1970. */
export interface Lately {
  /** A start, stop, scale or patch at the platform. */
  readonly changed: number
  /** A question at Slack. */
  readonly asked: number
}

/**
 * How far time may go at once when it flies, ms. What takes seconds is given seconds; what has been announced does not
 * come late; the rest of a week goes by half hours, at which people let things begin and end.
 */
export function strideAfter({ changed, asked }: Lately, now: number): number {
  if (now - changed < minute / 2) return 10 * second
  return now - asked < 60 * minute ? 15 * minute : 30 * minute
}
