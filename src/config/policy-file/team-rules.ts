import type { TeamRules } from '../../core/model/automation.ts'
import { policyFile } from '../../core/model/roles.ts'
import { type WeeklyRule, weeklyText } from '../../core/model/rules.ts'
import { weekdayNamed } from '../../core/time/calendar.ts'
import { readWindow } from '../../core/time/weekly-window.ts'
import { readZone } from '../../core/time/zone-names.ts'
import { asText } from '../../core/words/render.ts'
import { clash } from '../../features/schedules/rules/conflicts.ts'
import { didYouMean } from '../env/errors.ts'
import { type Fault, faultAt, type Path } from './lint.ts'
import type { LooseProject } from './loose.ts'
import type { ProjectEntry } from './schema.ts'
import { versionOf } from './source.ts'

/** The rules of a project, in the order of the file. */
export function teamRulesOf({ endpoints = [], schedules }: ProjectEntry): TeamRules[] {
  return endpoints.flatMap(({ match, schedule }) => {
    const rules = schedule?.map((line) => teamRule(line, schedules?.zone ?? null))
    return rules ? [{ match, rules: rules.flatMap((rule) => ('wrong' in rule ? [] : [rule])) }] : []
  })
}

/** A line as a rule, or its mistake. The same rule always has the same id. */
function teamRule(line: string, zone: string | null): WeeklyRule | { readonly wrong: string } {
  const read = readRuleLine(line, zone)
  if ('wrong' in read) return { wrong: asText(read.wrong, 'en') }
  const id = `team:${versionOf(weeklyText(read))}`
  return { kind: 'weekly', id, endpoint: null, ...read, owner: policyFile, made: 0 }
}

const example = 'for example up weekdays 09:00-20:00 Asia/Seoul'

/** A line of a `schedule` list: up or down, a window, and a zone unless `zone` is given. `wrong`: in sentences. */
function readRuleLine(
  line: string,
  zone: string | null,
): Pick<WeeklyRule, 'direction' | 'window' | 'zone'> | { readonly wrong: string } {
  const [direction = '', ...words] = line.trim().split(/\s+/)
  if (direction !== 'up' && direction !== 'down') {
    return {
      wrong: `Begin with up or down, ${example}; a line with commas stands in quotes.${didYouMean(direction, ['up', 'down'])}`,
    }
  }
  const last = words.at(-1) ?? ''
  // Neither a day nor part of the times.
  const mayBeZone = !/^[\d,–-]/.test(last) && weekdayNamed(last) === null
  const named = words.length > 1 && mayBeZone ? words.pop() : undefined
  const read = readWindow(words.join(' '))
  if ('wrong' in read) return { wrong: asText(read.wrong, 'en') }
  const own = named === undefined ? null : readZone(named)
  if (own !== null && 'wrong' in own) return { wrong: asText(own.wrong, 'en') }
  const inForce = own?.zone ?? zone
  if (inForce !== null) return { direction, window: read.window, zone: inForce }
  return { wrong: `It names no zone. Write one at its end, ${example}, or for every line: schedules: { zone: … }.` }
}

/** Schedule lines that cannot be read, are repeated, or contradict another line of their list. */
export function teamFaultsIn(projects: readonly LooseProject[]): Fault[] {
  return projects.flatMap(({ schedules, endpoints }, index) =>
    endpoints.flatMap(({ schedule }, at) =>
      listFaults(schedule, zoneOf(schedules.zone), ['projects', index, 'endpoints', at, 'schedule']),
    ),
  )
}

/** UTC for a wrong zone: it is reported where it is written, not at each line that uses it. */
function zoneOf(given: unknown): string | null {
  if (given === undefined) return null
  const read = typeof given === 'string' ? readZone(given) : null
  return read !== null && 'zone' in read ? read.zone : 'UTC'
}

function listFaults(schedule: readonly unknown[], zone: string | null, path: Path): Fault[] {
  const before: WeeklyRule[] = []
  return schedule.flatMap((line, place) => {
    if (typeof line !== 'string') return []
    const rule = teamRule(line, zone)
    const wrong = 'wrong' in rule ? rule.wrong : clashOf(before, rule)
    if (!('wrong' in rule)) before.push(rule)
    const at = [...path, place]
    return wrong === null ? [] : [faultAt(at, `is ${JSON.stringify(line.slice(0, 60))}. ${wrong}`)]
  })
}

/** Checked in a week of winter and one of summer, since the zones of two rules may change their clocks apart. */
function clashOf(before: readonly WeeklyRule[], rule: WeeklyRule): string | null {
  const weeks = [Date.UTC(2026, 0, 12), Date.UTC(2026, 6, 13)]
  const found = weeks.map((made) => clash(before, { ...rule, made })).find((says) => says !== null)
  return found ? asText(found, 'en') : null
}
