import { buttonTo, phrase } from '../../core/commands/phrases.ts'
import { isUnclear, type Seen, stepName } from '../../core/model/plan.ts'
import { keyOf } from '../../core/model/records.ts'
import { type Ending, isAutomatic, type Request, type Status, terms } from '../../core/model/request.ts'
import { isByHand, keepersOf, pauseUnder, type Rules } from '../../core/model/rules.ts'
import { findSentence, say, type Words } from '../../core/model/words.ts'
import type { ClaimedRequest } from '../../core/ports/services.ts'
import { end, endWith } from '../../core/requests/end.ts'
import { withTags } from '../../core/requests/find-endpoint.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { regretOf } from '../../features/idle/follow-up.ts'
import { costOver } from '../../features/savings/format.ts'
import { endedOneOffs } from '../../features/schedules/end-one-offs.ts'
import { rulesNow } from '../../features/schedules/preview.ts'
import { nextChange } from '../../features/schedules/rules/coming.ts'
import { desired } from '../../features/schedules/rules/desired-state.ts'
import { scaleTo, wasAnswered } from './compensate.ts'
import { lastSeen, platformQuote, stateSeen, type Work, withProgress } from './work.ts'

/** Completes a step that has reached its goal. The last step ends the request, with the state of this read. */
export async function completeStep(work: Work, seen: Seen): Promise<void> {
  const { services, claim, request, at, step, progress } = work
  const done = withProgress(request, at, { ...progress, looks: [seen], done: true }, services.clock.now())
  if (done.progress?.some((one) => one.done !== true)) {
    await claim.move(done, [
      { at: seen.at, what: 'reached', detail: say('history.event', { what: stepName(step), detail: lastSeen(seen) }) },
    ])
    return
  }
  const { setback } = request
  if (setback !== undefined) {
    const { status, ...ending } = setback
    const says = [ending.says, againAs(request, status)]
    return end(services, claim, status, { ...ending, says, change: done })
  }
  return succeed(work, seen, done)
}

/** The sentence about a change that is done: how late it was, whether it serves, and which stop is planned. */
async function whatWasDone(work: Work, seen: Seen, done: Request): Promise<Words> {
  const { claim, request, name } = work
  const serves = request.plan?.some(({ goal }) => goal === 'serving') && seen.active && seen.status !== undefined
  const late = lateness(claim, done)
  const did = phrase(claim.command, name, 'done')
  const { why = '', due = 0, dueFirst = due } = request.ask ?? {}
  const isInTime = due === dueFirst && findSentence(why, 'rule.late') === undefined
  // The person made this request long before.
  const isAsked = request.asked !== undefined && request.decision === undefined && claim.command.row.wants === 'down'
  const what = isAsked && isInTime ? say('end.asked', { done: did }) : did
  const how = serves ? 'serving' : 'done'
  const planned = await stopPlanned(work, seen)
  const ended =
    planned ??
    (late === null
      ? say(`end.${how}`, { done: what })
      : say(`end.${how}.late`, { done: what, late: { lasting: late } }))
  const isUnseen = done.progress?.some(({ sends }) => sends.at(-1)?.outcome?.inferred === true)
  return isUnseen ? [ended, say('request.replyLost')] : ended
}

/** "my-llm is running until today at 18:00 · about $12", for a `start … for`; null for anything else. */
async function stopPlanned(work: Work, seen: Seen): Promise<Words | null> {
  const { services, claim, request, id, name } = work
  const stop = request.asked !== undefined && claim.command.row.wants === 'up' ? await nextStop(work, seen) : null
  if (stop === null) return null
  return say('end.until', {
    name,
    until: { at: stop },
    cost: await costOver(services, { ...seen, id }, stop - seen.at),
  })
}

/** Adds the tags and whether the endpoint is autoscaled, on which the policy file's rules depend. */
async function matchable({ services, id, name }: Work, seen: Seen) {
  return { ...(await withTags(services, { id, name })), ...seen, id, name }
}

/** Returns when the rules next stop the endpoint, ms since 1970; null if they don't. */
export async function nextStop(work: Work, seen: Seen): Promise<number | null> {
  const next = nextChange((await rulesNow(work.services))(await matchable(work, seen)), seen.at)
  return next?.want === 'down' ? next.at : null
}

