import { createHash } from 'node:crypto'
import { policyFile } from '../../core/model/actor.ts'
import { causes } from '../../core/model/answer.ts'
import type { Request } from '../../core/model/request.ts'
import type { Reports } from '../../core/ports/request-store.ts'
import type { House } from '../../core/ports/services.ts'
import { dateText, weekdayOf } from '../../core/time/calendar.ts'
import { instantOf, localAt } from '../../core/time/zone.ts'
import { daysOver, savedIn } from './query.ts'

/** How often it is looked whether a report is due, ms. */
export const reportEvery = 60_000

/** Mondays at nine, as the team's clocks show it. */
const nine = 9 * 60
const week = 7
/** Nobody reads on Tuesday what was meant for Monday morning. ms */
const patience = 12 * 3_600_000

/**
 * Tells the operations channel once a week what was saved in it, if anything was: as the answer to a line, which has
 * the same id whoever hands it in. The first one comes on the first Monday after this was first called.
 */
export async function weeklyReport(house: House, reports: Reports): Promise<void> {
  const now = house.clock.now()
  const { monday, due } = newestDue(now, house.policy().automation.zone ?? 'UTC')
  const newest = await reports.newest()
  if (newest === monday) return
  const channel = house.operationsChannel()
  if (newest !== null && channel !== undefined && now - due <= patience) {
    const { total } = await savedIn(house, daysOver(house, week))
    if (causes.some((cause) => total[cause].hours > 0)) await handIn(house, channel, monday)
  }
  await reports.note(monday)
}

/** The Monday whose nine o'clock has come last. `due` in ms. */
function newestDue(now: number, zone: string): { readonly monday: string; readonly due: number } {
  const { day, minute } = localAt(now, zone)
  const weekday = weekdayOf(day)
  const monday = day - weekday - (weekday === 0 && minute < nine ? 7 : 0)
  return { monday: dateText(monday), due: instantOf(monday, nine, zone) }
}

async function handIn(house: House, channel: string, monday: string): Promise<void> {
  const now = house.clock.now()
  const request: Request = {
    id: createHash('sha256').update(`${house.project} report ${monday}`).digest('base64url').slice(0, 22),
    project: house.project,
    kind: 'query',
    line: house.commands.write('savings', { over: `${week}d` }),
    actor: policyFile,
    place: { channel, chosen: true },
    via: 'schedule',
    open: true,
    receivedAt: now,
    status: 'received',
    notes: [],
    nextAt: now,
  }
  const received = await house.store.receive(request, undefined)
  if (received.kind === 'nothing' || received.kind === 'perhaps') throw new Error('The report could not be stored.')
  await house.queue.wake(request, '0').catch(() => undefined)
}
