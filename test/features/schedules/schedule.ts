import type { Hold, OneOff, Rules, WeeklyRule } from '../../../src/core/model/rules.ts'
import { readClock, readDate } from '../../../src/core/time/calendar.ts'
import { readWindow, type Window } from '../../../src/core/time/weekly-window.ts'
import { instantOf, localAt } from '../../../src/core/time/zone.ts'
import { english } from '../../support/words.ts'

export const ana = { team: 'T1', user: 'U1' }
export const seoul = 'Asia/Seoul'

export const nothing: Rules = { weekly: [], once: [], holds: [], skip: new Set(), protected: false, freeze: null }

/** Reads local time such as "2026-11-20 19:00" in a zone. Returns ms since 1970. */
export function at(wall: string, zone = seoul): number {
  const [date = '', clock = ''] = wall.split(' ')
  return instantOf(readDate(date)!, readClock(clock)!, zone)
}

/** Formats an instant as local time in a zone; null is "never". */
export function wall(ms: number | null, zone = seoul): string {
  if (ms === null) return 'never'
  const { day, minute } = localAt(ms, zone)
  return new Date(day * 86_400_000 + minute * 60_000).toISOString().slice(0, 16).replace('T', ' ')
}

function window(text: string): Window {
  const read = readWindow(text)
  if ('wrong' in read) throw new Error(english(read.wrong))
  return read.window
}

/** Reads "up weekdays 09:00-20:00" as a rule made long ago unless `given` says otherwise. */
export function weekly(id: string, text: string, given: Partial<WeeklyRule> = {}): WeeklyRule {
  const [direction, ...words] = text.split(' ')
  if (direction !== 'up' && direction !== 'down') throw new Error(`${direction} is no direction`)
  return {
    kind: 'weekly',
    id,
    endpoint: 'e1',
    direction,
    window: window(words.join(' ')),
    zone: seoul,
    owner: ana,
    made: Date.UTC(2026, 0, 1),
    ...given,
  }
}

export function once(id: string, want: 'up' | 'down', from: string, until?: string): OneOff {
  const rule = { kind: 'once', id, endpoint: 'e1', want, at: at(from), owner: ana } as const
  return until === undefined ? rule : { ...rule, until: at(until) }
}

export function hold(id: string, from: string, until: string): Hold {
  return { kind: 'hold', id, endpoint: 'e1', at: at(from), until: at(until), by: ana }
}
