import type { Command } from '../../core/commands/commands.ts'
import type { ChangeContext, Changing, Operation } from '../../core/commands/define.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { type Plan, progressOf, waitFor } from '../../core/model/plan.ts'
import type { Policy, PolicyDecision, Standing } from '../../core/model/policy.ts'
import { type AnswersGiven, type DailyPreview, mostAsks } from '../../core/model/question.ts'
import {
  type Change,
  endsLockdown,
  freezeAt,
  keyOf,
  lockdownIn,
  type Records,
  replacedBy,
  startsAtOnce,
  withoutLookedHolds,
} from '../../core/model/records.ts'
import { type Ending, isAutomatic, type Request } from '../../core/model/request.ts'
import { names } from '../../core/model/roles.ts'
import { reasonIn, say, type Words } from '../../core/model/words.ts'
import {
  asProposal,
  endsItself,
  unfitFence,
  unmatchedFence,
  whyNotThrough,
  whyTooFew,
} from '../../core/policy/programs.ts'
import {
  agreementDigest,
  endpointStanding,
  entryText,
  evaluateChange,
  evaluatePolicy,
  protectedBy,
  whyOf,
} from '../../core/policy/requirement.ts'
import type { Services } from '../../core/ports/services.ts'
import { lookUpPerson, unfitOwner } from '../../core/requests/authorize.ts'
import { partNeededFor, type ReadOfOne, readEndpoint } from '../../core/requests/find-endpoint.ts'
import { withStandIn } from '../../features/approvals/stand-ins.ts'
import { hindsight } from '../../features/idle/backtest.ts'
import { lockedDown, lossTold } from '../../features/safeguards/lockdown.ts'
import { answersToRun } from '../../features/schedules/hand-in.ts'
import { agreedPreview, atOnce, previewDaysAfter, runCost } from '../../features/schedules/preview.ts'
import { rulebookOf } from '../../features/schedules/rules/rulebook.ts'

/** What would be done now, what agreement it needs, and the digest of everything that people agree to. */
export interface PlannedChange {
  readonly kind: 'plan'
  /** As just read, if the request is about an endpoint. */
  readonly endpoint?: Endpoint
  readonly plan: Plan
  /** The change to our own records, if there is one; `means` says what applies from then on. */
  readonly change?: Change
  readonly means?: Words
  /** What a new rule would do at once; '' if nothing. */
  readonly atOnce?: Words
  readonly records: Records
  /** Until when the first step waits for a call that may still arrive and would undo it, ms since 1970. */
  readonly waitsUntil?: number
  /** The coming days, if the request makes a weekly rule. */
  readonly preview?: readonly DailyPreview[]
  readonly standing: Standing
  readonly decided: PolicyDecision
  readonly agreed?: AnswersGiven
  readonly digest: string
  /** "It’s running with 3 replicas." */
  readonly why: Words
}

export interface Denial extends Pick<Ending, 'says' | 'holds' | 'offers'> {
  readonly kind: 'no'
  /** The request makes no sense in the endpoint's current state; `coming`: the endpoint is already starting. */
  readonly asItIs?: true | 'coming'
  /** As just read, with `asItIs`. */
  readonly endpoint?: Endpoint
  /** A read has not found the endpoint. */
  readonly gone?: true
}

type PlanningResult = PlannedChange | Denial | Extract<ReadOfOne, { readonly kind: 'later' }>

interface Basis {
  readonly records: Records
  readonly policy: Policy
  readonly endpoint: Endpoint | undefined
  /** The platform's message about an endpoint that no longer exists. */
  readonly gone?: Words
}

/** Reads the endpoint live and plans from what it shows. Called before the ask, and again before the first call. */
export async function makePlan(
  services: Services,
  request: Request,
  command: Command<Operation>,
): Promise<PlanningResult> {
  const result = await planFor(services, request, command)
  if (request.through === undefined || result.kind === 'later') return result
  const records = result.kind === 'plan' ? result.records : await services.store.records()
  const endpoint = result.kind === 'plan' ? result.endpoint : request.endpoint
  const why = whyNotThrough(request, command, { records, now: services.clock.now(), endpoint })
  if (why !== null) return { kind: 'no', says: why }
  // A question makes no call, so a workflow may ask it without an agreement.
  if (result.kind !== 'plan' || command.row.needsApproval === true || endsItself(request, command)) return result
  const decided = asProposal(result.decided, request)
  const few = whyTooFew(decided, request, services.policy())
  return few === null ? { ...result, decided } : { kind: 'no', says: few }
}

