import type { Sample } from './sample.ts'

/** A process as earlier looks saw it. Times in ms since 1970 (UTC). */
export interface ProcessMemory {
  readonly counters: Readonly<Record<string, number>>
  readonly seenAt: number
  /** Requests running or waiting at that look. */
  readonly open?: number
  /** When a counter last moved, a request last began, or the process was first seen. */
  readonly movedAt: number
}

/** The change of a process since the look before. */
export interface ProcessVerdict {
  /** `open`: it shows open requests; `stuck`: the same, but nothing has moved for long. */
  readonly kind: 'new' | 'reset' | 'moved' | 'open' | 'stuck' | 'still'
  readonly requests: number
}

/** A running request moves a counter within this time, ms. */
const stuckAfter = 15 * 60_000
/** How long a process is remembered that no scrape meets any more, ms. */
const forgottenAfter = 60 * 60_000

/** Compares the counters of one process. A missing counter is zero. */
export function compare(
  { counters, requests, open }: Sample,
  known: ProcessMemory | undefined,
  at: number,
): ProcessVerdict {
  if (known === undefined) return { kind: open > 0 ? 'open' : 'new', requests: 0 }
  const grown = (key: string) => (counters[key] ?? 0) - (known.counters[key] ?? 0)
  const keys = Object.keys({ ...known.counters, ...counters })
  if (keys.some((key) => grown(key) < 0)) return { kind: 'reset', requests: 0 }
  const ended = requests.reduce((sum, key) => sum + grown(key), 0)
  if (keys.some((key) => grown(key) > 0)) return { kind: 'moved', requests: ended }
  if (open > 0) return { kind: rose(open, known) || at - known.movedAt < stuckAfter ? 'open' : 'stuck', requests: 0 }
  return { kind: 'still', requests: 0 }
}

/** Whether a request has begun, which may not have moved a counter yet. */
function rose(open: number, known: ProcessMemory): boolean {
  return open > (known.open ?? 0)
}

/** The processes to remember. `all`: each was met, so others are gone. */
export function rememberProcesses(
  before: Readonly<Record<string, ProcessMemory>>,
  processes: ReadonlyMap<string, Sample>,
  at: number,
  all: boolean,
): Readonly<Record<string, ProcessMemory>> {
  const seen = [...processes].map(([id, sample]): [string, ProcessMemory] => {
    const known = before[id]
    const { counters, open } = sample
    const moved =
      known === undefined || rose(open, known) || ['moved', 'reset'].includes(compare(sample, known, at).kind)
    return [id, { counters, open, seenAt: at, movedAt: moved ? at : known.movedAt }]
  })
  const others = Object.entries(before).filter(([id, { seenAt }]) => !processes.has(id) && at - seenAt < forgottenAfter)
  return Object.fromEntries(all ? seen : [...others, ...seen])
}
