import type { Endpoint } from '../../core/model/endpoint.ts'
import { isRule, type ReconcileState, type Records } from '../../core/model/records.ts'
import type { Actor } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { authorize } from '../../core/requests/authorize.ts'
import { announceOnce, saveState } from './look.ts'
import { lineLaying } from './rule-lines.ts'
import { textOf } from './rules/describe.ts'

/** Owners, by user id, who may no longer operate here, so that their rules rest; those sure to are announced once. */
export async function absentOwners(
  services: Services,
  records: Records,
  reconcileStates: ReadonlyMap<string, ReconcileState>,
  listed: readonly Endpoint[],
): Promise<ReadonlySet<string>> {
  const owners = new Map([...records.values()].filter(isRule).map(({ owner }) => [owner.user, owner]))
  const absent = new Set<string>()
  for (const [user, owner] of owners) {
    const key = ownerKey(user)
    const standing = await authorize(services, owner, { channel: '', chosen: true }, 'operator')
    if (standing.kind === 'may') {
      if (reconcileStates.has(key)) await saveState(services, key, null)
      continue
    }
    absent.add(user)
    if (standing.unsure === true || reconcileStates.has(key)) continue
    const { says, offers } = restingRules(services, records, listed, owner)
    await announceOnce(services, reconcileStates, { key }, says, offers)
  }
  return absent
}

/** The key under which `absentOwners` remembers an owner whose rules rest. */
export function ownerKey(user: string): string {
  return `owner ${user}`
}

function restingRules({ clock, commands }: Services, records: Records, listed: readonly Endpoint[], owner: Actor) {
  const now = clock.now()
  const rules = [...records.values()]
    .filter(isRule)
    .filter((one) => one.owner.user === owner.user && (one.kind === 'weekly' || now < (one.until ?? one.at)))
  const names = new Map(listed.map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null): string => names.get(id ?? '') ?? id ?? ''
  const offers = rules.slice(0, 5).flatMap((rule) => {
    const line = lineLaying(rule, commands.write)
    return line === null ? [] : [{ label: say('rule.takeOver', { name: nameOf(rule.endpoint) }), line }]
  })
  const texts = rules.map((rule) => say('rule.of', { name: nameOf(rule.endpoint), rule: textOf(rule) }))
  return { says: [say('rule.ownerGone', { owner: { person: owner } }), ...texts], offers }
}