async function planFor(services: Services, request: Request, command: Command<Operation>): Promise<PlanningResult> {
  const { row, values } = command
  const about = request.endpoint
  const [records, read, late] = await Promise.all([
    services.store.records(),
    about === undefined ? undefined : readEndpoint(services, about.id, 'half'),
    about === undefined ? null : services.store.lateOf(about.id),
  ])
  const lockdown = lockdownIn(records)
  // While people are asked, a lockdown may end and a rejected key may be fixed.
  const isAsked = request.status === 'awaiting'
  if (lockdown !== null && row.safe !== true) return { kind: isAsked ? 'later' : 'no', says: lockedDown(lockdown.why) }
  if (read?.kind === 'later') return read
  if (read?.kind === 'no' && isAsked) return { kind: 'later', says: read.says }
  const policy = services.policy()
  const changes = row.change !== undefined && (row.laterBy === undefined || row.laterBy(values))
  if (read?.kind === 'gone' && about !== undefined && changes) {
    const gone = { endpoint: { ...about, active: null }, gone: read.says }
    return planChange(services, request, command, { records, policy, ...gone })
  }
  if (read !== undefined && read.kind !== 'read') {
    const says = say('endpoint.refused', { name: about?.name ?? '', why: read.says })
    return { kind: 'no', says, ...(read.kind === 'gone' && { gone: true }) }
  }
  const endpoint = read?.endpoint
  // Names are looked up in a list that may be old, but the live read has the current name.
  const isNamed = endpoint === undefined || [endpoint.id, endpoint.name].includes(String(values['endpoint']))
  // A read without a name shows no other one.
  const hasName = endpoint !== undefined && endpoint.name !== endpoint.id
  if (hasName && !isNamed && request.status === 'received')
    return { kind: 'no', says: say('endpoint.renamed', { name: endpoint.name }) }
  if (changes) return planChange(services, request, command, { records, policy, endpoint })
  if (endpoint === undefined) throw new Error(`${row.name} needs an endpoint.`)
  const planned = planCalls(command, endpoint, policy, records)
  if (planned.kind !== 'plan') return planned
  const [step] = planned.plan
  const waitsUntil = step === undefined ? null : waitFor(late, step, services.clock.now())
  const whole = waitsUntil === null ? planned : { ...planned, waitsUntil }
  if (!isAutomatic(request)) return whole
  const run = await answersToRun(services, request, whole)
  const begun = { ...whole, ...(run && { agreed: run.agreed }) }
  if (run?.atOnce === true) return { ...begun, decided: { ...whole.decided, requirement: 'nothing' } }
  return asNotice(begun, request, row.wants === 'down')
}

/** Plans a command's calls on its endpoint as just read. */
function planCalls(
  { row, values }: Command<Operation>,
  endpoint: Endpoint,
  policy: Policy,
  records: Records,
): PlanningResult {
  if (endpoint.active === null) return { kind: 'later', says: say('plan.stateUnknown') }
  const plan = row.steps(values, endpoint)
  // A stop needs only `is_active`. Every other plan needs the whole read.
  if (endpoint.problem !== undefined && plan.some((step) => partNeededFor(step) === 'whole'))
    return { kind: 'later', says: endpoint.problem }
  const senseless = row.unless(endpoint, values, policy.bounds)
  if (senseless !== false) {
    const holds = plan.every(({ goal }) => progressOf(goal, endpoint) === 'reached')
    const asItIs = row.wants === 'up' && progressOf('serving', endpoint) === 'coming' ? 'coming' : true
    const offers = row.instead?.(endpoint, values) ?? []
    return { kind: 'no', says: senseless, asItIs, endpoint, ...(holds && { holds }), offers }
  }
  const standing = endpointStanding(endpoint, policy, records)
  return {
    kind: 'plan',
    endpoint,
    plan,
    records,
    standing,
    decided: evaluatePolicy(policy, row.impact(values, { endpoint }), standing, endpoint),
    digest: agreementDigest([row.name, endpoint.id, plan, standing]),
    why: whyOf(endpoint, standing),
  }
}

/** Announces a rule's request, because people agreed to the rule. On a protected endpoint it is refused. */
function asNotice(planned: PlannedChange, { reason }: Request, isStop: boolean): PlanningResult {
  const { decided, standing, endpoint } = planned
  if (isStop && standing === 'protected')
    return { kind: 'no', says: say('plan.protected', { name: endpoint?.name ?? '' }) }
  if (decided.requirement === 'refusal' || (!isStop && decided.requirement === 'nothing')) return planned
  const why = [planned.why, reason ?? '']
  return { ...planned, why, decided: { ...decided, requirement: 'notice' } }
}

