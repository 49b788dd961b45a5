import type { Savings } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Request } from '../../core/model/request.ts'
import type { OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import { instantOf, localAt } from '../../core/time/zone.ts'
import { daysIn } from './command.ts'
import { longestSaving, savingsOf } from './compute.ts'
import { perHourOf, pricesNow } from './prices.ts'
import { stopsIn } from './stops.ts'

const most = { read: 100, searched: 10_000 } as const

/** What was saved in the last days, as calendar days of the team's zone: 7d is today and the six days before. */
export async function savingsAsked(services: Services, { values }: QueryInput): Promise<OwnOutcome<Savings>> {
  const listed = await services.platform.list()
  const now = services.clock.now()
  if (listed.kind === 'answered') await services.store.rememberNames(listed.answer, now)
  const zone = services.policy().automation.zone ?? 'UTC'
  const first = localAt(now, zone).day - daysIn(values['over']?.toString()) + 1
  const saved = await savedIn(services, { from: instantOf(first, 0, zone), to: now })
  const running = listed.kind === 'answered' ? await runningCost(services, listed.answer) : null
  return { kind: 'answered', answer: running === null ? saved : { ...saved, running } }
}

/** What an hour of all running endpoints costs; null if one of them has no price. */
async function runningCost(services: Services, endpoints: readonly Endpoint[]): Promise<number | null> {
  const prices = await pricesNow(services)
  const costs = endpoints.filter(({ active }) => active !== false).map((endpoint) => perHourOf(prices, endpoint))
  return costs.every((cost) => cost !== null) ? costs.reduce((sum, cost) => sum + cost, 0) : null
}

/** What was saved between two instants (ms), at today's prices, by the newest `searched` requests. */
export async function savedIn(
  { store, policy }: Pick<Services, 'store' | 'policy'>,
  { from, to }: { readonly from: number; readonly to: number },
  searched: number = most.searched,
): Promise<Savings> {
  const requests: Request[] = [...(await store.open())]
  for (let at = 0; at < searched; at += most.read) {
    // A stop before `from` may still save something after it.
    const page = await store.past(from - longestSaving, at, most.read)
    requests.push(...page.requests)
    if (!page.more) break
  }
  const [records, listed, prices] = await Promise.all([store.records(), store.names(), pricesNow({ policy, store })])
  const holds = [...records.values()].filter((record) => record.kind === 'hold')
  const zone = policy().automation.zone ?? 'UTC'
  return savingsOf(stopsIn(requests, { listed, holds }), { from, now: to, zone }, prices)
}
