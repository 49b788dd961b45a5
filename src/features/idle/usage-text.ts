import type { Evidence, Use } from '../../core/model/reading.ts'
import { lasting } from '../../core/time/format.ts'
import { mostUnknown } from './idle-clock.ts'

/** "Quiet for 42 min: no counter moved on 2 of 2 replicas, vLLM metrics; stopped after 1 h." */
export function useText(use: Use): string {
  const { last, quietMs, watched } = use
  if (last === null) {
    const rule = ruleOf(use).trim()
    return watched?.spared === null ? `Once it is up, ${rule.charAt(0).toLowerCase()}${rule.slice(1)}` : rule
  }
  const { state, why, evidence } = last
  if (state === 'busy') return `In use: ${why}.${ruleOf(use)}`
  if (state === 'unknown') {
    const end = watched === undefined ? '' : ` While that is so, it is not stopped for idleness.${ruleOf(use)}`
    return `Whether it is used is not known: ${why}.${remedyFor(evidence)}${end}`
  }
  const by = evidence.servers.length > 0 ? `, ${evidence.servers.join(' and ')} metrics` : ''
  return `Quiet for ${lasting(quietMs)}: ${why}${by}${outlookOf(use)}.`
}

/** " Its idle watch stops it after 1 h of known quiet." */
function ruleOf({ idleMs, watched }: Use): string {
  if (watched === undefined) return ''
  if (watched.spared !== null) return ` Its idle watch rests, as ${watched.spared}.`
  const after = `after ${lasting(idleMs)} of known quiet${longerFor(watched)}`
  return watched.mode === 'try'
    ? ` Its idle watch only tries: it would be stopped ${after}.`
    : ` Its idle watch stops it ${after}.`
}

/** A hint if servers were met but not every replica; begins with a blank. */
export function remedyFor({ servers, seen, replicas }: Evidence): string {
  return servers.length > 0 && seen < replicas
    ? ' Metrics that hold process_start_time_seconds tell replicas apart; with one replica there is nothing to tell apart.'
    : ''
}

function outlookOf({ quietMs, clock, idleMs, watched }: Use): string {
  if (watched === undefined) return ''
  if (watched.spared !== null) return `; not stopped for that, as ${watched.spared}`
  const will = watched.mode === 'try' ? 'would be stopped' : 'stopped'
  return `; ${will} after ${lasting(idleMs)}${passedOf(quietMs, clock)}${longerFor(watched)}`
}

/** The part of the quiet that counts, if not all of it does. */
function passedOf(quietMs: number, { forMs }: Use['clock']): string {
  if (quietMs - forMs < 60_000) return ''
  return forMs < 60_000 ? ', of which none has passed yet' : `, of which ${lasting(forMs)} have passed`
}

function longerFor({ earlyRestarts }: NonNullable<Use['watched']>): string {
  return earlyRestarts > 0 ? ', longer than set since it was needed again too soon' : ''
}

/** "idle for 1 h 5 min", if it has been quiet for long enough; else null. */
export function idleText(use: Use | null): string | null {
  if (use === null) return null
  const { last, quietMs, clock, idleMs } = use
  const isIdle = last?.state === 'quiet' && clock.forMs >= idleMs && clock.unknown <= mostUnknown
  return isIdle ? `idle for ${lasting(quietMs)}` : null
}
