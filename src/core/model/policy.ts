import type { Automation, Prices } from './automation.ts'
import type { Member, Role, Roles } from './roles.ts'
import type { Language, Words } from './words.ts'

/** How harmful a mistake would be. `loosening`: it takes a guard away, whatever the endpoint does at this moment. */
export const impacts = ['reversible', 'disruptive', 'destructive', 'loosening'] as const
export type Impact = (typeof impacts)[number]
/** The endpoint's state, as it affects the risk. Unknown counts as active. */
export const standings = ['dormant', 'active', 'protected'] as const
export type Standing = (typeof standings)[number]
/** What the policy can ask for before anything is called, the weakest first. */
export const requirements = ['nothing', 'confirmation', 'approval', 'refusal'] as const
/** `notice`: what was agreed to beforehand happens at a stated time unless somebody objects. */
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
  /** How many different people have to approve; a confirmation takes one. */
  readonly needed: number
  /** Who may approve; null: whoever has the role approver. Confirmations are given by operators. */
  readonly from: readonly Member[] | null
  /** An ask nobody answered within this time is over. */
  readonly expires: number
  /** When people are reminded for the first time, each further one after twice the time; null: never. */
  readonly remind: number | null
  /** Who may approve as well once nobody has for so long, and is only then told of it. */
  readonly fallback: { readonly after: number; readonly to: readonly Member[] } | null
}

export const usualApprovalSettings: ApprovalSettings = {
  needed: 1,
  from: null,
  expires: 30 * 60_000,
  remind: 10 * 60_000,
  fallback: null,
}

/** How long the policy lets anything wait for an answer, ms. */
export function longestAsk({ asking, overrides }: Pick<Policy, 'asking' | 'overrides'>): number {
  return Math.max(asking.expires, ...overrides.map(({ asking: own }) => own?.expires ?? 0))
}

/** Cells of the matrix that somebody has written. */
export type Cells = Readonly<
  Partial<Record<Impact, Readonly<Partial<Record<Standing, (typeof requirements)[number]>>>>>
>

/** What the policy says of some endpoints only. */
export interface Override {
  /** `my-llm`, `prod-*` or `tag:prod`. */
  readonly match: readonly string[]
  /** Whatever else is said of it: what one entry protects, no other opens. */
  readonly protected?: boolean | undefined
  readonly matrix?: Cells | undefined
  readonly asking?: Readonly<Partial<ApprovalSettings>> | undefined
}

/** How far people may go. Lengths in ms. */
export interface PolicyLimits {
  /** The most replicas a scale may ask for. */
  readonly replicas: number
  /** The longest that somebody may be stood in for, and that an endpoint may be kept as it is. */
  readonly away: number
  readonly keep: number
}

/** Groups of events that a webhook may ask for. */
export const eventKinds = ['requests', 'automation', 'holds', 'lockdowns'] as const
export type EventKind = (typeof eventKinds)[number]

/** Who is told of events, as the policy file says. Its secret stands in the environment. */
export interface Webhook {
  /** How far it has come is remembered under this name. */
  readonly name: string
  readonly url: string
  /** The variable with the secret that signs for it. */
  readonly secretEnv: string
  /** Whether its address may be private. */
  readonly allowPrivate: boolean
  readonly kinds: readonly EventKind[]
  /** Patterns of the only endpoints that it is told of; all where left out. */
  readonly on?: readonly string[]
}

/** Who may do what in one project, as its file says at this moment. */
export interface Policy {
  /** Changes with the text of the file; `none` without one. */
  readonly version: string
  /** What its channels read. */
  readonly language: Language
  readonly roles: Roles
  readonly matrix: Matrix
  /** What of it stands in the file; the rest is usual. */
  readonly written?: Cells
  readonly asking: ApprovalSettings
  /** Read from the top: the first that matches and speaks of something decides it. */
  readonly overrides: readonly Override[]
  readonly bounds: PolicyLimits
  /** Who may make tokens for programs. */
  readonly tokens: readonly Member[]
  /** In whose name workflows of the chat may propose. */
  readonly workflows: readonly Member[]
  readonly webhooks: readonly Webhook[]
  readonly automation: Automation
  readonly prices: Prices
}

/** What something takes, and which rule of the policy says so. */
export interface PolicyDecision {
  readonly requirement: Requirement
  readonly asking: ApprovalSettings
  /**
   * "matrix.disruptive.active → confirmation", as the file writes it, "default matrix, disruptive × active" where it does
   * not, or of an override "endpoints[0] (prod-*): matrix.disruptive.active"; and who says how many have to approve.
   */
  readonly rule: Words
  /** The same for people who have never seen that file: "Why: this interrupts the endpoint and …" */
  readonly inWords: Words
}

/** What protects an endpoint: "Protected by endpoints[0] (tag:prod)." */
export interface Guard {
  readonly says: Words
}

/** Members as the policy file writes them, perhaps with a comment behind each. */
type Given = readonly (readonly [role: Exclude<Role, 'viewer'>, members: readonly string[]])[]

export const starterProject = 'default'

/** The lines of a policy file to begin with: everybody may look, and these people may do more. */
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