/** Ends a request that reached its goal. What the rules wanted when it began counts: one that came since is newer. */
async function succeed(work: Work, seen: Seen, done: Request): Promise<void> {
  const { services, claim, request, earlier } = work
  const { wants } = claim.command.row
  const says = await whatWasDone(work, seen, done)
  const from = request.startedAt ?? seen.at
  const [last, { ended: endedRules, dropped, rules, records }] = await Promise.all([
    wants === 'up' ? (earlier === undefined ? services.store.lastDone(work.id) : earlier) : null,
    wants
      ? endedOneOffs(services, matchable(work, seen), { wants, from, now: from, occurrence: request.occurrence })
      : { ended: [], dropped: [], rules: null, records: undefined },
  ])
  const regret = last === null ? null : await regretOf(services, request, last)
  const [run] = endedRules
  const isEarly = run?.until !== undefined && seen.at < run.until && !isAutomatic(request)
  // Whoever pressed “Stop now” stopped it by hand.
  const isByRule = isAutomatic(request) && request.decision?.yes !== true
  const against = rules === null || isByRule ? { put: [], drop: [] } : byHand(work, seen, rules, from)
  const after = rules && { ...rules, ...(against.put.length > 0 && { holds: against.put }) }
  // A start for a while has said when it ends.
  const next = wants === 'up' && after && request.asked === undefined ? nextChange(after, seen.at) : null
  // A patch starts a running endpoint again, but somebody may have stopped it before.
  const isStopped = wants === undefined && seen.active === false
  const more = [
    ...(isStopped ? [stateSeen(seen)] : []),
    ...(regret === null ? [] : [regret.says]),
    ...(isEarly ? [say('end.noStop', { until: { at: run.until } })] : []),
    ...against.put
      .filter(isByHand)
      .map(({ until }) => say('end.against', { wants: wants ?? '', until: { at: until } })),
    ...(next?.want === 'down' && next.by.kind === 'once' ? [say('end.stopAhead', { at: { at: next.at } })] : []),
  ]
  // Only the Home and the type-ahead use this, so nothing waits for it.
  services.store.rememberState({ ...seen, id: work.id }).catch(() => undefined)
  const put = [...(regret?.record.put ?? []), ...against.put]
  const drop = [...dropped, ...against.drop].map(keyOf)
  const moved = await endWith(services, claim, 'succeeded', {
    says: more.length === 0 ? says : [says, ...more],
    ...platformQuote(done.progress?.findLast(({ sends }) => sends.length > 0)?.sends.at(-1)),
    ...scaleAgain(work, seen, last),
    ...(isStopped && { offers: [buttonTo('start', work)] }),
    change: { ...done, ...(endedRules.length > 0 && { replaced: endedRules }) },
    ...(put.length + drop.length > 0 && { options: { change: { put, drop }, ...(records && { records }) } }),
    event: { detail: [says, lastSeen(seen)] },
  })
  if (moved.kind === 'outdated') await succeed(work, seen, done)
}

/** Returns the hold that keeps a person's change against the rules, or the holds that the change makes unnecessary. */
function byHand({ claim, request, id }: Work, { at }: Seen, rules: Rules, from: number) {
  // Once a pause ends, the rules would undo this.
  const { want, until } = desired({ ...rules, holds: [] }, from)
  if (want === 'hands off' || (until !== null && until <= at)) return { put: [], drop: [] }
  if (want === claim.command.row.wants) {
    const held = rules.holds.filter(isByHand)
    const put = held.flatMap((hold) => pauseUnder(hold, { id: request.id, at }) ?? [])
    return { put, drop: put.length > 0 ? [] : held }
  }
  const by = isAutomatic(request) ? (request.decision?.by ?? request.actor) : request.actor
  const also = rules.holds.flatMap(keepersOf).filter((one) => at < one.until)
  const end = Math.max(until ?? at + dayMs, ...also.map((one) => one.until))
  const hold = { kind: 'hold', id: request.id, endpoint: id, at, until: end, by, against: true } as const
  return { put: [{ ...hold, ...(also.length > 0 && { also }) }], drop: [] }
}

/** Says "as it was" only if the settings are certainly unchanged. */
function againAs(request: Work['request'], status: Status): Words {
  const { plan = [], progress } = request
  const changed = plan.some(({ goal }, index) => goal === 'answered' && wasAnswered(request, index))
  const isDoubtful = plan.some(({ goal }, index) => goal === 'answered' && progress?.[index]?.sends.some(isUnclear))
  if (isDoubtful) return say('step.againSettingsUnknown')
  return say(status === 'attention' || changed ? 'step.again' : 'step.againAsBefore')
}

/** How late a rule's start was, ms; null if the delay is not worth mentioning. */
function lateness({ command }: ClaimedRequest, { via, due, progress }: Work['request']): number | null {
  const called = progress?.[0]?.sends[0]?.at
  if (via !== 'schedule' || due === undefined || called === undefined || called - due <= terms.start) return null
  return command.row.wants === 'up' ? called - due : null
}

/** Offers to scale to the replicas that a start did not bring back. `last`: the request before it. */
function scaleAgain(work: Work, { replicas }: Seen, last: Request | null): Pick<Ending, 'offers'> {
  const before = last?.progress?.[0]?.sends[0]?.before.replicas
  if (last === null || replicas === undefined || before === undefined || before <= replicas) return {}
  return work.services.commands.operation(last.line).row.wants === 'down' ? { offers: [scaleTo(work, before)] } : {}
}
