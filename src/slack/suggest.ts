import type { App, BlockSuggestion } from '@slack/bolt'
import type { PlainTextOption } from '@slack/types'
import type { Bounds } from '../domain/demand.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Row } from '../operations/define.ts'
import { actorIn, closedTo, doorFor } from './door.ts'
import { keptIn } from './form.ts'
import { endpointAction, option } from './inputs.ts'
import type { Listening } from './listeners.ts'
import { search } from './search.ts'

/** Slack takes no more options. */
const most = 100
/** Of an option's value. */
const longest = 150

/** Type-ahead for endpoints, from the cached list: no key is here, and no keystroke costs the platform anything. */
export function listenToTyping(app: App, { doors, commands, log }: Listening): void {
  app.options<'block_suggestion'>(
    { action_id: endpointAction, type: 'block_suggestion' },
    async ({ ack, body, payload }) => {
      const from = keptIn(payload.view?.private_metadata ?? '')
      const door = from === null ? undefined : doorFor(doors, from)
      const closed = await closedTo(door, { actor: actorIn(body), channel: from?.channel ?? '' })
      if (closed !== null) return ack({ options: [] })
      const known = await door?.store.names().catch((err: unknown) => {
        log.warn({ err }, 'the names of endpoints could not be read')
        return null
      })
      const row = commands.find(from?.verb ?? '')
      await ack({ options: [...suggestions(known?.endpoints ?? [], typedIn(payload), row)] })
    },
  )
}

function typedIn({ value }: Pick<BlockSuggestion, 'value'>): string {
  return value.trim()
}

/**
 * At most 100 endpoints for what was typed, those first with which the row can do something now. What is in no list
 * can still be meant (a new endpoint, an id that the list does not show), so what was typed is then offered as it is.
 */
export function suggestions(
  endpoints: readonly Endpoint[],
  typed: string,
  row: Row | undefined,
): readonly PlainTextOption[] {
  const found = search(endpoints, typed, preferenceOf(row), most).filter(({ id }) => id.length <= longest)
  if (found.length === 0 && typed !== '' && typed.length <= longest)
    return [option(typed, typed, 'as typed; not in the list I know')]
  return found.map(({ id, name, active }) => {
    const state = active === null ? 'state unknown' : active ? 'active' : 'stopped'
    return option(name, id, `${state} · ${id}`)
  })
}

/** How far the policy lets people go is told when they ask. */
const boundless: Bounds = {
  replicas: Number.POSITIVE_INFINITY,
  away: Number.POSITIVE_INFINITY,
  keep: Number.POSITIVE_INFINITY,
}

/**
 * Whether active or stopped endpoints come first: the row itself says of which it makes no sense. It is asked about an
 * endpoint that has nothing but that, without the words still to come; where it cannot answer that, none come first.
 */
function preferenceOf(row: Row | undefined): boolean | null {
  if (row?.kind !== 'operation') return null
  const { unless } = row
  function refuses(active: boolean): boolean {
    try {
      return unless({ id: '', name: '', active, replicas: Number.NaN }, {}, boundless) !== false
    } catch {
      return false
    }
  }
  const [active, stopped] = [refuses(true), refuses(false)]
  return active === stopped ? null : stopped
}
