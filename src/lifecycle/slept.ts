import { desired } from '../domain/desired.ts'
import { instant } from '../domain/instant.ts'
import { type Looked, ruleText } from './looked.ts'
import type { House } from './ports.ts'

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
