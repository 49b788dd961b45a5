import type { Event } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Anchors, Prune } from '../../core/ports/audit.ts'
import type { Services } from '../../core/ports/services.ts'
import { type Locking, lockdown, orLock, watchData } from '../safeguards/lockdown.ts'

/** How often a worker tries to take the turn, ms: often, because a worker may restart within the hour of a turn. */
export const anchorEvery = 300_000

/** Stores the head of the audit as a checkpoint, if it is our turn and the head has moved. */
export async function anchor({ store, clock, log }: Locking, anchors: Anchors): Promise<void> {
  const { seq, mac } = await store.audit.head()
  // Checked before taking the turn, which would otherwise be wasted for an hour.
  if (seq === ((await anchors.newest())?.seq ?? 0)) return
  if (!(await anchors.turn())) return
  try {
    await anchors.note({ seq, mac, at: clock.now() })
  } catch (err) {
    log.error({ err }, 'could not store the audit checkpoint; trying again in an hour')
  }
}

/** Called at a worker's startup: from now on an audit shorter than the stored head counts as data loss. */
export async function recall(services: Locking, anchors: Anchors): Promise<void> {
  await orLock(services, async () => {
    const newest = await anchors.newest()
    if (newest !== null) services.store.audit.expect(newest)
  })
  await watchData(services)
}

/** How often a worker tries to take the day's turn, ms. */
export const inspectEvery = 600_000

/** What to do once the audit is verified. */
interface Verified {
  readonly prune: Prune | null
  readonly witness: (says: Words) => Promise<void>
  readonly verified?: () => Promise<void>
  /** Signs again what an earlier key signed. Null if there is none. */
  readonly renew?: (() => Promise<void>) | null
}

/** Verifies the whole audit if it is our turn. Then posts a checkpoint, renews and prunes, or locks the project. */
export async function inspect(services: Locking, turn: () => Promise<boolean>, then: Verified): Promise<void> {
  if (!(await turn())) return
  await orLock(services, async () => {
    const { well, says, acknowledged, head } = await services.store.audit.verify([])
    if (!well) return await lockdown(services, says)
    await then.verified?.()
    const [entry, checkpoint] = [`${head.seq}`, `${head.seq}:${head.mac}`]
    if (head.seq > 0) await then.witness(say('audit.checkpoint', { project: services.project, entry, checkpoint }))
    await then.renew?.()
    await then.prune?.(acknowledged)
  })
}

/** How often the audit records the number of lines from people without a role, ms. */
export const countEvery = 60_000

/** Lines from people without a role that are not in the audit yet. */
export interface Strangers {
  /** Whether it is this process's turn to count. */
  turn(): Promise<boolean>
  /** Oldest first. Throws Newer. */
  read(): Promise<{ readonly sent: readonly Event[]; readonly forget: () => Promise<unknown> }>
}

/** Writes one audit entry for each person, with the count of their lines and the last one. A crash may repeat it. */
export async function countStrangers({ store }: Pick<Services, 'store'>, strangers: Strangers): Promise<void> {
  if (!(await strangers.turn())) return
  const { sent, forget } = await strangers.read()
  const people = new Map<string, { readonly last: Event; readonly count: number }>()
  for (const last of sent) {
    const person = `${last.by?.team}/${last.by?.user}`
    people.set(person, { last, count: (people.get(person)?.count ?? 0) + 1 })
  }
  const entries = [...people.values()].map(({ last, count }): Event => {
    return { ...last, what: 'refused', detail: [say('history.strangers', { count }), last.detail ?? ''] }
  })
  if (entries.length > 0) await store.write({}, entries)
  await forget()
}
