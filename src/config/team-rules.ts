import { policyFile } from '../domain/actor.ts'
import type { TeamRules } from '../domain/automation.ts'
import { type WeeklyRule, weeklyText } from '../domain/rules.ts'
import type { ProjectEntry } from './policy-schema.ts'
import { versionOf } from './policy-source.ts'
import { readRuleLine } from './rule-line.ts'

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
