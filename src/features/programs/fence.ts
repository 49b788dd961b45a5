import { neededFor } from '../../core/commands/permissions.ts'
import { type Change, newTokenIn } from '../../core/model/records.ts'
import { includes } from '../../core/model/roles.ts'
import { isCalendar } from '../../core/model/token.ts'
import { say, type Words } from '../../core/model/words.ts'
import { fits } from '../../core/policy/requirement.ts'
import type { Services } from '../../core/ports/services.ts'
import { nearestByEdits } from '../../core/text/names.ts'

/** Returns why a new token's fence is refused, or null. It may name only commands that programs of its role can use. */
export function unfitFence({ commands }: Pick<Services, 'commands'>, change: Change): Words | null {
  const token = newTokenIn(change)
  if (token?.only === undefined || isCalendar(token)) return null
  const usable = commands.rows.filter(({ peopleOnly }) => peopleOnly !== true)
  const word = token.only.find((one) => usable.every(({ name }) => name !== one))
  if (word === undefined) {
    const beyond = usable.find((row) => token.only?.includes(row.name) && !includes(token.role, neededFor(row)))
    return beyond === undefined ? null : say('token.beyondRole', { verb: beyond.name })
  }
  if (isCalendar({ only: [word] })) return say('token.calendarAlone')
  return say('token.noCommand', { word, near: nearestByEdits(word, usable, 1)[0]?.name ?? 'none' })
}

/** Says which patterns of a new token's fence match no endpoint yet; '' if all match, or if no list is known. */
export async function unmatchedFence({ store }: Pick<Services, 'store'>, change: Change): Promise<Words> {
  const token = newTokenIn(change)
  const listed = token?.on === undefined ? null : await store.names()
  const none = token?.on?.filter((pattern) => listed?.endpoints.every((one) => !fits(pattern, one))) ?? []
  return none.length === 0 ? '' : say('token.unmatched', { on: { any: none } })
}
