import * as z from 'zod'
import { type Fault, nameOf } from './places.ts'

/** Takes what it can read, so that a clash is told beside other mistakes. */
const looseProjects = z.object({
  projects: z.array(
    z
      .object({
        name: z.unknown(),
        channels: z.array(z.unknown()).catch([]),
        endpoints: z.array(z.object({ match: z.array(z.unknown()).catch([]) }).catch({ match: [] })).catch([]),
      })
      .catch({ name: null, channels: [], endpoints: [] }),
  ),
})

/** What stands twice: two projects of one name, two that claim one channel, one pattern twice in a list. */
export function clashesIn(content: unknown): Fault[] {
  const projects = looseProjects.safeParse(content).data?.projects ?? []
  const names = projects.flatMap(({ name }, index) =>
    typeof name === 'string' && projects.findIndex((one) => one.name === name) < index
      ? [
          {
            path: ['projects', index, 'name'],
            says: `names a second project ${JSON.stringify(name)}. Give each its own name.`,
          },
        ]
      : [],
  )
  const patterns = projects.flatMap(({ endpoints }, index) =>
    endpoints.flatMap(({ match }, at) => twiceIn(match, ['projects', index, 'endpoints', at, 'match'])),
  )
  return [...names, ...claimsOf(projects), ...patterns]
}

interface Claiming {
  readonly name: unknown
  readonly channels: readonly unknown[]
}

function claimsOf(projects: readonly Claiming[]): Fault[] {
  const claims = new Map<unknown, number>()
  const faults: Fault[] = []
  for (const [index, { channels }] of projects.entries()) {
    for (const [place, channel] of channels.entries()) {
      const owner = claims.get(channel)
      if (owner === undefined) claims.set(channel, index)
      else if (owner !== index) {
        const [first, second] = [owner, index].map((at) => calledAt(at, projects[at]?.name))
        const says = `gives ${JSON.stringify(channel)} to ${second}, and ${first} has it already. A channel belongs to one: take it out of one of the two.`
        faults.push({ path: ['projects', index, 'channels', place], says })
      }
    }
  }
  return faults
}

/** "project default"; by its place where its name could not be read. */
function calledAt(index: number, name: unknown): string {
  return typeof name === 'string' ? `project ${name.slice(0, 32)}` : nameOf(['projects', index])
}

function twiceIn(match: readonly unknown[], path: Fault['path']): Fault[] {
  return match.flatMap((pattern, place) =>
    match.indexOf(pattern) < place
      ? [
          {
            path: [...path, place],
            says: `${nameOf([...path, place])} is ${JSON.stringify(pattern)} a second time. Take one of the two out.`,
          },
        ]
      : [],
  )
}
