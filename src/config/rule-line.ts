import { weekdayNamed } from '../domain/civil.ts'
import type { WeeklyRule } from '../domain/rules.ts'
import { readWindow } from '../domain/window.ts'
import { readZone } from '../domain/zonename.ts'
import { didYouMean } from './mistakes.ts'

type Read = Pick<WeeklyRule, 'direction' | 'window' | 'zone'>

const example = 'for example up weekdays 09:00-20:00 Asia/Seoul'

/**
 * A line of a `schedule` list: up or down, a window, and a zone unless `zone` is given for lines that name none.
 * `wrong` is a sentence or two.
 */
export function readRuleLine(line: string, zone: string | null): Read | { readonly wrong: string } {
  const [direction = '', ...words] = line.trim().split(/\s+/)
  if (direction !== 'up' && direction !== 'down') {
    return {
      wrong: `Begin with up or down, ${example}; a line with commas stands in quotes.${didYouMean(direction, ['up', 'down'])}`,
    }
  }
  const named = words.length > 1 && mayBeZone(words.at(-1) ?? '') ? words.pop() : undefined
  const read = readWindow(words.join(' '))
  if ('wrong' in read) return read
  const own = named === undefined ? null : readZone(named)
  if (own !== null && 'wrong' in own) return own
  const held = own?.zone ?? zone
  if (held !== null) return { direction, window: read.window, zone: held }
  return { wrong: `It names no zone. Write one at its end, ${example}, or for every line: schedules: { zone: … }.` }
}

/** What is no day and no part of the times. */
function mayBeZone(word: string): boolean {
  return !/^[\d,–-]/.test(word) && weekdayNamed(word) === null
}
