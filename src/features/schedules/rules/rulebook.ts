import { fits } from '../../../core/model/automation.ts'
import type { Endpoint } from '../../../core/model/endpoint.ts'
import type { Policy } from '../../../core/model/policy.ts'
import { type Freeze, freezeAt, isRule, type Records, type StoredRecord } from '../../../core/model/records.ts'
import type { Hold, OneOff, Rules, WeeklyRule } from '../../../core/model/rules.ts'
import { protectedBy } from '../../../core/policy/requirement.ts'
import type { Services } from '../../../core/ports/services.ts'

interface Own {
  readonly weekly: WeeklyRule[]
  readonly once: OneOff[]
  readonly holds: Hold[]
}

export type Rulebook = Readonly<ReturnType<typeof rulebookOf>>

const nobody: ReadonlySet<string> = new Set()
const none: Own = { weekly: [], once: [], holds: [] }

/** Builds the rulebook of these records, without the rules of `resting` (user ids). */
export function rulebookOf(records: Records, policy: Policy, now: number, resting: ReadonlySet<string> = nobody) {
  const { team, holidays: skip } = policy.automation
  const frozen = freezeAt(records, now)
  // Whatever is stored has been made: a later time only means that the clock was set back.
  const freeze = frozen === null ? null : { at: Math.min(frozen.at, now), until: frozen.until }
  const own = new Map<string, Own>()
  const shielded = new Set<string>()
  for (const record of records.values()) {
    if (record.kind === 'protection') shielded.add(record.endpoint)
    else if (!(isRule(record) && resting.has(record.owner.user))) add(record)
  }

  function add(record: StoredRecord): void {
    if (!(isRule(record) || record.kind === 'hold') || record.endpoint === null) return
    const known = own.get(record.endpoint) ?? { weekly: [], once: [], holds: [] }
    own.set(record.endpoint, known)
    if (record.kind === 'hold') known.holds.push(record.at > now ? { ...record, at: now } : record)
    else if (record.kind === 'once') known.once.push(record)
    else known.weekly.push(record)
  }

  return {
    /** Endpoints with rules of their own, by id. */
    own: own as ReadonlyMap<string, Own>,
    of(endpoint: Pick<Endpoint, 'id' | 'name' | 'tags' | 'autoscaled'>): Rules {
      const { weekly, once, holds } = own.get(endpoint.id) ?? none
      const teams = team.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))?.rules ?? []
      const all = teams.length === 0 ? weekly : [...weekly, ...teams]
      return {
        // An autoscaled endpoint is left to the platform, unless a rule says otherwise.
        weekly: endpoint.autoscaled === true ? all.filter((rule) => rule.autoscaled) : all,
        once,
        holds,
        skip,
        protected: shielded.has(endpoint.id) || protectedBy(policy, endpoint) !== null,
        freeze,
        notice: policy.automation.notice,
      }
    },
  }
}

/** What a rulebook with all rules was built from. */
interface Built {
  readonly policy: Policy
  readonly frozen: Freeze | null
  /** ms since 1970. */
  readonly at: number
  readonly book: Rulebook
}

const built = new WeakMap<Records, Built>()

/** Returns the rulebook of these records, with the rules that rest, cached while they stay the same. */
export function bookFor(services: Pick<Services, 'policy' | 'clock'>, records: Records): Rulebook {
  const [policy, now] = [services.policy(), services.clock.now()]
  const [frozen, known] = [freezeAt(records, now), built.get(records)]
  if (known?.policy === policy && known.frozen === frozen && known.at <= now) return known.book
  const book = rulebookOf(records, policy, now)
  built.set(records, { policy, frozen, at: now, book })
  return book
}
