import { say, type Words } from '../../core/model/words.ts'
import { readExposition } from './exposition.ts'
import { type Family, familyOf } from './families.ts'

export interface Sample {
  /** Titles of the recognized families. Empty: nothing shows use. */
  readonly servers: readonly string[]
  readonly open: number
  /** Each is the sum over its label sets. */
  readonly counters: Readonly<Record<string, number>>
  readonly requests: readonly string[]
  /** Identifies the process until its next start; null if nothing does. */
  readonly process: string | null
  /** Why the numbers prove nothing; ends a sentence. */
  readonly flaw?: Words
}

const startTime = 'process_start_time_seconds'

interface FamilyMetrics {
  readonly family: Family
  readonly names: Set<string>
  readonly counters: Map<string, number>
  readonly requests: Set<string>
  /** Null without a gauge of requests. */
  open: number | null
  /** Unix seconds of the oldest counter. */
  born: number
  finite: boolean
}

/** Reads the sample in a page of metrics; null if the text is no exposition. */
export function sampleOf(text: string): Sample | null {
  const page = readExposition(text, (name) => name === startTime || familyOf(name) !== undefined)
  if (page === null) return null
  const found = new Map<Family, FamilyMetrics>()
  let started: number | undefined
  for (const { name, labels, value } of page.series) {
    if (name === startTime) started = value
    const known = familyOf(name)
    if (known && known.family.counts?.(labels, known.meaning.role) !== false) add(known, value)
  }
  // A counter that is announced without a series is zero.
  for (const name of page.announced) {
    const known = familyOf(name)
    if (known && known.meaning.role !== 'born' && !known.family.lastResort) add(known, 0)
  }
  return summed(recognized([...found.values()]), started)

  function add({ family, meaning: { role, key } }: NonNullable<ReturnType<typeof familyOf>>, value: number): void {
    const empty = { names: new Set<string>(), counters: new Map(), requests: new Set<string>() }
    const one = found.get(family) ?? { family, ...empty, open: null, born: Number.POSITIVE_INFINITY, finite: true }
    found.set(family, one)
    if (role === 'born') {
      one.born = Math.min(one.born, value)
      return
    }
    one.names.add(key)
    if (!Number.isFinite(value)) one.finite = false
    else if (role === 'open') one.open = (one.open ?? 0) + value
    else one.counters.set(key, (one.counters.get(key) ?? 0) + value)
    if (role === 'requests') one.requests.add(key)
  }
}

function recognized(found: readonly FamilyMetrics[]): readonly FamilyMetrics[] {
  const all = found.filter(({ family, names }) => names.size >= (family.least ?? 1))
  const own = all.filter(({ family }) => !family.lastResort)
  return own.length > 0 ? own : all
}

function summed(found: readonly FamilyMetrics[], started: number | undefined): Sample {
  // The process's start, or otherwise the creation of its oldest counter, which Python clients show.
  const second = started ?? Math.min(...found.map(({ born }) => born))
  const flaw = flawOf(found)
  return {
    servers: found.map(({ family }) => family.title),
    open: found.reduce((sum, { open }) => sum + (open ?? 0), 0),
    counters: Object.fromEntries(
      found.flatMap(({ family, counters }) => [...counters].map(([key, value]) => [`${family.title} ${key}`, value])),
    ),
    requests: found.flatMap(({ family, requests }) => [...requests].map((key) => `${family.title} ${key}`)),
    process: Number.isFinite(second) && second > 0 ? String(second) : null,
    ...(flaw !== undefined && { flaw }),
  }
}

/** A gauge at zero proves nothing, because a short request may come and go between two looks. Counters do. */
function flawOf(found: readonly FamilyMetrics[]): Words | undefined {
  if (found.length === 0) return say('reading.noNames')
  if (found.some(({ finite }) => !finite)) return say('reading.notNumber')
  const counted = found.some(({ family, counters, open }) => counters.size > 0 || (family.lazy && open !== null))
  return counted ? undefined : say('reading.noCounter')
}

/** A process as earlier looks saw it. Times in ms since 1970 (UTC). */
export interface ProcessMemory {
  readonly counters: Readonly<Record<string, number>>
  readonly seenAt: number
  /** Requests running or waiting at that look. */
  readonly open?: number
  /** When a counter last moved, a request last began, or the process was first seen. */
  readonly movedAt: number
}

/** The change of a process since the last look. */
export interface ProcessVerdict {
  /** `open`: it shows open requests; `stuck`: the same, but nothing has moved for long. */
  readonly kind: 'new' | 'reset' | 'moved' | 'open' | 'stuck' | 'still'
  readonly requests: number
}

/** A running request moves a counter within this time, ms. */
const stuckAfter = 15 * 60_000
/** How long a process that no scrape reaches is remembered, ms. */
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

/** Returns the processes to remember. `all`: each was reached, so others are gone. */
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
