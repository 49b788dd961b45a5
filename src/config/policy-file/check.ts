import { type ApprovalSettings, impacts, type Policy } from '../../core/model/policy.ts'
import { type Member, memberText } from '../../core/model/roles.ts'
import { say, type Words } from '../../core/model/words.ts'
import { program } from '../../core/text/program.ts'
import { platformUrl } from '../env/address.ts'
import { type Environment, headerSecret, readVariable, variablesOf } from '../env/environment.ts'
import type { Path } from './lint.ts'
import type { CurrentPolicy, Project } from './projects.ts'
import { inEnglish, type PolicyText, type ReadFile, readPolicy, textAt } from './read.ts'
import { sameValuesIn, versionOf } from './schema.ts'
import { policyOf } from './to-policy.ts'

export interface CheckResult {
  readonly path: string
  readonly mistakes: readonly string[]
  /** Mistakes in the variables that are set. */
  readonly environment: readonly string[]
  /** Variables that can't be checked on this machine. */
  readonly notes: readonly string[]
  /** Ids that only Slack can check. */
  readonly ids: PolicyText['ids']
  /** Names found where ids belong. */
  readonly names: PolicyText['names']
  readonly version: string
  readonly projects: readonly Pick<Project, 'name' | 'channels' | 'policy'>[]
}

/**
 * Checks the named file, or the one a start would read. Checks only variables that are set: it may run elsewhere. Adds
 * the names of all variables that the file names to `asked`.
 */
export function checkedFile(
  named: string | undefined,
  env: Environment,
  readFile: ReadFile,
  asked: string[] = [],
): CheckResult {
  const path = named ?? readVariable(env, 'LAMPLIGHTER_CONFIG') ?? 'lamplighter.yaml'
  const environment: string[] = []
  const none = { notes: [], ids: [], names: [], version: 'none', projects: [] }
  const wrong = (...mistakes: string[]) => ({ ...none, path, mistakes, environment })
  const text = textAt(path, readFile)
  if (text === null)
    return wrong(
      `${path} doesn’t exist. Create it with ${program} init or by hand (docs/policy.md has an example), or name another: ${program} check path.`,
    )
  if (typeof text !== 'string') return wrong(...inEnglish([text]))

  const { policy, mistakes, ids, names, namings, at } = readPolicy(path, text)
  const variables = variablesOf(env, environment, asked)
  for (const { signals, events = [] } of namings)
    asked.push(...[signals?.key_env, ...events.map((one) => one.secret_env)].flatMap((name) => name ?? []))
  const bases = namings.flatMap(({ base_url_env }) => base_url_env ?? [])
  // A file that is not YAML names no variables.
  for (const name of bases.length === 0 ? ['PLATFORM_BASE_URL'] : bases) variables.optional(name, platformUrl)
  for (const { api_key_env: name } of namings) if (name !== undefined) variables.optional(name, headerSecret)
  environment.push(...sameValuesIn(namings, env))
  if (policy === undefined) return { ...wrong(...new Set(inEnglish(mistakes))), names }
  const unset = (path: Path, name: string, says: string) =>
    readVariable(env, name) === undefined ? [`${at(path)} names ${name}, which isn’t set here. ${says}`] : []
  const notes = policy.projects.flatMap((entry, index) => [
    ...(['base_url_env', 'api_key_env'] as const).flatMap((key) =>
      unset(['projects', index, key], entry[key], 'A worker needs it.'),
    ),
    ...(entry.events ?? []).flatMap(({ name, secret_env }, nth) => {
      const path = ['projects', index, 'events', nth, 'secret_env']
      return unset(path, secret_env, `Without it in a worker, the webhook ${name} is off.`)
    }),
  ])
  const version = versionOf(text)
  const projects = policy.projects.map((entry) => {
    const { name, channels } = entry
    return { name, channels, policy: policyOf(entry, version) }
  })
  return { path, mistakes: [], environment, notes, ids, names, version, projects }
}

