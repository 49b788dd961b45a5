import type { Unstored } from '../domain/errors.ts'
import type { Log, Received } from '../lifecycle/ports.ts'
import { sparingly } from '../lifecycle/sparing.ts'

/** What a door's script says, as the lifecycle names it. */
function receivedOf(answer: unknown): Received {
  if (!Array.isArray(answer)) return { kind: 'perhaps' }
  const [kind, more] = answer as [string, number]
  if (kind === 'stored' || kind === 'known') return { kind, workers: more === 1 }
  if (kind === 'refused') return { kind, why: more === 1 ? 'person' : 'project' }
  return kind === 'gone' ? { kind } : { kind: 'nothing', why: 'slow' }
}

/** Redis' own words when it refuses a write; a script's come with more around them. */
const refusals: readonly (readonly [RegExp, Unstored])[] = [
  [/\bOOM\b/, 'full'],
  [/\b(READONLY|NOREPLICAS)\b/, 'readonly'],
  [/\b(LOADING|MASTERDOWN|CLUSTERDOWN|MOVED|TRYAGAIN|BUSY)\b/, 'changing'],
  [/\bMISCONF\b/, 'disk'],
  [/\b(NOAUTH|WRONGPASS|NOPERM)\b/, 'locked'],
]

/** What Redis' refusal means; null where it did not refuse, so that the write may have been made. */
function refusalOf(error: Error): Unstored | null {
  const [, known] = refusals.find(([words]) => words.test(error.message)) ?? []
  if (known !== undefined) return known
  if (/Stream isn't writeable|Cluster isn't ready|ECONNREFUSED|ENOTFOUND/.test(error.message)) return 'away'
  return error.name === 'ReplyError' ? 'refused' : null
}

/** What came in: its fields are for the log, so nothing that a person typed stands in them but the verb. */
export interface Came {
  readonly request: string
  readonly [field: string]: string | boolean | undefined
}

/**
 * Tells a write that cannot have been stored from one whose reply was merely lost. Redis' own refusals and a
 * connection that was not there before anything was sent are certain; a time-out or a cut is not.
 *
 * Each is logged, after whoever waits for it has been answered; refusals once, and then by their count.
 */
export function receiving(log: Log): (came: Came, says: string, write: Promise<unknown>) => Promise<Received> {
  const warn = sparingly(log)
  return async (came, says, write) => {
    try {
      const received = receivedOf(await write)
      if (received.kind === 'stored') setImmediate(() => log.info(came, says))
      else if (received.kind === 'refused') warn(received.kind, { ...came, why: received.why }, 'too much comes in')
      else if (received.kind === 'nothing') warn(received.why, { ...came, why: received.why }, 'Redis stored nothing')
      return received
    } catch (err) {
      const why = err instanceof Error ? refusalOf(err) : null
      if (why === null) warn('perhaps', { ...came, err }, 'Redis did not say whether it stored what came in')
      else warn(why, { ...came, why, err }, 'Redis stored nothing')
      return why === null ? { kind: 'perhaps' } : { kind: 'nothing', why }
    }
  }
}
