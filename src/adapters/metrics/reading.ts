import type { Replica } from '../../core/model/endpoint.ts'
import type { Evidence, Reading } from '../../core/model/reading.ts'
import { areSilent, type Overheard } from './access-logs.ts'
import { compare, type Known, remembered, type Verdict } from './compare.ts'
import type { Sample } from './sample.ts'
import { writesEveryRequest } from './servers/index.ts'

/** One look at an endpoint: what the platform lists, what its metrics said, what its logs say. */
export interface Look {
  /** ms since 1970 (UTC). */
  readonly at: number
  readonly replicas: readonly Replica[]
  /** One for each scrape; several may be of the same process, of which the last one counts. */
  readonly samples: readonly Sample[]
  /** Why there is no sample, as the end of a sentence. */
  readonly missing?: string
  /** What somebody changed within its time of grace, as the end of a sentence: counts as busy. */
  readonly changed?: string
  /** What is known of its logs, read now or a while before. */
  readonly logs?: Overheard
}

/** What has to be known of a look at the next one; plain values. */
export interface Kept {
  readonly at: number
  readonly processes: Readonly<Record<string, Known>>
  readonly logs?: Overheard
}

/** Whether logs could tell what metrics cannot: replicas no scrape met, or that nothing tells apart. */
export function needsLogs(look: Look): boolean {
  const titles = look.samples.flatMap(({ servers }) => servers)
  const isSound = look.samples.length > 0 && look.samples.every(({ flaw }) => flaw === undefined)
  return isSound && writesEveryRequest(titles) && processesOf(look).size < look.replicas.length
}

/** Reads a look beside the one before: busy wins, then whatever is not known, and only the rest is quiet. */
export function readingOf(look: Look, before: Kept | null): { readonly reading: Reading; readonly kept: Kept } {
  const processes = processesOf(look)
  const verdicts = [...processes].map(([id, sample]) => compare(sample, before?.processes[id], look.at))
  const evidence = evidenceOf(look, processes, verdicts)
  const judged = judge(look, before, verdicts, evidence)
  const all = processes.size >= look.replicas.length
  const { at, logs } = look
  const known = remembered(before?.processes ?? {}, processes, at, all)
  return { reading: judged, kept: { at, processes: known, ...(logs !== undefined && { logs }) } }
}

/**
 * The newest sample of each process. With one replica its id and start at the platform tell it, besides what its
 * metrics say; with several only the metrics can.
 */
function processesOf({ replicas, samples }: Look): ReadonlyMap<string, Sample> {
  const [only, ...others] = replicas
  const found = new Map<string, Sample>()
  for (const sample of samples) {
    const id =
      only !== undefined && others.length === 0
        ? `${only.id} ${only.startedAt ?? ''} ${sample.process ?? ''}`.trimEnd()
        : sample.process
    if (id !== null && sample.servers.length > 0) found.set(id, sample)
  }
  return found
}

function evidenceOf(look: Look, processes: ReadonlyMap<string, Sample>, verdicts: readonly Verdict[]): Evidence {
  return {
    servers: [...new Set(look.samples.flatMap(({ servers }) => servers))],
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
    open: Math.max(0, ...openOf(look, processes)),
    replicas: look.replicas.length,
    seen: Math.min(processes.size, look.replicas.length),
    logs: 0,
  }
}

/** What processes told apart have open together, and what each scrape showed: one that cannot be told apart counts too. */
function openOf({ samples }: Look, processes: ReadonlyMap<string, Sample>): readonly number[] {
  const together = [...processes.values()].reduce((sum, { open }) => sum + open, 0)
  return [together, ...samples.map(({ open }) => open)]
}

function judge(look: Look, before: Kept | null, verdicts: readonly Verdict[], evidence: Evidence): Reading {
  const busy = busyBy(look, verdicts, evidence)
  if (busy !== undefined) return { state: 'busy', why: busy, evidence }
  const of = (kind: Verdict['kind']) => verdicts.some((one) => one.kind === kind)
  if (of('reset')) return restarted('a counter went back, so the server began anew', evidence)
  // Where not every process was known before, a new one may only not have been met yet.
  if (of('new') && Object.keys(before?.processes ?? {}).length >= evidence.replicas)
    return restarted('a server began anew', evidence)
  const doubt = doubtOf(look, before, verdicts, evidence)
  if (doubt !== undefined) return { state: 'unknown', why: doubt, evidence }

  const { seen, replicas } = evidence
  if (seen === replicas)
    return { state: 'quiet', why: `no counter moved on ${seen} of ${replicas} ${plural(replicas)}`, evidence }
  const logs = replicas - seen
  const moved = seen > 0 ? `no counter moved on ${seen} and ` : ''
  const why = `${moved}no log line came from ${logs} of ${replicas} ${plural(replicas)}`
  return { state: 'quiet', why, evidence: { ...evidence, logs } }
}

function busyBy(look: Look, verdicts: readonly Verdict[], { requests, open }: Evidence): string | undefined {
  const starting = look.replicas.find(({ state }) => state !== 'RUNNING')
  if (starting !== undefined) return `replica ${starting.id} is ${starting.state.toLowerCase()}`
  if (look.changed !== undefined) return look.changed
  if (requests > 0) return `${requests} ${requests === 1 ? 'request' : 'requests'} ended since the last look`
  if (verdicts.some(({ kind }) => kind === 'moved')) return 'its counters of work done have grown'
  const stuck = verdicts.some(({ kind }) => kind === 'stuck') && verdicts.every(({ kind }) => kind !== 'open')
  if (open > 0 && !stuck) return `${open} ${open === 1 ? 'request is' : 'requests are'} running or waiting`
  const { spoke, at } = look.logs ?? {}
  return spoke === undefined || at !== look.at ? undefined : `replica ${spoke} has written to its log`
}

function doubtOf(
  look: Look,
  before: Kept | null,
  verdicts: readonly Verdict[],
  { servers, replicas, seen }: Evidence,
): string | undefined {
  if (replicas === 0) return 'the platform lists no replica of it'
  if (look.missing !== undefined && look.samples.length === 0) return look.missing
  const flaw = look.samples.find((sample) => sample.flaw !== undefined)?.flaw
  if (flaw !== undefined) return flaw
  if (look.samples.length === 0) return 'its metrics were not read'
  if (verdicts.some(({ kind }) => kind === 'stuck'))
    return 'requests are shown as running, but nothing has moved for 15 min: they are stuck, or the numbers are stale'
  if (verdicts.some(({ kind }) => kind === 'new'))
    return before === null ? 'this is the first look at it' : 'one of its replicas was seen for the first time'
  if (seen === replicas) return undefined
  // Logs are no proof but for servers known to write while they work; which replica a scrape met is not known either.
  const writes = writesEveryRequest(servers)
  if (writes && areSilent(look.logs, look.replicas, look.at)) return undefined
  const logs = writes && look.logs !== undefined ? ', and not all of their logs could be read' : ''
  return `the metrics of only ${seen} of ${replicas} replicas could be seen and told apart${logs}`
}

function restarted(why: string, evidence: Evidence): Reading {
  return { state: 'unknown', why, evidence, restarted: true }
}

function plural(replicas: number): string {
  return replicas === 1 ? 'replica' : 'replicas'
}
