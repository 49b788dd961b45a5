import { policyFile } from '../../core/model/actor.ts'
import type { TeamRules } from '../../core/model/automation.ts'
import { type WeeklyRule, weeklyText } from '../../core/model/rules.ts'
import { weekdayNamed } from '../../core/time/calendar.ts'
import { readWindow } from '../../core/time/weekly-window.ts'
import { readZone } from '../../core/time/zone-names.ts'
import { didYouMean } from '../env/errors.ts'
import type { ProjectEntry } from './schema.ts'
import { versionOf } from './source.ts'

/** The rules of a project that is without fault, in the order of the file. */
export function teamRulesOf({ endpoints = [], schedules }: ProjectEntry): TeamRules[] {
  return endpoints.flatMap(({ match, schedule }) =>
    schedule === undefined
      ? []
      : [{ match, rules: schedule.map((line) => teamRule(line, schedules?.zone ?? null)).filter(isRule) }],
  )
}

/** A line as a rule, or what is wrong with it. It has the same id for as long as it says the same. */
export function teamRule(line: string, zone: string | null): WeeklyRule | { readonly wrong: string } {
  const read = readRuleLine(line, zone)
  if ('wrong' in read) return read
  const id = `team:${versionOf(weeklyText(read))}`
  return { kind: 'weekly', id, endpoint: null, ...read, owner: policyFile, made: 0 }
}

function isRule(read: ReturnType<typeof teamRule>): read is WeeklyRule {
  return !('wrong' in read)
}

type Read = Pick<WeeklyRule, 'direction' | 'window' | 'zone'>

const example = 'for example up weekdays 09:00-20:00 Asia/Seoul'

/**
 * A line of a `schedule` list: up or down, a window, and a zone unless `zone` is given for lines that name none.
 * `wrong` is a sentence or two.
 */
function readRuleLine(line: string, zone: string | null): Read | { readonly wrong: string } {
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
