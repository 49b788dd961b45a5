import { causes } from '../../core/model/answer.ts'
import { policyFile } from '../../core/model/roles.ts'
import type { Reports } from '../../core/ports/request-store.ts'
import type { Services } from '../../core/ports/services.ts'
import { receiveFromRule, ruleRequestId } from '../../core/requests/receive.ts'
import { type Day, dateText, weekdayOf } from '../../core/time/calendar.ts'
import { instantOf, localAt } from '../../core/time/zone.ts'
import { savingsAnswer } from './command.ts'
import { savedIn } from './query.ts'

/** How often workers check whether a report is due, ms. */
export const reportEvery = 60_000

/** Mondays at nine, in the team's zone. */
const nine = 9 * 60
/** A report that is later than this is left out, ms. */
const latest = 12 * 3_600_000

/** Hands in the report on the last seven days with its answer, once a week, if anything was saved. */
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
        line: services.commands.write('savings', { over: '7d' }),
        actor: policyFile,
        via: 'schedule',
        open: true,
        shown: savingsAnswer(saved, '7d'),
        receivedAt: now,
      })
      if (received.kind === 'nothing' || received.kind === 'perhaps') throw new Error('The report could not be stored.')
    }
  }
  await reports.note(dateText(monday))
}

/** The Monday of the last report time that has passed. */
function newestDue(now: number, zone: string): Day {
  const { day, minute } = localAt(now, zone)
  const weekday = weekdayOf(day)
  return day - weekday - (weekday === 0 && minute < nine ? 7 : 0)
}
