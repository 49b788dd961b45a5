import * as z from 'zod'
import type { WeeklyRule } from '../../core/model/rules.ts'
import { readZone } from '../../core/time/zone-names.ts'
import { clash } from '../../features/schedules/rules/conflicts.ts'
import { type Fault, nameOf, type Path } from './lint.ts'
import { teamRule } from './team-rules.ts'

/** Takes what it can read, so that a line is told beside other mistakes. */
const loose = z.object({
  projects: z.array(
    z
      .object({
        schedules: z.object({ zone: z.unknown() }).catch({ zone: undefined }),
        endpoints: z.array(z.object({ schedule: z.array(z.unknown()).catch([]) }).catch({ schedule: [] })).catch([]),
      })
      .catch({ schedules: { zone: undefined }, endpoints: [] }),
  ),
})

/** Lines of schedules that cannot be read, stand twice, or contradict another line of their list. */
export function teamFaultsIn(content: unknown): Fault[] {
  const projects = loose.safeParse(content).data?.projects ?? []
  return projects.flatMap(({ schedules, endpoints }, index) =>
    endpoints.flatMap(({ schedule }, at) =>
      listFaults(schedule, zoneOf(schedules.zone), ['projects', index, 'endpoints', at, 'schedule']),
    ),
  )
}

/** A zone that is wrong is told where it stands, not once more at each line that leans on it. */
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
    return wrong === null ? [] : [{ path: at, says: `${nameOf(at)} is ${JSON.stringify(line.slice(0, 60))}. ${wrong}` }]
  })
}

/** Rules clash in a week; zones stand otherwise to each other in winter than in summer. */
function clashOf(before: readonly WeeklyRule[], rule: WeeklyRule): string | null {
  const weeks = [Date.UTC(2026, 0, 12), Date.UTC(2026, 6, 13)]
  return weeks.map((made) => clash(before, { ...rule, made })).find((says) => says !== null) ?? null
}
