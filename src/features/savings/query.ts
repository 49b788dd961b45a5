import { causes, type Savings } from '../../core/model/query-answer.ts'
import type { Request } from '../../core/model/request.ts'
import { policyFile } from '../../core/model/roles.ts'
import type { Reports } from '../../core/ports/request-store.ts'
import type { OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import { receiveFromRule, ruleRequestId } from '../../core/requests/receive.ts'
import { type Day, dateText, firstOfMonth, weekdayOf } from '../../core/time/calendar.ts'
import { instantOf, localAt } from '../../core/time/zone.ts'
import { daysIn, lastMonth, lastWeek, savingsAnswer, thisMonth, thisWeek } from './command.ts'
import { longestSaving, savingsOf } from './compute.ts'
import { pricesNow, runningCost } from './prices.ts'
import { stopsIn } from './stops.ts'

const most = { read: 100, searched: 10_000 } as const

/** Returns the savings of calendar days in the team's zone: 7d is today and the six days before, unlike this or last week. */
export async function savingsAsked(services: Services, { values }: QueryInput): Promise<OwnOutcome<Savings>> {
  const listed = await services.platform.list()
  const now = services.clock.now()
  if (listed.kind === 'answered') await services.store.rememberNames(listed.answer, now)
  const zone = services.policy().automation.zone ?? 'UTC'
  const over = values['over']?.toString()
  const { day } = localAt(now, zone)
  const monday = day - weekdayOf(day)
  const [first, end] =
    over === lastWeek
      ? [monday - 7, monday]
      : over === lastMonth
        ? [firstOfMonth(day, 1), firstOfMonth(day, 0)]
        : [over === thisWeek ? monday : over === thisMonth ? firstOfMonth(day, 0) : day - daysIn(over) + 1, null]
  const to = end === null ? now : instantOf(end, 0, zone)
  const saved = await savedIn(services, { from: instantOf(first, 0, zone), to })
  const running = listed.kind === 'answered' ? runningCost(await pricesNow(services), listed.answer) : null
  return { kind: 'answered', answer: running === null ? saved : { ...saved, running } }
}

/** Returns the savings between two instants (ms), at today's prices, of the newest `searched` requests. */
export async function savedIn(
  { store, policy }: Pick<Services, 'store' | 'policy'>,
  { from, to }: { readonly from: number; readonly to: number },
  searched: number = most.searched,
): Promise<Savings> {
  const requests: Request[] = [...(await store.open())]
  let cut = false
  for (let at = 0; at < searched; at += most.read) {
    // A stop before `from` may still save after it.
    const page = await store.past(from - longestSaving, at, most.read)
    requests.push(...page.requests)
    cut = page.more
    if (!cut) break
  }
  const [records, listed, prices] = await Promise.all([store.records(), store.names(), pricesNow({ policy, store })])
  const stops = requests.filter(({ plan }) => plan?.at(-1)?.goal === 'stopped')
  const stopped = new Set(stops.map(({ endpoint }) => endpoint?.id ?? ''))
  const looks = [...stopped].map(async (id) => [id, (await store.watchedOf(id)) ?? { segments: [] }] as const)
  const watched = new Map(await Promise.all(looks))
  const holds = [...records.values()].filter((record) => record.kind === 'hold')
  const zone = policy().automation.zone ?? 'UTC'
  return { ...savingsOf(stopsIn(requests, { listed, holds, watched }), { from, now: to, zone }, prices), cut }
}

/** How often workers check whether a report is due, ms. */
export const reportEvery = 60_000

/** Mondays at nine, in the team's zone. */
const nine = 9 * 60
/** A report later than this is skipped, ms. */
const latest = 12 * 3_600_000

/** Submits the report on last week with its answer, once a week, if anything was saved. */
export async function weeklyReport(services: Services, reports: Reports): Promise<void> {
  const now = services.clock.now()
  const zone = services.policy().automation.zone ?? 'UTC'
  const monday = newestDue(now, zone)
  const newest = await reports.newest()
  if (newest === dateText(monday)) return
  const channel = services.operationsChannel()
  if (newest !== null && channel !== undefined && now - instantOf(monday, nine, zone) <= latest) {
    const saved = await savedIn(services, { from: instantOf(monday - 7, 0, zone), to: instantOf(monday, 0, zone) })
    if (causes.some((cause) => saved.total[cause].hours > 0)) {
      const received = await receiveFromRule(services, channel, {
        id: ruleRequestId(services, 'report', dateText(monday)),
        kind: 'query',
        line: `savings ${lastWeek}`,
        actor: policyFile,
        via: 'schedule',
        open: true,
        shown: savingsAnswer(saved, lastWeek),
        receivedAt: now,
      })
      if (received.kind === 'nothing' || received.kind === 'perhaps') throw new Error('The report could not be stored.')
    }
  }
  await reports.note(dateText(monday))
}

/** Returns the Monday of the most recent report time. */
function newestDue(now: number, zone: string): Day {
  const { day, minute } = localAt(now, zone)
  const weekday = weekdayOf(day)
  return day - weekday - (weekday === 0 && minute < nine ? 7 : 0)
}
