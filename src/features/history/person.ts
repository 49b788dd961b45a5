import { aPerson } from '../../core/commands/fields.ts'
import { historyLife } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import type { BotServices, OwnOutcome, Services } from '../../core/ports/services.ts'
import { isNamed } from '../../core/text/fuzzy.ts'
import type { HistoryValues } from './fields.ts'

/** How many requests are searched for a requester's name. */
const mostRead = 100

/** Returns the id of a person picked in Slack, or of the only requester with this name; otherwise null. */
export async function userNamed({ store, people, clock }: BotServices, who: string): Promise<string | null> {
  if (aPerson.test(who)) return who.slice(1)
  const { requests } = await store.past(clock.now() - historyLife, 0, mostRead)
  const users = [...new Set(requests.map(({ actor }) => actor.user))].filter((user) => user !== '')
  const names = await Promise.all(users.map((user) => people.namesOf(user)))
  const [user, ...more] = users.filter((_, at) => isNamed(who, names[at] ?? []))
  return user === undefined || more.length > 0 ? null : user
}

/** Suggests the line for a person's requests if the word meant as an endpoint names a person; otherwise null. */
export async function personInstead(services: Services, values: HistoryValues): Promise<OwnOutcome<never> | null> {
  const { on } = values
  if (on === undefined || (await userNamed(services, on)) === null) return null
  const line = services.commands.write('history', { ...values, on: undefined, who: on })
  const offers = [{ label: say('line.typed', { line }), line }]
  return { kind: 'none', says: say('history.person', { word: on }), offers }
}
