import { buttonTo } from '../../core/commands/phrases.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Offer } from '../../core/model/query-answer.ts'
import type { Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { type FoundDifference, ruleText, saveState } from './look.ts'
import { type Desired, desired } from './rules/desired-state.ts'
import type { ReconcileAction } from './rules/reconcile-decision.ts'

/** More would flood the channel; the audit log has all. */
const most = 20

/** Says that a change began and ended since the last look (ms) without being made; null if none did. */
export function missedWhileDown(
  endpoint: Endpoint,
  rules: Rules,
  { since: until, want: current }: Desired,
  lastLook: number,
): Words | null {
  if (until <= lastLook) return null
  const { want, since, by } = desired(rules, until - 1)
  if (since <= lastLook || endpoint.active !== (want === 'down')) return null
  // The end of what a person planned is reported once it is given up.
  if (want === 'hands off' || (current === 'hands off' && by.kind === 'once')) return null
  const times = { at: { at: since }, until: { at: until } }
  return [say('rule.missed', { name: endpoint.name, want, ...times }), ruleText(by)]
}

export async function announceMissed(services: Services, missed: readonly Words[], lastLook: number): Promise<void> {
  if (missed.length === 0) return
  const at = services.clock.now()
  const events = missed.map((detail) => ({ at, what: 'missed', detail }))
  await services.store.write({}, events)
  const head = say('rule.missedHead', { from: { at: lastLook } })
  void services.announce([head, ...firstOf(missed)])
}

/** The first lines of a long list, and how many more there are. */
function firstOf(lines: readonly Words[]): readonly Words[] {
  return [...lines.slice(0, most), ...(lines.length > most ? [say('rule.more', { count: lines.length - most })] : [])]
}

type MissedStart = Awaited<ReturnType<typeof noteMissed>>

/** More endpoints that others changed are announced in one message, without buttons for each. */
const mostAlone = 3

/**
 * What a tick announces once it has looked at all endpoints: the starts that are too late, the changes given up, and the
 * endpoints that others have changed against their rules.
 */
export interface ToAnnounce {
  readonly moved: { readonly says: Words; readonly alone: () => Promise<void> }[]
  readonly starts: MissedStart[]
  readonly givenUp: { readonly says: Words; readonly offer: Offer }[]
}

/** Notes a start that is too late to be worthwhile, and returns what to say, alone or in a `line` among others. */
export async function noteMissed(
  services: Services,
  found: FoundDifference,
  { nominal, until, by }: ReconcileAction & { readonly kind: 'missed' },
) {
  const { endpoint, occurrence, now } = found
  await saveState(services, endpoint.id, { occurrence, state: 'left', attempts: 0, at: now })
  const { name } = endpoint
  const end = until === null ? 'open' : 'set'
  const values = { name, end, at: { at: nominal }, late: { lasting: now - nominal }, until: { at: until ?? nominal } }
  const says = [say('rule.missedStart', values), ruleText(by)]
  await services.store.write({}, [{ at: now, what: 'missed', detail: says }])
  return { says, line: say('rule.missedOne', values), offer: buttonTo('start', endpoint) }
}

/** Announces the missed starts of one look together, and likewise the changes that were given up or made elsewhere. */
export async function announceTogether({ announce, log }: Services, { moved, starts, givenUp }: ToAnnounce) {
  if (moved.length <= mostAlone) {
    const all = Promise.all(moved.map(({ alone }) => alone()))
    await all.catch((err: unknown) => log.warn({ err }, 'could not announce a change made elsewhere'))
  } else {
    const head = say('rule.movedMany', { count: moved.length })
    const list = { label: say('action.schedules'), line: 'schedules' }
    void announce([head, ...firstOf(moved.map(({ says }) => says))], [list])
  }
  const gaveUp = givenUp.map(({ offer }) => offer)
  if (givenUp.length > 0) void announce(firstOf(givenUp.map(({ says }) => says)), gaveUp)
  const [first, ...others] = starts
  if (first === undefined) return
  const lines = [say('rule.missedStarts', { count: starts.length }), ...firstOf(starts.map(({ line }) => line))]
  const offers = starts.map(({ offer }) => offer)
  void announce(others.length === 0 ? [first.says] : lines, offers)
}
