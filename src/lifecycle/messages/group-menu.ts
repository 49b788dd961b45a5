import type { Operation } from '../../core/commands/define.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import { noticeIn } from './card.ts'
import { lineButton, type Part } from './draft.ts'
import { endOffers } from './end.ts'
import { buttonOf, type Way, waysOf } from './notice.ts'

/** An endpoint that can be kept as it is, and the ways to do so. */
export interface Keepable {
  readonly name: string
  readonly ways: readonly Way[]
}

/** Until when a kept endpoint runs. A Slack menu cannot say this, because it does not know the reader's time zone. */
export function endsOf(kept: readonly Keepable[]): readonly Words[] {
  const ends = new Map<string, { readonly way: Way; readonly names: string[] }>()
  for (const { name, ways } of kept)
    for (const way of ways) {
      // "An hour" already says so.
      if (way.until === undefined || way.name.say === 'choice.keep') continue
      const end = JSON.stringify([way.name, way.until])
      ends.set(end, { way, names: [...(ends.get(end)?.names ?? []), name] })
    }
  return [...ends.values()].map(({ way, names }) =>
    say('group.until', {
      which: names.length === kept.length ? 'all' : 'some',
      names: { any: names },
      name: way.name,
      until: { at: way.until ?? 0 },
    }),
  )
}

/** Returns the endpoints of a group that can still be kept. `wants`: the action of the group. */
export function keepableIn(requests: readonly Request[], wants: Operation['wants']): readonly Keepable[] {
  return requests.flatMap((one) => {
    const notice = noticeIn(one)
    return notice === null ? [] : [{ name: one.endpoint?.name ?? '', ways: waysOf(one, wants, notice) }]
  })
}

/** The same choices as on single cards: of the endpoints that can be kept, or of all once they have ended. */
export function groupMenu(requests: readonly Request[], kept: readonly Keepable[], wants: Operation['wants']): Part[] {
  const isOver = requests.every(({ status }) => isEnded(status))
  const groups = isOver
    ? requests.map((one) => ({ label: one.endpoint?.name ?? '', choices: endOffers(one, wants).map(lineButton) }))
    : kept.map(({ name, ways }) => ({ label: name, choices: ways.map(buttonOf) }))
  const label = say(isOver ? 'schedule.which' : 'group.keep')
  const shown = groups.filter(({ choices }) => choices.length > 0)
  return shown.length === 0 ? [] : [{ kind: 'choose', label, groups: shown }]
}
