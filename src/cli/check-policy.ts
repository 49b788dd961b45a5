import { approverNotes } from '../adapters/slack/web/checks.ts'
import { createTime } from '../clock.ts'
import { lookOver } from '../config/config.ts'
import { type Checked, remarksOf } from '../config/policy-file/check.ts'
import type { Automation, Prices } from '../core/model/automation.ts'
import { type Asking, type Bounds, exposures, impacts, type Matrix, type Override } from '../core/model/policy.ts'
import { type Member, roleNames, written } from '../core/model/roles.ts'
import { weeklyText } from '../core/model/rules.ts'
import { lasting } from '../core/time/format.ts'

/** `npm start -- check [file]`: prints what is wrong with the policy file, or what it says. False: something is wrong. */
export async function check(file: string | undefined): Promise<boolean> {
  const { slack, ...checked } = lookOver(file)
  const notes = [...checked.notes, ...(await approverNotes(checked.projects, slack, createTime(undefined).clock))]
  process.stdout.write(`${reportOf({ ...checked, notes })}\n`)
  return checked.mistakes.length === 0
}

/** What the file comes to, for people. */
export function reportOf({ path, mistakes, notes, version, projects }: Checked): string {
  const aside = notes.map((note) => `Note: ${note}`)
  if (mistakes.length > 0) {
    const heading = mistakes.length === 1 ? `${path} has a mistake:` : `${path} has ${mistakes.length} mistakes:`
    return [heading, ...mistakes.map((mistake) => `- ${mistake}`), ...aside].join('\n')
  }
  aside.push(...projects.flatMap(({ name, policy }) => remarksOf(name, policy)).map((note) => `Note: ${note}`))
  const many = projects.length === 1 ? '1 project' : `${projects.length} projects`
  return [`${path} is well: ${many}, version ${version}.`, ...projects.flatMap(projectLines), '', ...aside]
    .join('\n')
    .trimEnd()
}

function projectLines({ name, channels, policy }: Checked['projects'][number]): string[] {
  const { roles, matrix, asking, overrides, bounds, automation } = policy
  const where = channels.map((id) => (id === '*' ? 'every channel that no other project claims' : id)).join(', ')
  return [
    '',
    `${name}: ${where}`,
    ...aligned(roleNames.map((role) => [role, named(roles[role])])),
    ...aligned([['', ...exposures], ...rowsOf(matrix)]),
    ...aligned([
      ['approval', askingOf(asking)],
      ['schedules', schedulesOf(automation)],
      ['idle', idleOf(automation)],
      ['prices', pricesOf(policy.prices)],
      ['bounds', boundsOf(bounds)],
    ]),
    ...overrides.flatMap((override, at) => {
      const says = overrideOf(override)
      return says === '' ? [] : [`  endpoints[${at}] ${override.match.join(', ')}: ${says}`]
    }),
    ...automation.team.map(({ match, rules }) => {
      const lines = rules.length === 0 ? 'none' : rules.map(weeklyText).join('; ')
      return `  schedule of ${match.join(', ')}: ${lines}`
    }),
  ]
}

function rowsOf(matrix: Matrix): string[][] {
  return impacts.map((impact) => [impact, ...exposures.map((exposure) => matrix[impact][exposure])])
}

function overrideOf({ protected: held, matrix = {}, asking }: Override): string {
  const cells = impacts.flatMap((impact) =>
    exposures.flatMap((exposure) => {
      const cell = matrix[impact]?.[exposure]
      return cell === undefined ? [] : [`${impact} ${exposure} ${cell}`]
    }),
  )
  const guard = held === undefined ? [] : [held ? 'protected' : 'not protected']
  return [...guard, ...cells, ...(asking ? [`approval ${askingOf(asking)}`] : [])].join('; ')
}

/** What is said of asking; some endpoints may have their own word on a part of it only. */
function askingOf({ needed, from, expires, remind, fallback }: Partial<Asking>): string {
  return [
    needed !== undefined && (needed === 1 ? '1 person' : `${needed} people`),
    from !== undefined && `from ${from === null ? 'the approvers' : named(from)}`,
    expires !== undefined && `over after ${lasting(expires)}`,
    remind !== undefined && (remind === null ? 'no reminders' : `first reminder after ${lasting(remind)}`),
    fallback && `after ${lasting(fallback.after)} also ${named(fallback.to)}`,
  ]
    .filter((part) => typeof part === 'string')
    .join('; ')
}

function schedulesOf({ zone, notice, holidays, team }: Automation): string {
  const rules = team.reduce((sum, one) => sum + one.rules.length, 0)
  return [
    rules === 1 ? '1 team rule' : `${rules} team rules`,
    holidays.size === 1 ? '1 holiday' : `${holidays.size} holidays`,
    `people are told ${lasting(notice)} before a stop`,
    zone === null ? "the asker's own zone" : `zone ${zone}`,
  ].join('; ')
}

function idleOf({ idle: { usual, least, most } }: Automation): string {
  return `quiet for ${lasting(usual)}, or what somebody says from ${lasting(least)} to ${lasting(most)}`
}

function pricesOf({ currency, perHour }: Prices): string {
  const each = [...perHour].map(([gpu, price]) => `${gpu} ${price === 0 ? 'reserved' : price}`)
  return each.length === 0 ? 'those of the platform, or else hours only' : `${currency} an hour: ${each.join(', ')}`
}

function boundsOf({ replicas, away, keep }: Bounds): string {
  return `at most ${replicas} replicas; away for at most ${lasting(away)}; kept for at most ${lasting(keep)}`
}

function named(members: readonly Member[]): string {
  return members.length === 0 ? 'nobody' : members.map(written).join(', ')
}

/** Columns under each other, set in by two blanks. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}
