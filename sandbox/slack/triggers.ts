import type { Ids } from './ids.ts'
import type { Clock } from './options.ts'

/** What a trigger allows: opening one view, for one person, from one place, within 3 seconds. */
export interface Trigger {
  readonly user: string
  /** The channel it came from; undefined for the Home and for shortcuts. */
  readonly channel?: string
  /** The view it came from, for a view pushed on top of it. */
  readonly view?: string
}

export type Redeemed = Trigger | 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id'

export interface Triggers {
  issue(trigger: Trigger): string
  /** Uses up a trigger, or returns Slack's name of the reason why it cannot be used. */
  redeem(id: string): Redeemed
}

/** Slack's limit, ms. */
const lifetimeMs = 3000

export function createTriggers(clock: Clock, ids: Ids): Triggers {
  const known = new Map<string, Trigger & { readonly until: number; used: boolean }>()
  return {
    issue(trigger) {
      const id = `${ids.next('')}.${ids.next('7')}.trigger`
      known.set(id, { ...trigger, until: clock.now() + lifetimeMs, used: false })
      return id
    },
    redeem(id) {
      const trigger = known.get(id)
      if (!trigger) return 'invalid_trigger_id'
      if (trigger.used) return 'exchanged_trigger_id'
      if (clock.now() > trigger.until) return 'expired_trigger_id'
      trigger.used = true
      return trigger
    },
  }
}
