import type { ChangeContext } from '../../core/commands/define.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Records } from '../../core/model/records.ts'
import { isCutShort, type OneOff, type Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { saveState } from './look.ts'
import { currentDecisionOf } from './rules/reconcile-decision.ts'
import { bookFor } from './rules/rulebook.ts'

type Changed = Pick<Endpoint, 'id' | 'name' | 'active'>

interface Done {
  readonly wants: OneOff['want']
  readonly from: number
  readonly now: number
  readonly occurrence?: string | undefined
}

interface Ended {
  /** The one-offs that wanted the opposite, newest first. */
  readonly ended: readonly OneOff[]
  /** These, and the one that was carried out before its time. */
  readonly dropped: readonly OneOff[]
  readonly rules: Rules
  readonly records: Records
}

/**
 * Returns the one-offs that a start or stop ends, and the rules from then on. Stores that what the other rules want has
 * been done. `occurrence`: the decision that it carries out.
 */
export async function endedOneOffs(
  services: Services,
  about: Changed | Promise<Changed>,
  { wants, from, now, occurrence = '' }: Done,
): Promise<Ended> {
  const [endpoint, records] = await Promise.all([about, services.store.records()])
  const all = bookFor(services, records).of(endpoint)
  const ended = all.once.filter(({ want, at }) => want !== wants && at <= now).toSorted((a, b) => b.at - a.at)
  const isOwn = ({ id, at }: OneOff) => now < at && occurrence.startsWith(`${endpoint.id}.${id}.`)
  const dropped = [...ended, ...all.once.filter(isOwn)]
  const rules = { ...all, once: all.once.filter((one) => !dropped.includes(one)) }
  if (dropped.length === 0) return { ended, dropped, rules, records }
  const { decision, occurrence: next } = currentDecisionOf(endpoint.id, { ...rules, freeze: null }, now)
  // The other rules' decision counts as met, so that they leave alone an endpoint that was changed against them.
  if (decision.want !== 'hands off')
    await saveState(services, endpoint.id, { occurrence: next, state: 'met', attempts: 0, at: from })
  return { ended, dropped, rules, records }
}

/** Returns the ends later than `end` (ms) that the undone request replaced, which are planned again beside that end. */
export function endsAgain({ undone }: ChangeContext, end: number): readonly OneOff[] {
  const before = undone?.replaced?.filter((one) => one.kind === 'once') ?? []
  const later = before.filter(({ at, until = at }) => isCutShort({ until }, end))
  // The endpoint runs, so nothing starts at once.
  return later.map((one) => (one.want === 'up' ? { ...one, ran: true } : one))
}

/** Says which ends are planned again, each with the person who planned it. */
export function endsKept(again: readonly OneOff[]): readonly Words[] {
  return again.map(({ at, until = at, owner }) => say('once.again', { at: { at: until }, by: { person: owner } }))
}
