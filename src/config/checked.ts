import type { Policy } from '../domain/demand.ts'
import { address } from './address.ts'
import { type Environment, given, variablesOf } from './environment.ts'
import { sameValuesIn } from './naming.ts'
import { policyOf } from './policy.ts'
import { readPolicy } from './policy-file.ts'
import { type ReadFile, unreadable, versionOf } from './policy-source.ts'

/** What came of looking a policy file over. */
export interface Checked {
  readonly path: string
  /** Empty: the file is well, and so is what its variables hold. */
  readonly mistakes: readonly string[]
  /** What is not wrong, but may be missed elsewhere. */
  readonly notes: readonly string[]
  readonly version: string
  readonly projects: readonly {
    readonly name: string
    readonly channels: readonly string[]
    readonly policy: Policy
  }[]
}

/**
 * Looks a policy file over without starting anything: the one that is named, else the one that a start would take.
 * The variables it names are looked at where they are set; a file is often checked where they are not.
 */
export function checkedFile(named: string | undefined, env: Environment, readFile: ReadFile): Checked {
  const path = named ?? given(env, 'LAMPLIGHTER_CONFIG') ?? 'lamplighter.yaml'
  const wrong = (mistakes: readonly string[]): Checked => ({ path, mistakes, notes: [], version: 'none', projects: [] })
  let text: string | null
  try {
    text = readFile(path)
  } catch {
    return wrong([unreadable(path)])
  }
  if (text === null)
    return wrong([`${path} is not there. Write it (the README has an example), or name it: npm start -- check path.`])

  const mistakes: string[] = []
  const { policy, groups, namings, at } = readPolicy(path, text, mistakes)
  const addresses = variablesOf(env, mistakes)
  for (const { baseUrl } of namings) if (baseUrl !== undefined) addresses.optional(baseUrl, address)
  mistakes.push(...sameValuesIn(namings, env))
  if (policy === undefined) return wrong([...new Set(mistakes)])
  const notes = policy.projects.flatMap((entry, index) =>
    (['base_url_env', 'api_key_env'] as const).flatMap((key) =>
      given(env, entry[key]) === undefined
        ? [`${at(['projects', index, key])} names ${entry[key]}, which is not set here. A worker needs it.`]
        : [],
    ),
  )
  if (groups.length > 0)
    notes.push(
      `${[...new Set(groups.map((one) => one.at))].join(', ')}: user groups are named. Whether Slack knows them is told at a start and by /endpoint doctor.`,
    )
  const version = versionOf(text)
  const projects = policy.projects.map((entry) => ({
    name: entry.name,
    channels: entry.channels,
    policy: policyOf(entry, version),
  }))
  return { path, mistakes: [...new Set(mistakes)], notes, version, projects }
}
