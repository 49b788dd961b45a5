import { type Exposition, readExposition } from './exposition/parse.ts'
import type { Family } from './servers/define.ts'
import { known } from './servers/index.ts'

/** What one scrape says about the use of one process. Plain values: it is kept from one look to the next. */
export interface Sample {
  /** Families recognised, by their titles. Empty: nothing here tells of use. */
  readonly servers: readonly string[]
  /** Requests running or waiting. */
  readonly open: number
  /** Counters, each the sum over its label sets; those of `requests` count requests. */
  readonly counters: Readonly<Record<string, number>>
  readonly requests: readonly string[]
  /** What tells this process from others and from its own next start; null when nothing does. */
  readonly process: string | null
  /** Why the numbers prove nothing, as the end of a sentence. */
  readonly flaw?: string
}

const startTime = 'process_start_time_seconds'

/** The sample in a page of metrics; null when the text is no exposition. */
export function sampleOf(text: string): Sample | null {
  const page = readExposition(text, (name) => name === startTime || known(name) !== undefined)
  return page === null ? null : sampled(page)
}

interface Found {
  readonly names: Set<string>
  readonly counters: Map<string, number>
  readonly requests: Set<string>
  open: number | null
  born: number
  finite: boolean
}

function sampled(page: Exposition): Sample {
  const found = new Map<Family, Found>()
  let started: number | undefined
  for (const { name, labels, value } of page.series) {
    if (name === startTime) started = value
    const it = known(name)
    if (it === undefined || !it.family.counts(labels, it.meaning.role)) continue
    const { role, key } = it.meaning
    const one = foundOf(found, it.family)
    if (role === 'born') {
      one.born = Math.min(one.born, value)
      continue
    }
    one.names.add(key)
    if (!Number.isFinite(value)) one.finite = false
    else if (role === 'open') one.open = (one.open ?? 0) + value
    else one.counters.set(key, (one.counters.get(key) ?? 0) + value)
    if (role === 'requests') one.requests.add(key)
  }
  for (const name of page.announced) announce(found, name)
  return summed(recognised(found), started)
}

/** A counter that is announced and has no series stands at zero. */
function announce(found: Map<Family, Found>, name: string): void {
  const it = known(name)
  if (it === undefined || it.meaning.role === 'born' || it.family.lastResort) return
  const one = foundOf(found, it.family)
  one.names.add(it.meaning.key)
  if (it.meaning.role === 'open') one.open ??= 0
  else one.counters.set(it.meaning.key, one.counters.get(it.meaning.key) ?? 0)
}

function foundOf(found: Map<Family, Found>, family: Family): Found {
  const before = found.get(family)
  if (before !== undefined) return before
  const one: Found = {
    names: new Set(),
    counters: new Map(),
    requests: new Set(),
    open: null,
    born: Number.POSITIVE_INFINITY,
    finite: true,
  }
  found.set(family, one)
  return one
}

function recognised(found: ReadonlyMap<Family, Found>): readonly (readonly [Family, Found])[] {
  const all = [...found].filter(([{ least }, { names }]) => names.size >= least)
  const own = all.filter(([{ lastResort }]) => !lastResort)
  return own.length > 0 ? own : all
}

function summed(found: readonly (readonly [Family, Found])[], started: number | undefined): Sample {
  const prefixed = ([{ title }, { counters }]: readonly [Family, Found]) =>
    [...counters].map(([key, value]) => [`${title} ${key}`, value] as const)
  const born = Math.min(...found.map(([, one]) => one.born))
  const flaw = flawOf(found)
  return {
    servers: found.map(([{ title }]) => title),
    open: found.reduce((sum, [, { open }]) => sum + (open ?? 0), 0),
    counters: Object.fromEntries(found.flatMap(prefixed)),
    requests: found.flatMap(([{ title }, { requests }]) => [...requests].map((key) => `${title} ${key}`)),
    process: identityOf(started, born),
    ...(flaw !== undefined && { flaw }),
  }
}

/** A gauge that reads zero is no proof: a short request comes and goes between two looks. Counters are. */
function flawOf(found: readonly (readonly [Family, Found])[]): string | undefined {
  if (found.length === 0) return 'its metrics hold none of the names that tell of use'
  if (found.some(([, { finite }]) => !finite)) return 'one of its metrics is not a number'
  const counted = found.some(([{ lazy }, { counters, open }]) => counters.size > 0 || (lazy && open !== null))
  return counted ? undefined : 'its metrics hold no counter of work done'
}

/** The process's own start, else the birth of its oldest counter, which clients in Python show. */
function identityOf(started: number | undefined, born: number): string | null {
  const second = started ?? born
  return Number.isFinite(second) && second > 0 ? String(second) : null
}
