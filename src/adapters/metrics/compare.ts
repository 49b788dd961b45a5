import type { Sample } from './sample.ts'

/** What is known of a process from earlier looks. Times in ms since 1970 (UTC). */
export interface Known {
  readonly counters: Readonly<Record<string, number>>
  readonly seenAt: number
  /** Requests running or waiting at that look. */
  readonly open?: number
  /** When one of its counters last moved, a request last began, or it was first seen. */
  readonly movedAt: number
}

/** How one process stands beside what was known of it. */
export interface Verdict {
  /** `open`: requests are shown; `stuck`: so they are, though nothing has moved for long. */
  readonly kind: 'new' | 'reset' | 'moved' | 'open' | 'stuck' | 'still'
  /** Requests that ended in between. */
  readonly requests: number
}

/** ms after which requests that are shown as running must have moved something. */
const stuckAfter = 15 * 60_000
/** ms for which a process is remembered that no scrape meets any more. */
const forgottenAfter = 60 * 60_000

/** Counters can be compared only within one process. A counter that is not there stands at zero. */
export function compare({ counters, requests, open }: Sample, known: Known | undefined, at: number): Verdict {
  if (known === undefined) return { kind: open > 0 ? 'open' : 'new', requests: 0 }
  const grown = (key: string) => (counters[key] ?? 0) - (known.counters[key] ?? 0)
  const keys = Object.keys({ ...known.counters, ...counters })
  if (keys.some((key) => grown(key) < 0)) return { kind: 'reset', requests: 0 }
  const ended = requests.reduce((sum, key) => sum + grown(key), 0)
  if (keys.some((key) => grown(key) > 0)) return { kind: 'moved', requests: ended }
  if (open > 0) return { kind: rose(open, known) || at - known.movedAt < stuckAfter ? 'open' : 'stuck', requests: 0 }
  return { kind: 'still', requests: 0 }
}

/** A request that has just begun has had no time to move a counter. */
function rose(open: number, known: Known): boolean {
  return open > (known.open ?? 0)
}

/** What to know at the next look: all processes when each was met, else also those that were not, for a while. */
export function remembered(
  before: Readonly<Record<string, Known>>,
  processes: ReadonlyMap<string, Sample>,
  at: number,
  all: boolean,
): Readonly<Record<string, Known>> {
  const met = [...processes].map(([id, sample]): [string, Known] => {
    const known = before[id]
    const { counters, open } = sample
    const moved =
      known === undefined || rose(open, known) || ['moved', 'reset'].includes(compare(sample, known, at).kind)
    return [id, { counters, open, seenAt: at, movedAt: moved ? at : known.movedAt }]
  })
  const others = Object.entries(before).filter(([id, { seenAt }]) => !processes.has(id) && at - seenAt < forgottenAfter)
  return Object.fromEntries(all ? met : [...others, ...met])
}
