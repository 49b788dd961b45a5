/** Times that belong to the life of a request, all ms. */
export const terms = {
  /** An ask nobody answered is over. */
  ask: 30 * 60_000,
  /** An automatic action counts as late after this, and is announced anew before it happens. */
  late: 15 * 60_000,
  /** The shortest warning before an automatic action. */
  warning: 5 * 60_000,
  /** The shortest first warning of a schedule, which people can know beforehand. */
  scheduleWarning: 60_000,
  /** A decision must lead to a first call within this time. */
  start: 5 * 60_000,
  /** How long a step may take to reach its goal. */
  settle: 15 * 60_000,
  /** How long a call of unknown outcome may still arrive: a guess, which nothing at the platform bounds. */
  quarantine: 120_000,
  /** Two equal reads this far apart are needed before "no effect" may be said. */
  apart: 5_000,
  /** How long reads are waited for to show what became of a call that is not sent again. */
  decided: 60_000,
  /** How long a start that puts back what we have stopped is sent again. */
  putBack: 30 * 60_000,
  /** How long reads may go on showing what was before a call. */
  lag: 10_000,
} as const

/** How often the same request may ask before it ends. */
export const mostAsks = 3