/** Returns remarks on valid parts of a policy that its author may not have meant. */
export function remarksOf(name: string, policy: Policy): readonly string[] {
  const { roles, asking, overrides } = policy
  const places = [
    { place: 'approvals', own: asking },
    ...overrides.flatMap((one, at) =>
      one.asking === undefined ? [] : [{ place: `endpoints[${at}].approvals`, own: { ...asking, ...one.asking } }],
    ),
  ]
  const approvers = [...roles.approver, ...roles.admin]
  return [
    ...(roles.admin.length === 0
      ? [`${name} has no admin, so nobody could end a lockdown. Give someone the admin role, under roles.`]
      : []),
    ...(roles.operator.length === 0 ? [noOperator(name, approvers)] : []),
    ...(['approver', 'admin'] as const).flatMap((role) =>
      roles[role].some(({ kind }) => kind === 'everyone')
        ? [`${name}: ${openRole[role]} Name user:U… or group:S…, unless that is intended.`]
        : [],
    ),
    ...(asksAtAll(policy) ? places.flatMap(({ place, own }) => tightIn(`${name}: ${place}`, own, approvers)) : []),
  ]
}

function noOperator(name: string, above: readonly Member[]): string {
  const who = above.length === 0 ? 'nobody can request changes' : 'only approvers and admins can request changes'
  return `${name} has no operator, so ${who}. Give someone the operator role, under roles, unless that is intended.`
}

const openRole = {
  approver: 'everyone is an approver, so anyone can approve what someone else requests.',
  admin: 'everyone is an admin, so anyone can bypass an approval and end a lockdown.',
} as const

function asksAtAll({ matrix, overrides }: Policy): boolean {
  const cells = [matrix, ...overrides.map((one) => one.matrix ?? {})]
  return cells.some((some) => impacts.some((impact) => Object.values(some[impact] ?? {}).includes('approval')))
}

/** Nobody approves their own request, so exactly as many approvers as needed are one too few for theirs. */
function tightIn(place: string, { needed, from, fallback }: ApprovalSettings, approvers: readonly Member[]) {
  const all = [...(from ?? approvers), ...(fallback?.to ?? [])]
  const people = new Set(all.map(memberText))
  if (people.size === 0 || people.size > needed || all.some(({ kind }) => kind !== 'user')) return []
  const only = people.size === 1 ? 'only 1 person can approve' : `only ${people.size} people can approve`
  const who = people.size === 1 ? 'they request' : 'one of them requests'
  return [`${place} needs ${needed}, and ${only}: what ${who} can never be approved. Name more people.`]
}

/** Returns a changed file's mistakes, or its changes that need a restart: connections, keys and queues are made at one. */
export function whyNotTaken({ policy, mistakes, at }: PolicyText, current: CurrentPolicy): readonly Words[] {
  if (policy === undefined) return mistakes
  const { projects } = policy
  const restart = (path: Path, what: 'gone' | 'new' | 'variable', name: string) => [
    at(path),
    say('policyFile.restart', { what, name: JSON.stringify(name) }),
  ]
  const gone = current.projects
    .filter(({ name }) => projects.every((entry) => entry.name !== name))
    .map(({ name }) => restart(['projects'], 'gone', name))
  const changed = projects.flatMap((entry, index) => {
    const before = current.projects.find(({ name }) => name === entry.name)
    if (before === undefined) return [restart(['projects', index, 'name'], 'new', entry.name)]
    const { variables } = before
    const moved = [
      { path: ['base_url_env'], differs: entry.base_url_env !== variables.base_url_env },
      { path: ['api_key_env'], differs: entry.api_key_env !== variables.api_key_env },
      { path: ['signals', 'key_env'], differs: entry.signals?.key_env !== variables.signals?.key_env },
    ]
    return moved.flatMap(({ path, differs }) =>
      differs ? [restart(['projects', index, ...path], 'variable', entry.name)] : [],
    )
  })
  return [...gone, ...changed, ...(current.eventSecrets?.shared(projects) ?? [])]
}
