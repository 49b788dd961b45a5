import type { Commands } from '../../core/commands/commands.ts'
import { writeWord } from '../../core/commands/parse.ts'
import type { Offer, UpcomingChange } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Request } from '../../core/model/request.ts'
import { type AnnouncedStop, noticeCause } from '../../core/model/rules.ts'
import type { Services } from '../../core/ports/services.ts'
import { noticeIn } from './card.ts'
import { buttonOf, waysOf } from './notice.ts'

/** A start or stop that will happen without another request. */
export interface ChangeAhead extends UpcomingChange {
  readonly why: AnnouncedStop['by']
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

/** Lists the ways to keep an endpoint (id) that its notice offers now; empty without a notice. */
export async function waysLeft({ store, commands }: Services, endpoint: string): Promise<readonly Offer[]> {
  const open = (await store.open()).filter((one) => one.endpoint?.id === endpoint)
  return open.flatMap((request) => {
    const notice = noticeIn(request)
    if (notice === null) return []
    const ways = waysOf(request, commands.operation(request.line).row.wants, notice)
    return ways.map((way) => ({
      label: buttonOf(way).label,
      line: way.does === 'line' ? way.value : `decline ${writeWord(request.id)}`,
    }))
  })
}
