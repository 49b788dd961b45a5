import { currentState } from '../../../core/model/endpoint.ts'
import { includes } from '../../../core/model/roles.ts'
import { type Language, say } from '../../../core/model/words.ts'
import { clockText, hourMs } from '../../../core/time/calendar.ts'
import { visible } from '../../../core/time/format.ts'
import { localAt } from '../../../core/time/zone.ts'
import { asText } from '../../../core/words/render.ts'
import type { ChangeAhead } from '../../../lifecycle/messages/ahead.ts'
import { type AnyBlock, contextLine, paragraph, preformatted } from '../kit/blocks.ts'
import { buttons, offerButton } from '../kit/buttons.ts'
import { shortened, truncate } from '../kit/text.ts'
import type { Corner } from './glance.ts'

const most = { drawn: 8, coming: 5 } as const

export interface Ahead extends ChangeAhead {
  readonly project: string
}

/** Draws 24 hours in the reader’s zone, a line per endpoint that serves or changes, then the `listed` changes in words. */
export function aheadIn(
  coming: readonly Ahead[],
  listed: readonly Ahead[],
  corners: readonly Corner[],
  now: number,
  language: Language,
): readonly AnyBlock[] {
  if (coming.length === 0) return []
  const named = corners.length > 1
  const zone = corners.map((one) => one.zone).find((one) => one !== null) ?? 'UTC'
  const running = corners.flatMap(({ listed }) =>
    (listed?.endpoints ?? []).filter((one) => currentState(one) === 'running'),
  )
  const either = [...coming.map(({ endpoint }) => endpoint), ...running]
  const drawn = new Map(either.map(({ id, name }) => [id, { name, changes: [] as Ahead[] }]))
  for (const one of coming) drawn.get(one.endpoint.id)?.changes.push(one)
  // Stable: among the running ones and among the others, what changes first comes first.
  const ordered = [...drawn.values()].toSorted((a, b) => Number(isUpBefore(b.changes)) - Number(isUpBefore(a.changes)))
  const picture = pictureOf(ordered.slice(0, most.drawn), now, zone)
  const words = listed.slice(0, most.coming).map(({ endpoint, at, want, why, project }) => {
    const says = say('home.change', { where: named ? project : 'none', want, at: { at }, why })
    return paragraph({ bold: shortened(endpoint.name, 60) }, ` ${asText(says, language)}`)
  })
  const legend = asText(say('home.legend', { zone, more: Math.max(0, drawn.size - most.drawn) }), language)
  const count = listed.length - words.length
  const more = count > 0 ? [contextLine(asText(say('rule.more', { count }), language))] : []
  return [preformatted(picture), contextLine(legend), ...words, ...more, allSchedules(language)]
}

/** Says what happens next if nothing changes within 24 hours. Expects the changes in order of time. */
export function laterIn([next, ...more]: readonly Ahead[], corners: readonly Corner[], language: Language) {
  if (next === undefined) {
    const isRuled = corners.some(({ ruled }) => ruled)
    const mayAdd = corners.some(({ role }) => includes(role, 'operator'))
    const ruled = isRuled ? 'yes' : mayAdd ? 'addable' : 'no'
    const none = contextLine(asText(say('home.aheadNone', { ruled }), language))
    return isRuled ? [none, allSchedules(language)] : [none]
  }
  const { want, at } = next
  const count = 1 + more.filter((one) => one.at === at && one.want === want).length
  const says = say('home.aheadLater', { count, name: next.endpoint.name, want, at: { at } })
  return [paragraph(asText(says, language)), allSchedules(language)]
}

function allSchedules(language: Language): AnyBlock {
  return buttons(offerButton({ label: say('home.schedules'), line: 'schedules' }, 0, language))
}

/** How many characters of a name the picture shows, few enough for a phone. */
const width = 13

interface Drawn {
  readonly name: string
  /** In order of time. */
  readonly changes: readonly ChangeAhead[]
}

/** Draws 24 hours from the hour of `now` (ms), a line per endpoint, under the hours of the zone. */
function pictureOf(all: readonly Drawn[], now: number, zone: string): readonly string[] {
  const begin = now - (localAt(now, zone).minute % 60) * 60_000
  const hours = [0, 6, 12, 18].map((hour) => padded(clockText(localAt(begin + hour * hourMs, zone).minute), 6))
  return [`${' '.repeat(width)} ${hours.join('').trimEnd()}`, ...all.map((one) => lineOf(one, begin))]
}

/** Whether an endpoint runs before these changes, in order of time. One without changes does. */
function isUpBefore([first]: Drawn['changes']): boolean {
  return first === undefined || (first.active ?? first.want === 'down')
}

/** Draws one character per hour; without a change the endpoint keeps running. `begin`: the first hour, ms. */
function lineOf({ name, changes }: Drawn, begin: number): string {
  const isUp = isUpBefore(changes)
  const marks = Array.from({ length: 24 }, (_, hour) => {
    const last = changes.findLast(({ at }) => at <= begin + (hour + 0.5) * hourMs)
    return (last === undefined ? isUp : last.want === 'up') ? '█' : '░'
  })
  return `${padded(truncate(visible(name), width), width)} ${marks.join('')}`
}

/** Characters that take two columns in a monospaced font. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/g

function padded(text: string, places: number): string {
  return text + ' '.repeat(Math.max(0, places - text.length - (text.match(wide)?.length ?? 0)))
}
