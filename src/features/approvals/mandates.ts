import type { OwnAccess } from '../../core/model/answer.ts'
import { principalsOf, type Records, standInFor } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { type Actor, includes, names, type Place } from '../../core/model/roles.ts'
import type { Services } from '../../core/ports/services.ts'
import { lookUpPerson } from '../../core/requests/authorize.ts'
import { mandatesUnder } from './review.ts'
import { namedForApprovals } from './unable.ts'

/** How whoever asks stands in the project, seen from where they ask. */
export async function ownAccess(services: Services, { actor, place }: Request): Promise<OwnAccess> {
  const [records, open, now] = [await services.store.records(), await services.store.open(), services.clock.now()]
  const mandates = await mandatesUnder(services, records, actor, place)
  // A notice happens without an answer.
  const waiting = open
    .filter(({ status, requirement }) => status === 'awaiting' && requirement !== 'notice')
    .filter((request) => mandates?.(request).kind === 'may')
  return {
    absent: principalsOf(records, actor, now),
    standIn: standInFor(records, actor, now),
    waiting: waiting.length,
    policy: services.policy().version,
  }
}

/** The rows that anybody may type, and that somebody could do nothing with. Throws when that cannot be found out. */
export async function uselessTo(
  services: Pick<Services, 'people' | 'policy' | 'clock'>,
  records: Records,
  actor: Actor,
  place: Place,
): Promise<readonly string[]> {
  const stands = await lookUpPerson(services, actor, place)
  if (stands === null) throw new Error('Slack did not say who this is.')
  const { role, person } = stands
  const now = services.clock.now()
  const answers =
    includes(role, 'operator') ||
    namedForApprovals(services.policy()).some((member) => names(member, person)) ||
    principalsOf(records, actor, now).length > 0
  return [...(answers ? [] : ['approve', 'decline']), ...(standInFor(records, actor, now) === null ? ['back'] : [])]
}
