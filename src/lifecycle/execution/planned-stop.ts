import type { Seen } from '../../core/model/plan.ts'
import { say, type Words } from '../../core/model/words.ts'
import { withTags } from '../../core/requests/find-endpoint.ts'
import { costOver } from '../../features/savings/format.ts'
import { rulesNow } from '../../features/schedules/preview.ts'
import { nextChange } from '../../features/schedules/rules/coming.ts'
import type { Work } from './work.ts'

/** "my-llm is running until today at 18:00 · about $12", for a `start … for`; null for anything else. */
export async function stopPlanned(work: Work, seen: Seen): Promise<Words | null> {
  const { services, claim, request, id, name } = work
  if (request.asked === undefined || claim.command.row.wants !== 'up') return null
  const stop = await nextStop(work, seen)
  if (stop === null) return null
  const cost = await costOver(services, { ...seen, id }, stop - seen.at)
  return say('end.until', { name, until: { at: stop }, cost })
}

/** Adds the tags and whether the endpoint is autoscaled, on which the policy file's rules depend. */
export async function matchable({ services, id, name }: Work, seen: Seen) {
  return { ...(await withTags(services, { id, name })), ...seen, id, name }
}

/** Returns when the rules next stop the endpoint, ms since 1970; null if they don't. */
export async function nextStop(work: Work, seen: Seen): Promise<number | null> {
  const next = nextChange((await rulesNow(work.services))(await matchable(work, seen)), seen.at)
  return next?.want === 'down' ? next.at : null
}
