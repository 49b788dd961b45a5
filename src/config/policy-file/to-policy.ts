import { type Automation, noPrices, type TeamRules, usualAutomation } from '../../core/model/automation.ts'
import { eventKinds, type Matrix, type Policy, usualApprovalSettings, usualMatrix } from '../../core/model/policy.ts'
import { policyFile } from '../../core/model/roles.ts'
import { type WeeklyRule, weeklyText } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { dayMs, weekdayNamed } from '../../core/time/calendar.ts'
import { readWindow } from '../../core/time/weekly-window.ts'
import { readZone } from '../../core/time/zone.ts'
import { clash } from '../../features/schedules/rules/describe.ts'
import { type Fault, faultAt, type Path } from './lint.ts'
import { type ProjectEntry, versionOf } from './schema.ts'
import { found, type LooseProject, nearMiss } from './schema-words.ts'

/** Fills in the defaults of a project's part of the file. */
export function policyOf(entry: ProjectEntry, version: string): Policy {
  const { roles, approvals, endpoints = [], bounds, prices = {} } = entry
  return {
    version,
    language: entry.language ?? 'en',
    roles,
    matrix: matrixOf(entry.matrix ?? {}),
    ...(entry.matrix && { written: entry.matrix }),
    asking: { ...usualApprovalSettings, ...approvals },
    // Keep even an empty entry, because rules refer to entries by their place.
    overrides: endpoints.map(({ match, protected: isProtected, matrix, approvals: asking }) => {
      return { match, protected: isProtected, matrix, asking }
    }),
    bounds: { replicas: 100, away: 30 * dayMs, keep: 7 * dayMs, ...bounds },
    tokens: entry.tokens ?? [],
    workflows: entry.workflows ?? [],
    webhooks: (entry.events ?? []).map(({ name, url, secret_env: secretEnv, allow_private, kinds, on }) => {
      const more = { allowPrivate: allow_private === true, kinds: kinds ?? eventKinds, ...(on && { on }) }
      return { name, url, secretEnv, ...more }
    }),
    automation: automationOf(entry),
    prices: { currency: prices.currency ?? noPrices.currency, perHour: new Map(Object.entries(prices.per_hour ?? {})) },
  }
}

function matrixOf({ reversible, disruptive, destructive, loosening }: NonNullable<ProjectEntry['matrix']>): Matrix {
  return {
    reversible: { ...usualMatrix.reversible, ...reversible },
    disruptive: { ...usualMatrix.disruptive, ...disruptive },
    destructive: { ...usualMatrix.destructive, ...destructive },
    loosening: { ...usualMatrix.loosening, ...loosening },
  }
}

function automationOf(entry: ProjectEntry): Automation {
  const { holidays, ...schedules } = entry.schedules ?? {}
  return {
    ...usualAutomation,
    ...schedules,
    ...(holidays && { holidays: new Set(holidays) }),
    team: teamRulesOf(entry),
    idle: { ...usualAutomation.idle, ...entry.idle },
    teamIdle: (entry.endpoints ?? []).flatMap(({ match, idle }) =>
      idle === undefined ? [] : [{ match, after: idle }],
    ),
  }
}

/** The rules of a project, in the order of the file. */
function teamRulesOf({ endpoints = [], schedules }: ProjectEntry): TeamRules[] {
  return endpoints.flatMap(({ match, schedule }) => {
    const rules = schedule?.map((line) => teamRule(line, schedules?.zone ?? null))
    return rules ? [{ match, rules: rules.flatMap((rule) => ('wrong' in rule ? [] : [rule])) }] : []
  })
}

const example = 'up weekdays 09:00-20:00 Asia/Seoul'

/**
 * Parses a line of a `schedule` list: up or down, a window, and a zone unless `zone` is given. The same rule always gets
 * the same id.
 */
function teamRule(line: string, zone: string | null): WeeklyRule | { readonly wrong: Words } {
  const [direction = '', ...words] = line.trim().split(/\s+/)
  if (direction !== 'up' && direction !== 'down') {
    return { wrong: [say('policyFile.rule', { example }), ...nearMiss(direction, ['up', 'down'])] }
  }
  const last = words.at(-1) ?? ''
  // It is neither a day nor part of the times.
  const mayBeZone = !/^[\d,–-]/.test(last) && weekdayNamed(last) === null
  const named = words.length > 1 && mayBeZone ? words.pop() : undefined
  const read = readWindow(words.join(' '))
  if ('wrong' in read) return read
  const own = named === undefined ? null : readZone(named)
  if (own !== null && 'wrong' in own) return own
  const inForce = own?.zone ?? zone
  if (inForce === null) return { wrong: say('policyFile.noZone', { example, setting: 'schedules: { zone: … }' }) }
  const rule = { direction, window: read.window, zone: inForce } as const
  const id = `team:${versionOf(weeklyText(rule))}`
  return { kind: 'weekly', id, endpoint: null, ...rule, owner: policyFile, made: 0 }
}

/** Finds schedule lines that are wrong, repeated, or in conflict with another line of their list. */
export function teamFaultsIn(projects: readonly LooseProject[]): Fault[] {
  return projects.flatMap(({ schedules, endpoints }, index) =>
    endpoints.flatMap(({ schedule }, at) =>
      listFaults(schedule, zoneOf(schedules.zone), ['projects', index, 'endpoints', at, 'schedule']),
    ),
  )
}

/** Returns UTC for a wrong zone, which is reported once, where it is written. */
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
    return wrong === null ? [] : [faultAt(at, [found(line), wrong])]
  })
}

/** Checks one week in winter and one in summer, because two zones may change their clocks on different days. */
function clashOf(before: readonly WeeklyRule[], rule: WeeklyRule): Words | null {
  const weeks = [Date.UTC(2026, 0, 12), Date.UTC(2026, 6, 13)]
  return weeks.map((made) => clash(before, { ...rule, made })).find((says) => says !== null) ?? null
}
