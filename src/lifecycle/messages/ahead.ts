import type { Commands } from '../../core/commands/commands.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Offer, UpcomingChange } from '../../core/model/query-answer.ts'
import type { Request } from '../../core/model/request.ts'
import { type Announced, noticeCause } from '../../core/model/rules.ts'
import type { Words } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { noticeIn } from './card.ts'
import { buttonOf, noticed, waysOf } from './notice.ts'

/** A start or stop that will happen without another request. */
export interface ChangeAhead extends UpcomingChange {
  readonly why: Announced['by']
  /** The endpoint's current state; null if unknown. */
  readonly active: boolean | null
}

interface Outlook {
  readonly commands: Commands
  /** Changes by rules. */
  readonly coming: readonly UpcomingChange[]
  /** Open requests, including announced ones. */
  readonly open: readonly Request[]
  readonly endpoints: readonly Endpoint[]
}

/** Lists changes by rules and announced ones, soonest first, without those that would change nothing. */
export function changesAhead({ commands, coming, open, endpoints }: Outlook): readonly ChangeAhead[] {
  const states = new Map(endpoints.map(({ id, active }) => [id, active]))
  for (const { endpoint, kind, line, status } of open) {
    if (endpoint === undefined || kind !== 'operation' || status !== 'running') continue
    const { wants } = commands.operation(line).row
    // The list shows the state before a request that is under way.
    if (wants !== undefined) states.set(endpoint.id, wants === 'up')
  }
  const announced = open.flatMap((request) => {
    const { endpoint } = request
    const notice = noticeIn(request)
    if (notice === null || endpoint === undefined) return []
    const want = commands.operation(request.line).row.wants ?? 'down'
    return [{ endpoint, at: notice.due, want, why: noticeCause(request) } as const]
  })
  const rules = coming.map((one) => ({ ...one, why: one.by ?? ('schedule' as const) }))
  const next = new Map<string, UpcomingChange['want'] | undefined>()
  return [...announced, ...rules]
    .sort((one, other) => one.at - other.at)
    .flatMap((one) => {
      const { id } = one.endpoint
      const active = states.get(id) ?? null
      const before = next.get(id) ?? (active === null ? undefined : active ? 'up' : 'down')
      next.set(id, one.want)
      return one.want === before ? [] : [{ ...one, active }]
    })
}

/** Says what is announced for an endpoint (id), with the ways to keep it that the notice offers now; null without one. */
export async function announcedOn(
  { store, commands }: Services,
  endpoint: string,
): Promise<{ readonly says: Words; readonly offers: readonly Offer[] } | null> {
  for (const request of await store.open()) {
    const notice = request.endpoint?.id === endpoint ? noticeIn(request) : null
    if (notice === null) continue
    const command = commands.operation(request.line)
    const offers = waysOf(request, command.row.wants, notice).map((way) => ({
      label: buttonOf(way).label,
      line: way.does === 'line' ? way.value : `decline ${writeWord(request.id)}`,
    }))
    return { says: noticed({ ...request, command }, notice)[1], offers }
  }
  return null
}
