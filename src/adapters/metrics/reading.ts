import type { Replica } from '../../core/model/endpoint.ts'
import type { Evidence, Reading } from '../../core/model/reading.ts'
import { say, type Words } from '../../core/model/words.ts'
import { areSilent, type LogReading } from './access-logs.ts'
import { writesEveryRequest } from './families.ts'
import { compare, type ProcessMemory, type ProcessVerdict, rememberProcesses, type Sample } from './sample.ts'

export interface MetricsLook {
  /** ms since 1970 (UTC). */
  readonly at: number
  readonly replicas: readonly Replica[]
  /** One for each scrape. The last one of a process counts. */
  readonly samples: readonly Sample[]
  /** Why there is no sample; ends a sentence. */
  readonly missing?: Words
  /** A recent change that counts as busy; ends a sentence. */
  readonly changed?: Words
  readonly logs?: LogReading
}

/** What the next look compares with. Stored as JSON. */
export interface LookMemory {
  readonly at: number
  readonly processes: Readonly<Record<string, ProcessMemory>>
  readonly logs?: LogReading
}

/** Whether logs can fill a gap: replicas that no scrape reached, or that look alike. */
export function needsLogs(look: MetricsLook): boolean {
  const titles = look.samples.flatMap(({ servers }) => servers)
  const isSound = look.samples.length > 0 && look.samples.every(({ flaw }) => flaw === undefined)
  return isSound && writesEveryRequest(titles) && processesOf(look).size < look.replicas.length
}

/** Compares a look with the one before. Busy wins, then unknown; only the rest is quiet. */
export function readLook(
  look: MetricsLook,
  before: LookMemory | null,
): { readonly reading: Reading; readonly kept: LookMemory } {
  const processes = processesOf(look)
  const verdicts = [...processes].map(([id, sample]) => compare(sample, before?.processes[id], look.at))
  const evidence = evidenceOf(look, processes, verdicts)
  const all = processes.size >= look.replicas.length
  const { at, logs } = look
  const known = rememberProcesses(before?.processes ?? {}, processes, at, all)
  const reading = judge(look, before, verdicts, evidence)
  return { reading, kept: { at, processes: known, ...(logs !== undefined && { logs }) } }
}

/** The newest sample of each process. A single replica is also identified by its id and start at the platform. */
function processesOf({ replicas, samples }: MetricsLook): ReadonlyMap<string, Sample> {
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

function evidenceOf(
  look: MetricsLook,
  processes: ReadonlyMap<string, Sample>,
  verdicts: readonly ProcessVerdict[],
): Evidence {
  const together = [...processes.values()].reduce((sum, { open }) => sum + open, 0)
  return {
    servers: [...new Set(look.samples.flatMap(({ servers }) => servers))],
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
    // Some scrapes belong to no known process.
    open: Math.max(0, together, ...look.samples.map(({ open }) => open)),
    replicas: look.replicas.length,
    seen: Math.min(processes.size, look.replicas.length),
    logs: 0,
  }
}

function judge(
  look: MetricsLook,
  before: LookMemory | null,
  verdicts: readonly ProcessVerdict[],
  evidence: Evidence,
): Reading {
  const busy = busyBy(look, verdicts, evidence)
  if (busy !== undefined) return { state: 'busy', why: busy, evidence }
  const some = (kind: ProcessVerdict['kind']) => verdicts.some((one) => one.kind === kind)
  if (some('reset')) return { state: 'unknown', why: say('reading.reset'), evidence, restarted: true }
  // A new process is a restart only if all were known before.
  if (some('new') && Object.keys(before?.processes ?? {}).length >= evidence.replicas)
    return { state: 'unknown', why: say('reading.restarted'), evidence, restarted: true }
  const doubt = doubtOf(look, before, verdicts, evidence)
  if (doubt !== undefined) return { state: 'unknown', why: doubt, evidence }

  const { seen, replicas } = evidence
  if (seen === replicas) return { state: 'quiet', why: say('reading.quiet', { replicas }), evidence }
  const logs = replicas - seen
  const why = say('reading.silent', { seen, logs, replicas })
  return { state: 'quiet', why, evidence: { ...evidence, logs } }
}

function busyBy(
  look: MetricsLook,
  verdicts: readonly ProcessVerdict[],
  { requests, open }: Evidence,
): Words | undefined {
  const starting = look.replicas.find(({ state }) => state !== 'RUNNING')
  if (starting !== undefined)
    return say('reading.starting', { replica: starting.id, state: starting.state.toLowerCase() })
  if (look.changed !== undefined) return look.changed
  if (requests > 0) return say('reading.requests', { count: requests })
  if (verdicts.some(({ kind }) => kind === 'moved')) return say('reading.worked')
  const stuck = verdicts.some(({ kind }) => kind === 'stuck') && verdicts.every(({ kind }) => kind !== 'open')
  if (open > 0 && !stuck) return say('reading.open', { count: open })
  const { spoke, at } = look.logs ?? {}
  return spoke === undefined || at !== look.at ? undefined : say('reading.log', { replica: spoke })
}

function doubtOf(
  look: MetricsLook,
  before: LookMemory | null,
  verdicts: readonly ProcessVerdict[],
  { servers, replicas, seen }: Evidence,
): Words | undefined {
  if (replicas === 0) return say('reading.noReplica')
  if (look.missing !== undefined && look.samples.length === 0) return look.missing
  const flaw = look.samples.find((sample) => sample.flaw !== undefined)?.flaw
  if (flaw !== undefined) return flaw
  if (look.samples.length === 0) return say('reading.unread')
  if (verdicts.some(({ kind }) => kind === 'stuck')) return say('reading.stuck')
  if (verdicts.some(({ kind }) => kind === 'new')) return say(before === null ? 'reading.first' : 'reading.newReplica')
  if (seen === replicas) return undefined
  // Silence counts only if servers log their work, and for all replicas: a scrape does not say which one it reached.
  const writes = writesEveryRequest(servers)
  if (writes && areSilent(look.logs, look.replicas, look.at)) return undefined
  return say('reading.partly', { seen, replicas, logs: writes && look.logs !== undefined ? 'yes' : 'no' })
}
