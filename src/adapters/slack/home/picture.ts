import { clockText, hourMs } from '../../../core/time/calendar.ts'
import { visible } from '../../../core/time/format.ts'
import { localAt } from '../../../core/time/zone.ts'
import type { ChangeAhead } from '../../../lifecycle/messages/ahead.ts'
import { truncate } from '../kit/text.ts'

/** How many characters of a name the picture shows, few enough for a phone. */
const width = 13

interface Drawn {
  readonly name: string
  /** In order of time. */
  readonly changes: readonly ChangeAhead[]
}

/** Draws 24 hours from the hour of `now` (ms), a line per endpoint, under the hours of the zone. */
export function pictureOf(all: readonly Drawn[], now: number, zone: string): readonly string[] {
  const begin = now - (localAt(now, zone).minute % 60) * 60_000
  const hours = [0, 6, 12, 18].map((hour) => padded(clockText(localAt(begin + hour * hourMs, zone).minute), 6))
  return [`${' '.repeat(width)} ${hours.join('').trimEnd()}`, ...all.map((one) => lineOf(one, begin))]
}

/** Whether an endpoint runs before these changes, in order of time. One without changes does. */
export function isUpBefore([first]: Drawn['changes']): boolean {
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
