import type { Command } from '../../core/commands/commands.ts'
import type { Changing, Ground, Operation } from '../../core/commands/define.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { mostAsks } from '../../core/model/limits.ts'
import type { Exposure, Policy } from '../../core/model/policy.ts'
import { type Change, endsLockdown, freezeAt, keyOf, lockdownIn, type Records } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { sentences } from '../../core/model/sentences.ts'
import { digestOf, exposureOf, whyOf } from '../../core/policy/exposure.ts'
import { demandOf, demandOfUnlocking, protectedBy } from '../../core/policy/requirement.ts'
import type { House } from '../../core/ports/services.ts'
import { standpointOf } from '../../core/requests/authorize.ts'
import { backtestWords } from '../../features/idle/backtest.ts'
import { damageTold } from '../../features/safeguards/lockdown.ts'
import { pricesNow } from '../../features/savings/prices.ts'
import { atOnce, comesTo, outlookAfter } from '../../features/schedules/preview.ts'
import type { Proposal, Proposed } from './proposal.ts'

interface Known {
  readonly records: Records
  readonly policy: Policy
  readonly endpoint: Endpoint | undefined
  /** What the platform says of an endpoint that it has no more. */
  readonly gone?: string
}

type Made = Exclude<Changing, { readonly wrong: string }>

/** What a row would change in our own records, made from what holds now. Times count from when it was asked for. */
export async function changing(
  house: House,
  request: Request,
  { row, values }: Command<Operation>,
  known: Known,
): Promise<Proposed> {
  const { records, policy, endpoint } = known
  const [asker, zone] = await Promise.all([
    standpointOf(house, request.actor, request.place),
    house.people.zoneOf(request.actor),
  ])
  if (asker === null) return { kind: 'later', says: sentences.cannotCheck }
  const lockdown = lockdownIn(records)
  const damage = lockdown === null ? undefined : await damageTold(house)
  const ground = groundOf(known, {
    id: request.id,
    operationsChannel: house.operationsChannel() !== undefined,
    by: request.actor,
    role: asker.role,
    at: request.receivedAt,
    zone: zone ?? 'UTC',
    ...(damage && { damage }),
  })
  const meant = row.change?.(values, ground)
  if (meant === undefined) throw new Error(`${row.name} changes no record.`)
  const made = known.gone === undefined || 'wrong' in meant ? meant : takingAway(meant, known.gone)
  const name = endpoint === undefined ? '' : `${endpoint.name}: `
  if ('wrong' in made) return { kind: 'no', says: `${name}${made.wrong}` }
  const stranger = await strangerIn(house, made.change)
  if (stranger !== null) return { kind: 'no', says: stranger }
  // A rule that may stop an endpoint is judged as a stop of an active one, whatever it does at this moment.
  const now = endpoint === undefined ? 'active' : exposureOf(endpoint, policy, records)
  const exposure: Exposure = now === 'dormant' ? 'active' : now
  const unlocks = endsLockdown(made.change)
  const demand = unlocks ? demandOfUnlocking(policy) : demandOf(policy, row.impact(values, ground), exposure, endpoint)
  const past = await hindsight(house, made.change)
  const isAsked = demand.requirement !== 'nothing'
  const [from, span] = [request.receivedAt, mostAsks * demand.asking.expires]
  const halted = unlocks ? (lockdown?.why ?? '') : frozen(records, house.clock.now())
  const why = endpoint === undefined ? halted : whyOf(endpoint, exposure)
  return {
    kind: 'plan',
    ...(endpoint && { endpoint }),
    plan: [],
    change: made.change,
    atOnce: atOnce(made.change, { ...known, now: house.clock.now() }),
    means: isAsked ? made.means : [made.means, past].join(' ').trim(),
    records,
    preview: outlookAfter(made.change, { ...known, now: house.clock.now(), zone: ground.zone }),
    exposure,
    demand,
    digest: digestOf([
      row.name,
      endpoint?.id ?? null,
      made.change,
      ...comesTo(made.change, { ...known, from, span }),
      ...replacing(made.change, records),
    ]),
    why: isAsked ? [why, past].join(' ').trim() : why,
  }
}

/** What it takes the place of, as it stands: whoever has agreed to that has not agreed to what came after it. */
function replacing({ put = [], drop = [] }: Made['change'], records: Records): readonly unknown[] {
  return [...put.map(keyOf), ...drop].flatMap((key) => records.get(key) ?? [])
}

/** About what is gone nothing new is laid down; whatever is, can be taken away. */
function takingAway({ change: { put = [], drop = [] }, means }: Made, says: string): Changing {
  const off = put.filter((record) => record.kind === 'idle' && record.mode === 'off')
  if (off.length < put.length) return { wrong: `${says} Nothing was done.` }
  return { change: { drop: [...drop, ...off.map(keyOf)] }, means }
}

/** What a row makes its change from, seen by somebody. */
export function groundOf(
  { records, policy, endpoint }: Known,
  by: Omit<Ground, 'endpoint' | 'records' | 'automation' | 'bounds' | 'protectedBy'>,
): Ground {
  const held = endpoint === undefined ? null : protectedBy(policy, endpoint)
  return { ...by, endpoint, records, protectedBy: held, automation: policy.automation, bounds: policy.bounds }
}

function frozen(records: Records, now: number): string {
  const freeze = freezeAt(records, now)
  return freeze?.because === undefined ? '' : `It is frozen because: “${freeze.because}”.`
}

/** Nobody is stood in for by somebody who could never approve. */
async function strangerIn(house: House, { put = [] }: NonNullable<Proposal['change']>): Promise<string | null> {
  for (const record of put) {
    if (record.kind !== 'away') continue
    const person = await house.people.who(record.to)
    if (person === null) return sentences.cannotCheck
    if (person.standing !== 'full') return 'A stand-in has to be a full member of this workspace. Nothing was done.'
  }
  return null
}

/** What a change of the idle watch would have done lately, as far as anybody looked; empty for any other change. */
async function hindsight(house: House, { put = [] }: Change): Promise<string> {
  const rule = put.find(({ kind }) => kind === 'idle')
  if (rule?.kind !== 'idle' || rule.mode === 'off') return ''
  const [watched, listed] = await Promise.all([house.store.watchedOf(rule.endpoint), house.store.names()])
  const { segments = [] } = watched ?? {}
  const prices = await pricesNow(house)
  const gpu = listed?.endpoints.find(({ id }) => id === rule.endpoint)?.gpu ?? ''
  return backtestWords(segments, rule, house.clock.now(), {
    replicas: Math.max(1, segments.at(-1)?.evidence.replicas ?? 1),
    perHour: prices.perHour.get(gpu),
    currency: prices.currency,
  })
}
