import { type Asking, impacts, type Policy } from '../../core/model/policy.ts'
import { type Member, written } from '../../core/model/roles.ts'
import { address } from '../env/address.ts'
import { type Environment, given, variablesOf } from '../env/environment.ts'
import { sameValuesIn } from './naming.ts'
import { readPolicy } from './read.ts'
import { type ReadFile, unreadable, versionOf } from './source.ts'
import { policyOf } from './to-policy.ts'

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

/** What is not wrong in a project's policy, and may come as a surprise one day. */
export function remarksOf(name: string, policy: Policy): readonly string[] {
  const { roles, asking, overrides } = policy
  const places = [
    { place: 'approvals', own: asking },
    ...overrides.flatMap((one, at) =>
      one.asking === undefined ? [] : [{ place: `endpoints[${at}].approvals`, own: { ...asking, ...one.asking } }],
    ),
  ]
  const usual = [...roles.approver, ...roles.admin]
  return [
    ...(roles.admin.length > 0
      ? []
      : [`${name} has no admin, so nobody could end a lockdown. Give somebody the role admin, under roles.`]),
    ...(roles.operator.length > 0 ? [] : [noOperator(name, usual)]),
    ...(['approver', 'admin'] as const).flatMap((role) =>
      roles[role].some(({ kind }) => kind === 'everyone') ? [`${name}: ${open[role]} ${narrow}`] : [],
    ),
    ...(asksAtAll(policy) ? places.flatMap(({ place, own }) => tightIn(`${name}: ${place}`, own, usual)) : []),
  ]
}

function noOperator(name: string, above: readonly Member[]): string {
  const who = above.length === 0 ? 'nobody may ask for a change' : 'only approvers and admins may ask for changes'
  return `${name} has no operator, so ${who}. Give somebody the role operator, under roles, unless it is meant so.`
}

/** What it comes to that everybody has a role. */
const open = {
  approver: 'everyone is an approver, so anybody may approve whatever somebody else asks for.',
  admin: 'everyone is an admin, so anybody may pass an approval with a reason and end a lockdown.',
} as const
const narrow = 'Name user:U… or group:S…, unless it is meant so.'

function asksAtAll({ matrix, overrides }: Policy): boolean {
  const cells = [matrix, ...overrides.map((one) => one.matrix ?? {})]
  return cells.some((some) => impacts.some((impact) => Object.values(some[impact] ?? {}).includes('approval')))
}

/** Nobody approves what they have asked for: with no more people than it takes, theirs is never approved. */
function tightIn(place: string, { needed, from, fallback }: Asking, usual: readonly Member[]): readonly string[] {
  const all = [...(from ?? usual), ...(fallback?.to ?? [])]
  const people = new Set(all.map(written))
  if (people.size === 0 || people.size > needed || all.some(({ kind }) => kind !== 'user')) return []
  const only = people.size === 1 ? 'only 1 person may approve' : `only ${people.size} people may approve`
  const who = people.size === 1 ? 'they ask' : 'one of them asks'
  return [`${place} takes ${needed}, and ${only}: what ${who} for can never be approved. Name more people.`]
}
