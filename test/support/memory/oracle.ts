import type { Press, Request } from '../../../src/core/model/request.ts'
import { createFindings } from './findings.ts'
import type { World } from './law.ts'
import { judgeAnswers } from './oracle-answers.ts'
import { judgeDeeds } from './oracle-deeds.ts'
import type { Written } from './shelf.ts'

/** Watches every write and call, and finds those that should not have happened. */
export interface Oracle {
  /** Reports what people did. The oracle accepts only the effects of these actions. */
  typed(request: Request): void
  pressed(press: Press): void
  /** The faults found, as sentences; should stay empty. */
  readonly faults: readonly string[]
  /** How often each kind of event happened, to detect a model that does nothing. */
  readonly tally: ReadonlyMap<string, number>
  /** Returns the ids of requests that wait for people, newest first. */
  waiting(): readonly string[]
  /** Checks all stored state between two steps. */
  look(): void
}

export function createOracle(world: World): Oracle {
  const { shelf, platform } = world
  const findings = createFindings()
  const { must, count, about } = findings
  const answers = judgeAnswers(world, findings)
  const deeds = judgeDeeds(world, findings, answers)
  const open = new Map<string, Request>()

  shelf.onMove = ({ before, after, events, options }: Written) => {
    about(`${after.line} (${after.id}) became ${after.status}`)
    if (after.ending === undefined) open.set(after.id, after)
    else open.delete(after.id)
    const isSameAsk = after.ask?.n === before.ask?.n
    if (after.ask !== undefined && !isSameAsk) answers.asks(after)
    const [earlier, votes] = [before.votes ?? [], after.votes ?? []]
    if (isSameAsk && votes.length > 0 && votes.length !== earlier.length) answers.votes(after, earlier)
    if (after.decision !== undefined && before.decision === undefined) answers.decides(before, after)
    if (after.status === 'declined' && before.status !== 'declined') count('declined')
    if (before.status === 'awaiting' && after.status === 'expired') count('expired')
    const ended = events.find(({ what }) => what === 'cancelled')
    if (ended?.by !== undefined) answers.cancels(before, ended.by)
    if (options.change !== undefined) deeds.changes(after, options.change)
  }

  platform.onCall = (made) => {
    const { call, endpoint } = made
    const stored = shelf.requests.get(shelf.locks.get(endpoint) ?? '')
    const request = stored?.request
    about(`${call.method} ${call.path} on ${endpoint} for ${request?.line} (${request?.id})`)
    must(request !== undefined, 'nobody holds the endpoint')
    if (request !== undefined) deeds.calls(request, made)
  }

  return {
    faults: findings.faults,
    tally: findings.tally,
    typed: answers.typed,
    pressed: answers.pressed,
    waiting: () => [...open.values()].flatMap(({ id, status }) => (status === 'awaiting' ? [id] : [])).toReversed(),
    look() {
      about('between two steps')
      const beside = new Set<string>()
      for (const { id, line, endpoint, plan, status, progress = [] } of open.values()) {
        must(shelf.wake.has(id), `nobody will ever look at ${line} again`)
        if (endpoint === undefined || (plan?.length ?? 0) === 0) continue
        if (status !== 'awaiting' && status !== 'running') continue
        if (shelf.locks.get(endpoint.id) === id) continue
        // One stop may wait for an answer while the start that it would end is running.
        const isUncalled = progress.every(({ sends }) => sends.length === 0)
        must(line.startsWith('stop ') && isUncalled, `${line} is open and does not hold ${endpoint.name}`)
        must(!beside.has(endpoint.id), `two stops are open beside what holds ${endpoint.name}`)
        beside.add(endpoint.id)
      }
      for (const [endpoint, id] of shelf.locks) must(open.has(id), `${endpoint} is held by what is over`)
    },
  }
}