/** Plans a row's change to our own records. Times count from the moment of the request. */
async function planChange(
  services: Services,
  request: Request,
  { row, values }: Command<Operation>,
  basis: Basis,
): Promise<PlanningResult> {
  const { records, policy, endpoint } = basis
  const context = await contextOf(services, request, basis)
  if (context === null) return { kind: 'later', says: say('role.unchecked') }
  const { now } = context
  const meant = row.change?.(values, context)
  if (meant === undefined) throw new Error(`${row.name} changes no record.`)
  const written =
    basis.gone === undefined || 'wrong' in meant ? meant : takingAway(meant, endpoint?.name ?? '', basis.gone)
  if ('wrong' in written) {
    const form = { label: say('form.open'), line: request.line, opens: 'form' } as const
    const offers = written.mistyped && { offers: [written.mistyped === true ? form : written.mistyped] }
    return { kind: 'no', says: written.wrong, ...(written.holds && { holds: true }), ...offers }
  }
  const change = await withStandIn(services, written.change)
  if ('wrong' in change) return { kind: 'no', says: change.wrong }
  const unfit = (await unfitOwner(services, request, change)) ?? unfitFence(services, change)
  if (unfit !== null) return { kind: 'no', says: unfit }
  // A rule that may stop an endpoint is judged as the stop of a running one, whatever it does now; a run as its start.
  const seen = endpoint === undefined ? 'active' : endpointStanding(endpoint, policy, records)
  const standing: Standing = seen === 'dormant' && !startsAtOnce(change) ? 'active' : seen
  const decided = evaluateChange(row, change, policy, row.impact(values, context), standing, endpoint)
  const [from, agreed] = [request.receivedAt, withoutLookedHolds(change, records)]
  const past =
    (await unmatchedFence(services, change)) ||
    (await hindsight(services, change)) ||
    (await runCost(services, change, { ...basis, now: from }, values))
  const isAsked = decided.requirement !== 'nothing'
  const paused = change.drop?.includes('freeze') === true ? freezeAt(records, now) : null
  const reason = paused && say('plan.frozenReason', { by: { person: paused.by }, ...reasonIn(paused.because) })
  const halted = endsLockdown(change) ? (lockdownIn(records)?.why ?? '') : (reason ?? '')
  const why = endpoint === undefined ? halted : whyOf(endpoint, standing)
  return {
    kind: 'plan',
    ...(endpoint && { endpoint }),
    plan: [],
    change,
    atOnce: atOnce(change, { ...basis, now }),
    means: isAsked ? written.means : [written.means, past],
    records,
    preview: previewDaysAfter(change, { ...basis, now }, context.zone),
    standing,
    decided,
    digest: agreementDigest([
      row.name,
      endpoint?.id ?? null,
      agreed,
      ...agreedPreview(change, { ...basis, now: from }, mostAsks * decided.asking.expires),
      // If a record that the change replaces has changed, people are asked again.
      ...replacedBy(agreed, records, null),
    ]),
    why: isAsked ? [why, past] : why,
  }
}

/** Returns what the request's change is made from. Null if the requester could not be looked up. */
async function contextOf(services: Services, request: Request, basis: Basis): Promise<ChangeContext | null> {
  const [asker, zone] = await Promise.all([
    lookUpPerson(services, request.actor, request.place),
    services.people.zoneOf(request.actor),
  ])
  if (asker === null) return null
  const now = services.clock.now()
  const loss = lockdownIn(basis.records) === null ? undefined : await lossTold(services)
  const undone = request.undoes === undefined ? null : await services.store.load(request.undoes)
  const mayHaveToken = basis.policy.tokens.some((one) => names(one, asker.person))
  return changeContext(basis, {
    id: request.id,
    operationsChannel: services.operationsChannel() !== undefined,
    by: request.actor,
    role: asker.role,
    at: request.receivedAt,
    now,
    zone: zone ?? 'UTC',
    tokenDigest: mayHaveToken ? services.tokens.digestOf(request.id) : undefined,
    ...(loss && { loss }),
    ...(undone && { undone }),
  })
}

/** Allows only removals for a deleted endpoint: records may be dropped but not added. */
function takingAway(made: Exclude<Changing, { readonly wrong: Words }>, name: string, says: Words): Changing {
  const { put = [], drop = [] } = made.change
  const off = put.filter((record) => record.kind === 'idle' && record.mode === 'off')
  if (off.length < put.length) return { wrong: say('endpoint.refused', { name, why: says }) }
  return { change: { drop: [...drop, ...off.map(keyOf)] }, means: made.means }
}

export function changeContext(
  { records, policy, endpoint }: Basis,
  by: Omit<ChangeContext, 'endpoint' | 'records' | 'automation' | 'bounds' | 'protectedBy' | 'rules'>,
): ChangeContext {
  const entry = endpoint === undefined ? null : protectedBy(policy, endpoint)
  const place = entry === null ? null : entryText(entry)
  const rules = endpoint && rulebookOf(records, policy, by.at).of(endpoint)
  return { ...by, endpoint, records, rules, protectedBy: place, automation: policy.automation, bounds: policy.bounds }
}
