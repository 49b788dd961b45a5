import type { Automation, Prices } from './automation.ts'
import type { Member, Role, Roles } from './roles.ts'
import type { Language, Words } from './words.ts'

/** The damage that a mistake would do. `loosening`: it removes a safeguard, whatever the endpoint's state. */
export const impacts = ['reversible', 'disruptive', 'destructive', 'loosening'] as const
export type Impact = (typeof impacts)[number]
/** The endpoint's state, as it affects the risk. An unknown state counts as active. */
export const standings = ['dormant', 'active', 'protected'] as const
export type Standing = (typeof standings)[number]
/** What the policy can require before any call, weakest first. */
export const requirements = ['nothing', 'confirmation', 'approval', 'refusal'] as const
/** `notice`: an action agreed to in advance happens at a stated time unless someone objects. */
export type Requirement = (typeof requirements)[number] | 'notice'

export type Matrix = Readonly<Record<Impact, Readonly<Record<Standing, (typeof requirements)[number]>>>>

export const usualMatrix: Matrix = {
  reversible: { dormant: 'nothing', active: 'nothing', protected: 'nothing' },
  disruptive: { dormant: 'nothing', active: 'confirmation', protected: 'approval' },
  destructive: { dormant: 'confirmation', active: 'approval', protected: 'refusal' },
  loosening: { dormant: 'approval', active: 'approval', protected: 'approval' },
}

/** How people are asked. Times in ms. */
export interface ApprovalSettings {
  /** How many different people must approve. A confirmation needs one. */
  readonly needed: number
  /** Who may approve; null: everyone with the role approver. Operators give confirmations. */
  readonly from: readonly Member[] | null
  /** How long an ask waits for an answer before it expires. */
  readonly expires: number
  /** How long until the first reminder; each later one waits twice as long. Null: never. */
  readonly remind: number | null
  /** Who may also approve after this time without a decision. They are notified only then. */
  readonly fallback: { readonly after: number; readonly to: readonly Member[] } | null
}

export const usualApprovalSettings: ApprovalSettings = {
  needed: 1,
  from: null,
  expires: 30 * 60_000,
  remind: 10 * 60_000,
  fallback: null,
}

/** Returns the longest time that any request may wait for an answer, ms. */
export function longestAsk({ asking, overrides }: Pick<Policy, 'asking' | 'overrides'>): number {
  return Math.max(asking.expires, ...overrides.map(({ asking: own }) => own?.expires ?? 0))
}

/** Cells of the matrix that the policy file sets. */
type Cells = Readonly<Partial<Record<Impact, Readonly<Partial<Record<Standing, (typeof requirements)[number]>>>>>>

/** What the policy file sets for some endpoints only. */
export interface Override {
  /** `my-llm`, `prod-*` or `tag:prod`. */
  readonly match: readonly string[]
  /** Applies even if another entry also matches: no entry lifts the protection of another one. */
  readonly protected?: boolean | undefined
  readonly matrix?: Cells | undefined
  readonly asking?: Readonly<Partial<ApprovalSettings>> | undefined
}

/** Upper limits. Lengths in ms. */
export interface PolicyLimits {
  /** The most replicas that a scale may request. */
  readonly replicas: number
  /** The longest delegation, and the longest hold of an endpoint. */
  readonly away: number
  readonly keep: number
}

/** Groups of events that a webhook can subscribe to. */
export const eventKinds = ['requests', 'automation', 'holds', 'lockdowns'] as const
export type EventKind = (typeof eventKinds)[number]

/** A webhook from the policy file. Its secret is in the environment. */
export interface Webhook {
  /** Its progress is stored under this name. */
  readonly name: string
  readonly url: string
  /** The environment variable with its signing secret. */
  readonly secretEnv: string
  readonly allowPrivate: boolean
  readonly kinds: readonly EventKind[]
  /** Patterns of the endpoints whose events it gets; all if omitted. */
  readonly on?: readonly string[]
}

export interface Policy {
  /** Changes with the file's text; `none` without a file. */
  readonly version: string
  /** The language of its channels. */
  readonly language: Language
  readonly roles: Roles
  readonly matrix: Matrix
  /** The cells that the file sets; the others are defaults. */
  readonly written?: Cells
  readonly asking: ApprovalSettings
  /** In file order. For each setting, the first matching entry that has it wins. */
  readonly overrides: readonly Override[]
  readonly bounds: PolicyLimits
  /** Who may create tokens for programs. */
  readonly tokens: readonly Member[]
  /** The people in whose name the chat's workflows may propose. */
  readonly workflows: readonly Member[]
  readonly webhooks: readonly Webhook[]
  readonly automation: Automation
  readonly prices: Prices
}

/** What an action requires, and why. */
export interface PolicyDecision {
  readonly requirement: Requirement
  readonly asking: ApprovalSettings
  /** The rule for people who have never seen the file: "Why: this interrupts the endpoint and …" */
  readonly inWords: Words
}

/** What protects an endpoint: "Protected by endpoints[0] (tag:prod)." */
export interface Guard {
  readonly says: Words
}

/** Members as the policy file writes them, each with an optional comment. */
type Given = readonly (readonly [role: Exclude<Role, 'viewer'>, members: readonly string[]])[]

export const starterProject = 'default'

/** Returns the lines of a first policy file: everyone is a viewer, and the given people have higher roles. */
export function starterPolicy(given: Given, channel?: string): readonly string[] {
  return [
    ...(channel === undefined ? [] : [`operations_channel: ${channel}`]),
    'projects:',
    `  - name: ${starterProject}`,
    '    base_url_env: PLATFORM_BASE_URL',
    '    api_key_env: PLATFORM_API_KEY',
    '    channels: ["*"]',
    '    roles:',
    '      viewer: [everyone]',
    ...given.flatMap(([role, members]) =>
      members.length === 0
        ? [`      ${role}: []`]
        : [`      ${role}:`, ...members.map((member) => `        - ${member}`)],
    ),
  ]
}
