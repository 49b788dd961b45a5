import { defined } from '../../core/model/defined.ts'
import type { PolicyDecision, Standing } from '../../core/model/policy.ts'
import type { AnswersGiven } from '../../core/model/question.ts'
import { recordOn, startsAtOnce } from '../../core/model/records.ts'
import { isSkipped, type Request, terms, wasCarriedOut } from '../../core/model/request.ts'
import { startedBy } from '../../core/model/rules.ts'
import { say, untilIn } from '../../core/model/words.ts'
import { isStricter } from '../../core/policy/requirement.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { actOn } from '../../core/requests/claim-other.ts'
import { receiveFromRule, ruleRequestId } from '../../core/requests/receive.ts'
import { costsOfLeaving } from './costs-of-leaving.ts'
import { type FoundDifference, isNew, ownerOf, replicasBefore, ruleText, withLateness, zoneOf } from './look.ts'
import { nextChange } from './rules/coming.ts'
import { staysStopped } from './rules/describe.ts'
import type { DueChange } from './rules/reconcile-decision.ts'

const minute = 60_000

interface DueRequest extends DueChange, FoundDifference {
  readonly attempt: number
  readonly heldUntil: number | undefined
}

/** How long after a run was agreed to it begins without a warning, ms. */
const justAgreed = 5 * 60_000

/** Hands in a start or a stop, which is then handled like a person's request. A one-off goes to where it was asked for. */
export async function handIn(services: Services, one: DueRequest): Promise<void> {
  const operations = services.operationsChannel()
  if (operations === undefined) {
    services.log.warn(
      { endpoint: one.endpoint.id },
      'a schedule or idle stop has no channel for its warnings: set operations_channel',
    )
    return
  }
  const { endpoint, occurrence, attempt, heldUntil = 0, want, due, by, now } = one
  const nominal = Math.max(one.nominal, heldUntil)
  const asked = by.kind === 'once' ? await services.store.load(by.id) : null
  const made = asked?.line ?? null
  const { rule, ...call } = want === 'up' ? await startOf(services, one, made) : await stopOf(services, one, made)
  const id = ruleRequestId(services, occurrence, attempt)
  const isAgain = attempt > 1 && heldUntil !== now
  // A start that is tried again stays in its message. A stop is announced in a new one, because edits notify nobody.
  const before = isAgain && want === 'up' ? ruleRequestId(services, occurrence, attempt - 1) : null
  const tried = before === null ? null : await services.store.load(before)
  // A person's one-off has its own card.
  const isGrouped = made === null && (before === null || tried?.group !== undefined)
  const name = tried?.group ?? `${want}.${Math.floor(due / minute)}.${attempt}`
  const group = isGrouped && (await services.store.joinGroup(name, id))
  await receiveFromRule(services, asked?.place.channel ?? operations, {
    id,
    kind: 'operation',
    ...call,
    actor: ownerOf(by),
    endpoint: { id: endpoint.id, name: endpoint.name },
    via: 'schedule',
    occurrence,
    due: want === 'up' && nominal > 0 ? nominal : due,
    ...(made !== null && { asked: services.commands.called(made, endpoint) }),
    // A program proposes the run, not its end.
    ...(want === 'up' && asked?.through && { proposer: asked.through.name }),
    ...(group !== false && { group }),
    reason: now - nominal > terms.late ? withLateness(rule, due - nominal) : rule,
    receivedAt: now,
  })
}

/**
 * Returns the answers to the `start … for` whose first start this is; null for a later one. `atOnce`: it was agreed to
 * minutes ago, the policy asks for no more now, and the endpoint still is what people agreed to start.
 */
export async function answersToRun(
  { store }: Services,
  { asked, occurrence, receivedAt, endpoint }: Request,
  now: { readonly decided: PolicyDecision; readonly standing: Standing },
): Promise<{ readonly agreed: AnswersGiven; readonly atOnce: boolean } | null> {
  const run = asked === undefined ? undefined : startedBy(occurrence)
  const made = run === undefined ? null : await store.load(run)
  if (made?.ending === undefined || !startsAtOnce(made.change)) return null
  const recent = await store.recentOn(endpoint?.id ?? '')
  if (recent.some((one) => wasCarriedOut(one) && startedBy(one.occurrence) === run)) return null
  const { requirement = 'nothing', ask, ending, exposure, decision, votes } = made
  const isCovered = !isStricter(now.decided, { requirement, asking: ask?.asking ?? now.decided.asking })
  const atOnce = isCovered && exposure === now.standing && receivedAt - ending.at < justAgreed
  return { agreed: defined({ decision, votes }), atOnce }
}

/** Returns until when people held a change back on purpose, ms: `now` if they still did at the last look. */
export function heldUntilOf(found: FoundDifference, { nominal }: DueChange): number | undefined {
  const { reconcileState: before, occurrence, rules, now } = found
  // A stop announced for the end of a pause, which somebody ended sooner.
  const wasLater = before?.state === 'asked' && before.occurrence !== occurrence && before.at > nominal
  const isHeld = before?.state === 'held' || wasLater || rules.freeze !== null || isNew(found, nominal)
  return isHeld ? now : before?.occurrence === occurrence ? before.heldUntil : undefined
}

/** A start with the replicas and the reason of the line that made the rule; a schedule's with the replicas it had before. */
async function startOf(services: Services, { endpoint, by, rules, now }: DueRequest, made: string | null) {
  const { id } = endpoint
  if (made === null) {
    const replicas = await replicasBefore(services, id)
    return { line: services.commands.write('start', { endpoint: id, replicas }), rule: ruleText(by) }
  }
  const { replicas, because } = services.commands.operation(made).values
  const line = services.commands.write('start', { endpoint: id, replicas, because })
  const next = nextChange(rules, now)
  return { line, rule: next?.want === 'down' ? say('once.runsUntil', { until: { at: next.at } }) : '' }
}

/** A stop, without the reason of the line that made the rule: why it was started is not why it stops. */
async function stopOf(services: Services, { endpoint, by, rules, due, now }: DueRequest, made: string | null) {
  const stays = staysStopped(rules, now)
  const rule = stays === '' ? ruleText(by) : [ruleText(by), stays]
  const zone = await zoneOf(services, by)
  return {
    line: services.commands.write('stop', { endpoint: endpoint.id }),
    rule: made === null ? rule : '',
    costs: await costsOfLeaving(services, endpoint, rules, { via: 'schedule', due, zone }),
  }
}

/** Corrects the card of a change that was skipped or paused: nothing holds it any more, or it is announced again. */
export async function noteOnKept(services: Services, id: string, now: number): Promise<void> {
  const before = await services.store.load(id)
  const was = before?.ending
  // The card of a skipped start names no end.
  const hasHold = was?.keptBy !== undefined || (before?.costs && isSkipped(before) && before.costs.unpaused !== true)
  if (before === null || was === undefined || !hasHold) return
  const hold = recordOn(await services.store.records(), 'hold', before.endpoint?.id ?? '')
  const isAgain = now < (untilIn(was.says) ?? Number.POSITIVE_INFINITY) && now >= (hold?.until ?? 0)
  if (!isAgain && was.offers === undefined) return
  const note = async (other: ClaimedRequest) => {
    const { offers: _, ...ending } = other.request.ending ?? was
    return other.move({ ...other.request, ending: { ...ending, ...(isAgain && { again: true }) } }, [])
  }
  // A worker that shows the card holds it for a moment.
  for (let tries = 0; tries < 6 && (await actOn(services, id, note)) === null; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200))
}
