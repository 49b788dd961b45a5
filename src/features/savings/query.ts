import type { Savings } from '../../core/model/answer.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import type { Asked, OwnOutcome } from '../../core/ports/query.ts'
import type { House } from '../../core/ports/services.ts'
import { spanOf } from '../../core/time/format.ts'
import { instantOf, localAt } from '../../core/time/zone.ts'
import { usualSpan } from './command.ts'
import { savingsOf } from './compute.ts'
import { pricesNow } from './prices.ts'
import { stopsIn } from './stops.ts'

/** Requests read at once, and looked through in all. */
const most = { read: 100, searched: 10_000 } as const
/** A stop counts so long, and may have been before the time that is asked about. ms */
const longest = 7 * 24 * 3_600_000
const dayMs = 86_400_000

/**
 * What was saved in the time somebody asks about, with the endpoints as they are now; where the platform does not
 * answer, as they were last listed. Days are calendar days of the team's zone: 7d is today and the six before, and in
 * the weekly report the seven that are over.
 */
export async function savingsAsked(house: House, { values, request }: Asked): Promise<OwnOutcome<Savings>> {
  const days = Math.round((spanOf(String(values['over'] ?? usualSpan)) ?? 0) / dayMs)
  const listed = await house.platform.list()
  const now = house.clock.now()
  if (listed.kind === 'answered') await house.store.rememberNames(listed.answer, now)
  const over = daysOver(house, days)
  const zone = house.policy().automation.zone ?? 'UTC'
  const time = isAutomatic(request) ? over : { from: instantOf(localAt(now, zone).day - days + 1, 0, zone), to: now }
  return { kind: 'answered', answer: await savedIn(house, time) }
}

/** The last so many days that are over on the team's clocks, as instants (ms). */
export function daysOver(
  { clock, policy }: Pick<House, 'clock' | 'policy'>,
  days: number,
): { readonly from: number; readonly to: number } {
  const zone = policy().automation.zone ?? 'UTC'
  const today = localAt(clock.now(), zone).day
  return { from: instantOf(today - days, 0, zone), to: instantOf(today, 0, zone) }
}

/**
 * What was saved between two instants (ms), at the prices of now, from what is stored: requests tell of stops and
 * starts made here; of those made elsewhere only their traces are known (see `stopsIn`). Of more requests than `searched`
 * the newest count, and the rest is left out.
 */
export async function savedIn(
  { store, policy }: Pick<House, 'store' | 'policy'>,
  { from, to }: { readonly from: number; readonly to: number },
  searched: number = most.searched,
): Promise<Savings> {
  const requests: Request[] = [...(await store.open())]
  for (let at = 0; at < searched; at += most.read) {
    const page = await store.past(from - longest, at, most.read)
    requests.push(...page.requests)
    if (!page.more) break
  }
  const [records, listed] = await Promise.all([store.records(), store.names()])
  const holds = [...records.values()].filter((record) => record.kind === 'hold')
  const { automation } = policy()
  const prices = await pricesNow({ policy, store })
  const time = { from, now: to, zone: automation.zone ?? 'UTC' }
  return savingsOf(stopsIn(requests, { listed, holds }), time, prices)
}
