import type { Context } from '@slack/bolt'
import type { Actor } from '../../../core/model/actor.ts'
import type { Log } from '../../../core/ports/services.ts'
import type { IntakeContext } from '../../../core/requests/accept.ts'

export interface ListenerContext extends IntakeContext {
  readonly log: Log
  /** Whether an address is Slack's, so that an answer may be sent there later. */
  readonly isSlacks: (url: string) => boolean
}

/** Who has sent an interaction. */
export function actorIn({
  user,
  team,
}: {
  readonly user: { readonly id: string; readonly team_id?: string }
  readonly team?: { readonly id: string } | null
}): Actor {
  return { team: user.team_id ?? team?.id ?? '', user: user.id }
}

/** The receiver's own id of the delivery; the trigger is as unique, where a receiver has none. */
export function deliveryOf(context: Context, trigger: string): string {
  const delivery: unknown = Reflect.get(context, 'deliveryId')
  return typeof delivery === 'string' ? delivery : trigger
}

/** Where an answer may be sent later: nowhere but to Slack. */
export function replyUrlIn({ isSlacks }: ListenerContext, url: string | undefined): string | undefined {
  return url !== undefined && isSlacks(url) ? url : undefined
}
