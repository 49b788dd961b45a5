import { writeWord } from '../../core/commands/tokens.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { keyOf, type Pursuit } from '../../core/model/records.ts'
import type { House } from '../../core/ports/services.ts'
import { bygone } from '../../core/requests/find-endpoint.ts'
import { readEndpoint } from '../../core/requests/read-endpoint.ts'
import { instant } from '../../core/time/format.ts'
import { type Looked, ruleText } from './look.ts'
import { desired } from './rules/desired-state.ts'
import { spentIn } from './rules/expired-rules.ts'
import type { Rulebook } from './rules/rulebook.ts'

/** More would fill the channel; the audit has all. */
const most = 20

/**
 * What was to be done and undone while nobody looked: a decision that has come and gone since the last look (ms), where
 * the endpoint stands as if it had never been. Several come to the last. Null: nothing of the kind.
 */
export function sleptThrough({ endpoint, rules, now }: Looked, lastLook: number | undefined): string | null {
  if (lastLook === undefined) return null
  const { since } = desired(rules, now)
  if (since <= lastLook) return null
  const before = desired(rules, since - 1)
  if (before.since <= lastLook || before.want !== (endpoint.active === true ? 'down' : 'up')) return null
  const done = before.want === 'down' ? 'stopped' : 'started'
  return `${endpoint.name} was to be ${done} ${instant(before.since)}, and to be ${before.want} until ${instant(since)}. ${ruleText(before.by)}`
}

/** Says what was missed, once and for all endpoints together. */
export async function tellMissed(house: House, missed: readonly string[], lastLook: number): Promise<void> {
  if (missed.length === 0) return
  const at = house.clock.now()
  await house.store.write(
    {},
    missed.map((detail) => ({ at, what: 'missed', detail })),
  )
  const rest = missed.length > most ? [`And ${missed.length - most} more.`] : []
  const head = `Missed, since nobody looked at the rules from ${instant(lastLook)} until now:`
  void house.announce([head, ...missed.slice(0, most), ...rest].join('\n'))
}

/** Says once of each endpoint with rules that the platform has no more that its rules rest. */
export async function tellOfGone(
  house: House,
  { own }: Rulebook,
  listed: readonly Endpoint[],
  pursuits: ReadonlyMap<string, Pursuit>,
): Promise<void> {
  const there = new Set(listed.map(({ id }) => id))
  for (const [id, rules] of own) {
    const key = goneKey(id)
    // Should it go again some day, it is said again.
    if (there.has(id) && pursuits.has(key)) await house.store.notePursuits(new Map([[key, null]]))
    // A hold ends by itself.
    if (there.has(id) || pursuits.has(key) || rules.weekly.length + rules.once.length === 0) continue
    // A list may leave something out.
    const read = await readEndpoint(house, id)
    if (read.kind !== 'gone') continue
    const note: Pursuit = { occurrence: key, state: 'left', attempts: 0, at: house.clock.now() }
    await house.store.notePursuits(new Map([[key, note]]))
    const { name } = (await bygone(house, id)) ?? { name: id }
    void house.announce(`The platform has no ${name} any more: its rules rest. “${read.says}”`, [
      { label: `Take the rules of ${name} away`, line: `unschedule ${writeWord(id)}` },
    ])
  }
}

/** What is noted of an endpoint with rules that the platform has no more. */
export function goneKey(id: string): string {
  return `gone ${id}`
}

/** Takes holds and one-offs away that decide nothing any more, and mark no beginning of what does. */
export async function dropSpent(house: House, book: Rulebook, listed: readonly Endpoint[], now: number): Promise<void> {
  const spent = listed.flatMap((endpoint) => {
    const own = book.own.get(endpoint.id)
    if (own === undefined || own.once.length + own.holds.length === 0) return []
    return spentIn(book.of(endpoint), now).map(keyOf)
  })
  if (spent.length > 0) await house.store.write({ drop: spent }, [{ at: now, what: 'spent' }])
}
