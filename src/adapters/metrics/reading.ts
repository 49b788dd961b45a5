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
export function readLook(look: MetricsLook, before: LookMemory | null) {
  const { at, logs, replicas, samples } = look
  const processes = processesOf(look)
  const earlier = before?.processes ?? {}
  const memories = { ...earlier }
  for (const [id, { process }] of processes) {
    // The last of several replicas was identified by its process alone.
    const memory = earlier[id] ?? earlier[process ?? '']
    if (memory !== undefined) memories[id] = memory
  }
  const verdicts = [...processes].map(([id, sample]) => compare(sample, memories[id], at))
  const some = (kind: ProcessVerdict['kind']) => verdicts.some((one) => one.kind === kind)
  const requests = verdicts.reduce((sum, one) => sum + one.requests, 0)
  const together = [...processes.values()].reduce((sum, one) => sum + one.open, 0)
  // Some scrapes belong to no known process.
  const open = Math.max(0, together, ...samples.map((one) => one.open))
  const seen = Math.min(processes.size, replicas.length)
  const servers = [...new Set(samples.flatMap((one) => one.servers))]
  const evidence: Evidence = { servers, requests, open, replicas: replicas.length, seen, logs: 0 }
  const known = rememberProcesses(memories, processes, at, seen === replicas.length)
  return { reading: judge(), kept: { at, processes: known, ...(logs !== undefined && { logs }) } }

  function judge(): Reading {
    const busy = whyBusy()
    if (busy !== undefined) return { state: 'busy', why: busy, evidence }
    if (some('reset')) return { state: 'unknown', why: say('reading.reset'), evidence, restarted: true }
    // A new process is a restart only if all were known before.
    if (some('new') && Object.keys(earlier).length >= replicas.length)
      return { state: 'unknown', why: say('reading.restarted'), evidence, restarted: true }
    const doubt = whyUnknown()
    if (doubt !== undefined) return { state: 'unknown', why: doubt, evidence }
    if (seen === replicas.length)
      return { state: 'quiet', why: say('reading.quiet', { replicas: replicas.length }), evidence }
    const left = replicas.length - seen
    const why = say('reading.silent', { seen, logs: left, replicas: replicas.length })
    return { state: 'quiet', why, evidence: { ...evidence, logs: left } }
  }

  function whyBusy(): Words | undefined {
    const starting = replicas.find(({ state }) => state !== 'RUNNING')
    if (starting !== undefined)
      return say('reading.starting', { replica: starting.id, state: starting.state.toLowerCase() })
    if (look.changed !== undefined) return look.changed
    if (requests > 0) return say('reading.requests', { count: requests })
    if (some('moved')) return say('reading.worked')
    const stuck = some('stuck') && !some('open')
    if (open > 0 && !stuck) return say('reading.open', { count: open })
    const spoke = logs?.at === at ? logs.spoke : undefined
    return spoke === undefined ? undefined : say('reading.log', { replica: spoke })
  }

  function whyUnknown(): Words | undefined {
    if (replicas.length === 0) return say('reading.noReplica')
    if (look.missing !== undefined && samples.length === 0) return look.missing
    const flaw = samples.find((sample) => sample.flaw !== undefined)?.flaw
    if (flaw !== undefined) return flaw
    if (samples.length === 0) return say('reading.unread')
    if (some('stuck')) return say('reading.stuck')
    if (some('new')) return say(before === null ? 'reading.first' : 'reading.newReplica')
    if (seen === replicas.length) return undefined
    // Silence counts only if servers log their work, and for all replicas: a scrape does not say which one it reached.
    const writes = writesEveryRequest(servers)
    if (writes && areSilent(logs, replicas, at)) return undefined
    const isRead = writes && logs !== undefined
    return say('reading.partly', { seen, replicas: replicas.length, logs: isRead ? 'yes' : 'no' })
  }
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
