import { defined } from '../../core/model/defined.ts'
import { asStarted, type Endpoint } from '../../core/model/endpoint.ts'
import type { Plan } from '../../core/model/plan.ts'
import { type Change, freezeAt, isRule, onceIn, type Records, recordOn } from '../../core/model/records.ts'
import { beginWork, type Note, type Request } from '../../core/model/request.ts'
import type { Actor } from '../../core/model/roles.ts'
import { otherKeepers } from '../../core/model/rules.ts'
import { idOf, type Sentence, say, type Words } from '../../core/model/words.ts'
import { isStricter, protectionOf } from '../../core/policy/requirement.ts'
import type { Services } from '../../core/ports/services.ts'
import { unableTo } from '../../core/requests/awaited.ts'
import { phraseOrSkip } from '../../core/requests/in-words.ts'
import { nextAsk, nextLookAt, subjectEnd } from '../../features/approvals/question.ts'
import { standInsFor } from '../../features/approvals/stand-ins.ts'
import { hourlyCost, pricesNow } from '../../features/savings/prices.ts'
import type { PlannedChange } from './plan.ts'

/** Returns the request with its plan, ready to run or waiting for people. */
export async function withPlan(services: Services, request: Request, planned: PlannedChange): Promise<Request> {
  const { endpoint, plan, change, preview = [], standing, decided, digest, records } = planned
  const at = services.clock.now()
  const { decision, votes, agreed: _, means: __, tries: ___, ...undecided } = request
  const unasked = {
    ...undecided,
    ...(endpoint && { endpoint: { ...request.endpoint, id: endpoint.id, name: endpoint.name } }),
    plan,
    ...(change && { change, means: meansOf(planned) }),
    ...(preview.length > 0 && { preview }),
    exposure: standing,
    requirement: decided.requirement,
    digest,
    policy: services.policy().version,
    ...(planned.agreed?.decision && { agreed: planned.agreed }),
  }
  if (decided.requirement === 'nothing') {
    return { ...unasked, ...defined({ decision, votes }), ...beginWork(plan, at, planned.waitsUntil) }
  }
  const guard = endpoint === undefined ? undefined : protectionOf(endpoint, services.policy(), records)
  const [standIns, unable] =
    decided.requirement === 'approval'
      ? await Promise.all([
          standInsFor(services, request, decided.asking, records),
          unableTo(services, request, decided.asking),
        ])
      : [null, []]
  const again = againText(request, planned)
  const told = await toldWith(services, request, planned)
  const more = {
    ...(told.added > 0 && change === undefined && { adds: true as const }),
    ...defined({ why: told.why, again, guard: guard ?? undefined }),
    ...subjectEnd(change, records, at),
    ...(standIns !== null && standIns.length > 0 && { standIns }),
    ...(unable.length > 0 && { unable }),
  }
  const ask = nextAsk(unasked, decided, more, at)
  const notes = [...request.notes, ...againNotes(request, again)]
  const waiting = { status: 'awaiting', ask, notes, nextAt: nextLookAt(ask, at) } as const
  return { ...unasked, ...(told.means.length > 0 && { means: told.means }), ...waiting }
}

/** Returns what people read beside the question: the current state and what a yes means. `added`: replicas. */
export async function toldWith(services: Services, request: Request, planned: PlannedChange) {
  const { endpoint, plan, change, records, why } = planned
  const now = services.clock.now()
  const starts = idOf(planned.atOnce ?? '') === 'schedule.startsNow'
  const { values } = services.commands.operation(request.line)
  const begun = (one: Endpoint) => asStarted(one, values).replicas ?? 0
  const added = endpoint === undefined ? 0 : starts ? begun(endpoint) : addedBy(plan, endpoint)
  const hour = endpoint && added > 0 ? hourlyCost(await pricesNow(services))({ ...endpoint, replicas: added }) : 'none'
  const besides = [
    ...(endpoint === undefined || change !== undefined ? [] : keptTexts(records, endpoint.id, request.actor, now)),
    ...(hour === 'none' ? [] : [say('ask.costsMore', { hour })]),
  ]
  return {
    added,
    why: [why, endpoint === undefined ? '' : frozenText(records, now, change), await undoneText(services, request)],
    means: [...(change === undefined ? [] : meansOf(planned)), ...(besides.length === 0 ? [] : [besides])],
  }
}

/** Returns how many replicas a plan adds; 0 if it also takes some down. */
function addedBy(plan: Plan, { active, replicas }: Pick<Endpoint, 'active' | 'replicas'>): number {
  const goal = plan.at(-1)?.goal ?? ''
  const to = goal === 'serving' ? replicas : /^(?:scaled|restored):(\d+)$/.exec(goal)?.[1]
  const before = active === true ? replicas : 0
  if (to === undefined || before === undefined || plan.some(({ goal }) => goal === 'stopped')) return 0
  return Math.max(0, Number(to) - before)
}

/** A `start … for` already says that it starts now. */
function meansOf({ atOnce = '', means = '', change }: PlannedChange): readonly Words[] {
  const isOnce = onceIn(change) !== undefined
  return [isOnce ? '' : atOnce, means].filter((part) => part !== '')
}

async function undoneText({ store, commands }: Services, { undoes }: Request): Promise<Words> {
  const undone = undoes === undefined ? null : await store.load(undoes)
  return undone === null ? '' : say('undo.asks', { line: phraseOrSkip(commands, undone) })
}

/** Says, to the people who are asked, who is keeping the endpoint as it is. */
function keptTexts(records: Records, endpoint: string, asker: Actor, now: number): readonly Sentence[] {
  const hold = recordOn(records, 'hold', endpoint)
  const keepers = hold === undefined ? [] : otherKeepers(hold, asker).filter(({ until }) => until > now)
  return keepers.map(({ by, until }) => say('rule.pausedBy', { by: { person: by }, until: { at: until } }))
}

/** Says that automation is frozen, so no rule will revert the change. A rule says this itself. */
function frozenText(records: Records, now: number, change: Change | undefined): Words {
  const freeze = freezeAt(records, now)
  if (freeze === null || change?.put?.some(isRule) === true) return ''
  return say('plan.frozen', { ends: freeze.until === null ? 'no' : 'yes', end: { at: freeze.until ?? 0 } })
}

/** "Please answer again: it now needs 3 approvals. The 2 earlier approvals no longer count." */
function againText(request: Request, { decided, digest }: PlannedChange): Words | undefined {
  const { decision, ask, requirement = 'nothing', votes = [] } = request
  if ((decision?.yes !== true && votes.length === 0) || ask === undefined) return undefined
  const isMore = isStricter(decided, { requirement, asking: ask.asking })
  const why = isMore ? 'stricter' : digest === request.digest ? 'others' : 'changed'
  const counted = decision?.glass === true ? 0 : votes.length
  const { needed } = decided.asking
  return say('plan.again', { why, requirement: decided.requirement, needed, votes: counted })
}

/** Tells the person who decided, privately, that the decision no longer counts. */
function againNotes({ id, ask, decision, place }: Request, says: Words | undefined): readonly Note[] {
  if (says === undefined || decision === undefined) return []
  return [{ id: `${id}.again.${ask?.n ?? 0}`, to: decision.by, channel: place.channel, says }]
}
