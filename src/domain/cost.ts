import type { Prices } from './automation.ts'
import type { Endpoint } from './endpoint.ts'
import { readWhen } from './when.ts'

/**
 * What it costs to leave an endpoint up, for each way to do so: "2.25 USD"; of a morning, which is not everybody's at the
 * same time, in round numbers. Absent where nobody knows until when.
 */
export interface Costs {
  readonly skip?: string
  readonly hour: string
  readonly morning?: string
}

/** Where the endpoint would be stopped, and what the choice is about. Instants in ms. */
interface Choice {
  /** When people are told: tomorrow is meant from then. */
  readonly now: number
  readonly due: number
  /** When the rules change their mind by themselves, if it is not stopped. */
  readonly until: number | null
  /** In which a morning is meant. */
  readonly zone: string | null
}

const hour = 3_600_000

/** The costs of leaving an endpoint up; null where the policy has no price for its GPU, or nobody knows its replicas. */
export function costsOf(
  prices: Prices,
  { gpu = '', replicas }: Pick<Endpoint, 'gpu' | 'replicas'>,
  { now, due, until, zone }: Choice,
): Costs | null {
  const price = prices.perHour.get(gpu)
  if (price === undefined || replicas === undefined) return null
  const perHour = price * replicas
  const cost = (ms: number, digits = 2) => `${((perHour * ms) / hour).toFixed(digits)} ${prices.currency}`
  const morning = zone === null ? null : readWhen('tomorrow 09:00', now, zone)
  return {
    ...(until !== null && { skip: cost(until - due) }),
    hour: cost(hour),
    ...(morning !== null &&
      'at' in morning &&
      morning.at > due && { morning: cost(morning.at - due, perHour < 1 ? 2 : 0) }),
  }
}
