import { spanOf } from '../domain/duration.ts'
import type { Request } from '../domain/request.ts'
import { type Savings, savingsOf } from '../domain/savings.ts'
import { stopsIn } from '../domain/stopped.ts'
import { usualSpan } from '../operations/savings.ts'
import type { Asked, OwnOutcome } from './own.ts'
import type { House } from './ports.ts'
import { pricesNow } from './prices.ts'

/** Requests read at once, and looked through in all. */
const most = { read: 100, searched: 10_000 } as const
/** A stop counts so long, and may have been before the time that is asked about. ms */
const longest = 7 * 24 * 3_600_000

/**
 * What was saved in the time somebody asks about, with the endpoints as they are now; where the platform does not
 * answer, as they were last listed.
 */
export async function savingsAsked(house: House, { values }: Asked): Promise<OwnOutcome<Savings>> {
  const over = spanOf(String(values['over'] ?? usualSpan)) ?? 0
  const listed = await house.platform.list()
  const now = house.clock.now()
  if (listed.kind === 'answered') await house.store.rememberNames(listed.answer, now)
  return { kind: 'answered', answer: await savedSince(house, now - over) }
}

/**
 * What was saved from `since` (ms) until now, at the prices of now, from what is stored: requests tell of stops and
 * starts made here; of those made elsewhere only their traces are known (see `stopsIn`). Of more requests than `searched`
 * the newest count, and the rest is left out.
 */
export async function savedSince(
  { store, clock, policy }: Pick<House, 'store' | 'clock' | 'policy'>,
  since: number,
  searched: number = most.searched,
): Promise<Savings> {
  const requests: Request[] = [...(await store.open())]
  for (let at = 0; at < searched; at += most.read) {
    const page = await store.past(since - longest, at, most.read)
    requests.push(...page.requests)
    if (!page.more) break
  }
  const [records, listed] = await Promise.all([store.records(), store.names()])
  const holds = [...records.values()].filter((record) => record.kind === 'hold')
  const { automation } = policy()
  const prices = await pricesNow({ policy, store })
  const time = { from: since, now: clock.now(), zone: automation.zone ?? 'UTC' }
  return savingsOf(stopsIn(requests, { listed, holds }), time, prices)
}
