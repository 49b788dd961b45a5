import { idNotes, unknownIds } from '../adapters/slack/web/directory.ts'
import { checkFile } from '../config/config.ts'
import type { Environment } from '../config/env/environment.ts'
import { type CheckResult, remarksOf } from '../config/policy-file/check.ts'
import type { Automation, Prices } from '../core/model/automation.ts'
import { type ApprovalSettings, impacts, type Override, type Policy, standings } from '../core/model/policy.ts'
import { type Member, memberText, type Role, roleNames } from '../core/model/roles.ts'
import { weeklyText } from '../core/model/rules.ts'
import { lasting } from '../core/time/format.ts'

/** Runs `npm start -- check [file]`: prints the mistakes in the policy file and the variables, or the policy. */
export async function check(file: string | undefined, env: Environment, print: (text: string) => void) {
  const { slack, unset, ...checked } = checkFile(file, env)
  // With a wrong variable the bot token could go to the wrong address.
  const isSafe = checked.environment.length === 0
  const names = isSafe ? await idNotes(checked.names, slack) : []
  const asked = await unknownIds(checked.ids, isSafe ? slack : undefined)
  const mistakes = [...checked.mistakes, ...asked.unknown]
  const isValid = mistakes.length + checked.environment.length === 0
  const notes = [...checked.notes, ...names, ...asked.notes, ...(isValid ? unset : [])]
  print(reportOf({ ...checked, mistakes, notes }))
  return isValid
}

export function reportOf({ path, mistakes, environment, notes, version, projects }: CheckResult): string {
  const aside = notes.map((note) => `Note: ${note}`)
  const wrong = [...mistakesIn(path, mistakes), ...mistakesIn('The environment', environment)]
  if (wrong.length > 0) return [...wrong, ...aside].join('\n')
  aside.push(...projects.flatMap(({ name, policy }) => remarksOf(name, policy)).map((note) => `Note: ${note}`))
  const many = projects.length === 1 ? '1 project' : `${projects.length} projects`
  return [`${path} is valid: ${many}, version ${version}.`, ...projects.flatMap(projectLines), '', ...aside]
    .join('\n')
    .trimEnd()
}

function mistakesIn(what: string, mistakes: readonly string[]): string[] {
  if (mistakes.length === 0) return []
  const many = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`
  return [`${what} has ${many}:`, ...mistakes.map((mistake) => `- ${mistake}`)]
}

function projectLines({ name, channels, policy }: CheckResult['projects'][number]): string[] {
  const { roles, matrix, asking, overrides, automation } = policy
  const { usual, least, most } = automation.idle
  const { replicas, away, keep } = policy.bounds
  const where = channels.map((id) => (id === '*' ? 'every channel that no other project has' : id)).join(', ')
  return [
    '',
    `${name}: ${where}`,
    ...aligned(roleNames.map((role) => [role, holders(role, roles)])),
    '  what a change needs if its endpoint is stopped (dormant), running (active) or protected:',
    ...aligned([['', ...standings], ...impacts.map((row) => [row, ...standings.map((column) => matrix[row][column])])]),
    ...aligned([
      ['approval', askingOf(asking)],
      ['schedules', schedulesOf(automation)],
      [
        'idle',
        `after ${lasting(usual, 'en')} idle; people can choose ${lasting(least, 'en')} to ${lasting(most, 'en')}`,
      ],
      ['prices', pricesOf(policy.prices)],
      [
        'bounds',
        `at most ${replicas} replicas; delegations of at most ${lasting(away, 'en')}; pauses of at most ${lasting(keep, 'en')}`,
      ],
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

/** Each role includes those before it. */
function holders(role: Role, roles: Policy['roles']): string {
  const above = roleNames.slice(roleNames.indexOf(role) + 1).filter((one) => roles[one].length > 0)
  if (roles[role].length > 0 || above.length === 0) return named(roles[role])
  return `only ${above.map((one) => `${one}s`).join(' and ')}`
}

function overrideOf({ protected: isProtected, matrix = {}, asking }: Override): string {
  const cells = impacts.flatMap((impact) =>
    standings.flatMap((standing) => {
      const cell = matrix[impact]?.[standing]
      return cell === undefined ? [] : [`${impact} ${standing} ${cell}`]
    }),
  )
  const guard = isProtected === undefined ? [] : [isProtected ? 'protected' : 'not protected']
  return [...guard, ...cells, ...(asking ? [`approval ${askingOf(asking)}`] : [])].join('; ')
}

/** An override may set only some of these. */
function askingOf({ needed, from, expires, remind, fallback }: Partial<ApprovalSettings>): string {
  return [
    needed !== undefined && (needed === 1 ? '1 person' : `${needed} people`),
    from !== undefined && `from ${from === null ? 'the approvers' : named(from)}`,
    expires !== undefined && `expires after ${lasting(expires, 'en')}`,
    remind !== undefined && (remind === null ? 'no reminders' : `first reminder after ${lasting(remind, 'en')}`),
    fallback && `after ${lasting(fallback.after, 'en')} also ${named(fallback.to)}`,
  ]
    .filter((part) => typeof part === 'string')
    .join('; ')
}

function schedulesOf({ zone, notice, holidays, team }: Automation): string {
  const rules = team.reduce((sum, one) => sum + one.rules.length, 0)
  return [
    rules === 1 ? '1 team rule' : `${rules} team rules`,
    holidays.size === 1 ? '1 holiday' : `${holidays.size} holidays`,
    `a warning ${lasting(notice, 'en')} before a stop`,
    zone === null ? "the requester's time zone" : `zone ${zone}`,
  ].join('; ')
}

function pricesOf({ currency, perHour }: Prices): string {
  const each = [...perHour].map(([gpu, price]) => `${gpu} ${price === 0 ? 'reserved' : price}`)
  return each.length === 0
    ? 'the platform’s list; without a price, only hours'
    : `${currency} an hour: ${each.join(', ')}`
}

function named(members: readonly Member[]): string {
  return members.length === 0 ? 'nobody' : members.map(memberText).join(', ')
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}
