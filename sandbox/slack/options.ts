import { randomBytes } from 'node:crypto'

/** Wall clock in ms since 1970 (UTC). Tests hand in one they can move. */
export interface Clock {
  now(): number
}

export interface PersonOption {
  readonly id: string
  readonly name: string
  readonly realName?: string
  /** What the page says about them, such as `approver`. */
  readonly title?: string
  readonly email?: string
  /** IANA name; UTC when left out. */
  readonly tz?: string
  /** As Slack writes it: `ko-KR`. */
  readonly locale?: string
  readonly guest?: 'multi' | 'single'
  readonly deleted?: boolean
  readonly bot?: boolean
  /** Somebody of another workspace, met in a shared channel; needs a `teamId` of their own. */
  readonly stranger?: boolean
  readonly teamId?: string
  /** The workspaces of the organisation that somebody belongs to, on an Enterprise Grid. */
  readonly teams?: readonly string[]
  /** The id that the organisation knows somebody by, where this one is of a single workspace. */
  readonly enterpriseUserId?: string
  readonly admin?: boolean
}

export interface ChannelOption {
  readonly id: string
  readonly name: string
  readonly private?: boolean
  /** Ids of people; every full member when left out. */
  readonly members?: readonly string[]
  readonly archived?: boolean
  readonly extShared?: boolean
  /** True when left out. */
  readonly botIsMember?: boolean
  readonly topic?: string
}

export interface UsergroupOption {
  readonly id: string
  readonly handle: string
  readonly name?: string
  readonly users: readonly string[]
  readonly disabled?: boolean
}

export interface CommandOption {
  /** With its slash. */
  readonly command: string
  readonly description?: string
  readonly usageHint?: string
  /** Typed users, channels and addresses arrive as tokens. True when left out. */
  readonly shouldEscape?: boolean
}

export interface ShortcutOption {
  readonly callbackId: string
  readonly name: string
}

/** What a step takes or gives, as the manifest declares it. */
export interface Parameters {
  readonly properties: Readonly<Record<string, { readonly type: string; readonly title: string }>>
  readonly required?: readonly string[]
}

/** A step that the app offers to Workflow Builder, as the manifest declares it. */
export interface FunctionOption {
  readonly title: string
  readonly description: string
  readonly input_parameters: Parameters
  readonly output_parameters: Parameters
}

export interface SlackOptions {
  /** 0 (the default) takes a free one. */
  readonly port?: number
  readonly clock?: Clock
  readonly people?: readonly PersonOption[]
  readonly channels?: readonly ChannelOption[]
  readonly usergroups?: readonly UsergroupOption[]
  readonly commands?: readonly CommandOption[]
  readonly shortcuts?: readonly ShortcutOption[]
  /** Bot scopes that were granted; all that the sandbox knows when left out. */
  readonly scopes?: readonly string[]
  /** The app's steps for Workflow Builder, by their callback ids. */
  readonly functions?: Readonly<Record<string, FunctionOption>>
  /** Events the app subscribed to. */
  readonly events?: readonly string[]
  /** Where payloads go: over sockets, or signed to an address that may be set later. */
  readonly mode?: 'socket' | 'http'
  readonly requestUrl?: string
  readonly team?: { readonly id: string; readonly domain: string; readonly name: string }
  /** The workspace belongs to this organisation of an Enterprise Grid. */
  readonly enterprise?: { readonly id: string; readonly name: string; readonly isInstall?: boolean }
  readonly app?: { readonly id: string; readonly name: string; readonly botUserId: string; readonly botId: string }
  readonly botToken?: string
  readonly appToken?: string
  readonly signingSecret?: string
  /** ms Slack waits for an answer to a command or an interaction; 3,000 unless a test is in a hurry. */
  readonly ackTimeoutMs?: number
  /** 429 for more than about one message a second in one channel. */
  readonly paceRealistically?: boolean
  readonly controls?: readonly Control[]
  readonly tour?: Tour
  /** What the page says above everything else for as long as it is so. */
  readonly plight?: () => Plight | undefined
}

/** What the page leads a newcomer through, one after the other. */
export interface Tour {
  readonly steps: readonly TourStep[]
  /** Called before it begins anew: what its steps bring about has not happened yet. */
  readonly again: () => void
}

/** What has become of something that everything depends on, as a sentence. */
export interface Plight {
  readonly text: string
  readonly isOver: boolean
}

export interface TourStep {
  readonly title: string
  /** What is left to do, or to wait for, once all acts are over. */
  readonly text: string
  readonly acts: readonly TourAct[]
  /** Asked over and over while it is the step that comes next. */
  done(): boolean
  /** Called once it is done. */
  readonly over?: () => void
}

/** One thing to do, as one instruction. Where it has a label, the page does it when somebody presses that. */
type TourAct = { readonly text: string } & (
  | { readonly done: () => boolean }
  | ({
      readonly label: string
      /** Whether what it is for has happened; without it, it is over once it was pressed. */
      readonly done?: () => boolean
    } & ({ readonly line: string } | { readonly as: string } | { readonly control: string }))
)

/** A button in the side drawer of the page: something the world outside does. `run` may answer with a sentence to show. */
export interface Control {
  readonly label: string
  readonly group?: string
  /** Of one that switches something: whether it is on now. */
  readonly isOn?: () => boolean
  /** Of one that is offered only at times: why now, as a sentence; undefined while it is not. */
  readonly offered?: () => string | undefined
  /**
   * Of one that is offered: s after which a page before somebody's eyes presses it by itself, unless somebody there does
   * something; undefined: never.
   */
  readonly by?: () => number | undefined
  /** `person`: the id of whoever presses it. */
  run(person: string): Promise<string | undefined> | string | undefined
}

export type Settings = Required<Omit<SlackOptions, 'requestUrl' | 'enterprise'>> & {
  readonly requestUrl: string | undefined
  readonly enterprise: SlackOptions['enterprise'] | undefined
}

/** Every bot scope the sandbox checks. */
const knownScopes = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'chat:write.public',
  'commands',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'reactions:write',
  'usergroups:read',
  'users:read',
  'users:read.email',
] as const

/** Fills in what was left out: three people, two channels, one command. */
export function settle(options: SlackOptions): Settings {
  return {
    port: 0,
    clock: Date,
    people: [
      { id: 'U0ANA', name: 'ana' },
      { id: 'U0BEN', name: 'ben' },
      { id: 'U0CLEO', name: 'cleo' },
    ],
    channels: [
      { id: 'C0GENERAL', name: 'general' },
      { id: 'C0OPS', name: 'ops' },
    ],
    usergroups: [],
    commands: [{ command: '/endpoint' }],
    shortcuts: [],
    functions: {},
    scopes: knownScopes,
    events: ['app_home_opened'],
    mode: 'socket',
    requestUrl: undefined,
    enterprise: undefined,
    team: { id: 'T0SANDBOX', domain: 'sandbox', name: 'Sandbox' },
    app: { id: 'A0APP', name: 'App', botUserId: 'U0APP', botId: 'B0APP' },
    // Random, so that nothing that listens on this machine can guess them.
    botToken: `xoxb-sandbox-${randomBytes(12).toString('hex')}`,
    appToken: `xapp-1-sandbox-${randomBytes(12).toString('hex')}`,
    signingSecret: randomBytes(16).toString('hex'),
    ackTimeoutMs: 3000,
    paceRealistically: false,
    controls: [],
    tour: { steps: [], again: () => undefined },
    plight: () => undefined,
    ...options,
  }
}
