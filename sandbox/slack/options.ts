import { randomBytes } from 'node:crypto'

/** A wall clock in ms since 1970 (UTC). Tests pass one that they can move. */
export interface Clock {
  now(): number
}

export interface PersonOption {
  readonly id: string
  readonly name: string
  readonly realName?: string
  /** The person's role as the page shows it, such as `approver`. */
  readonly title?: string
  readonly email?: string
  /** IANA name; UTC if left out. */
  readonly tz?: string
  /** As Slack writes it: `ko-KR`. */
  readonly locale?: string
  readonly guest?: 'multi' | 'single'
  readonly deleted?: boolean
  readonly bot?: boolean
  /** A person of another workspace, met in a shared channel; needs a `teamId`. */
  readonly stranger?: boolean
  readonly teamId?: string
  /** The workspaces of an Enterprise Grid organization that the person belongs to. */
  readonly teams?: readonly string[]
  /** The person's id in the organization, if `id` belongs to a single workspace. */
  readonly enterpriseUserId?: string
}

export interface ChannelOption {
  readonly id: string
  readonly name: string
  readonly private?: boolean
  /** Ids of people; every full member if left out. */
  readonly members?: readonly string[]
  readonly archived?: boolean
  readonly extShared?: boolean
  /** True if left out. */
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
}

export interface ShortcutOption {
  readonly callbackId: string
  readonly name: string
}

/** The inputs or outputs of a step, as the manifest declares them. */
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
  /** 0 (the default) takes a free port. */
  readonly port?: number
  readonly clock?: Clock
  readonly people?: readonly PersonOption[]
  readonly channels?: readonly ChannelOption[]
  readonly usergroups?: readonly UsergroupOption[]
  readonly commands?: readonly CommandOption[]
  readonly shortcuts?: readonly ShortcutOption[]
  /** The granted bot scopes; if left out, all that the sandbox knows. */
  readonly scopes?: readonly string[]
  /** The app's steps for Workflow Builder, by their callback ids. */
  readonly functions?: Readonly<Record<string, FunctionOption>>
  /** How payloads are sent: over sockets, or signed to an address that may be set later. */
  readonly mode?: 'socket' | 'http'
  readonly requestUrl?: string
  readonly team?: { readonly id: string; readonly domain: string; readonly name: string }
  /** The Enterprise Grid organization that the workspace belongs to. */
  readonly enterprise?: { readonly id: string; readonly name: string }
  readonly app?: { readonly id: string; readonly name: string; readonly botUserId: string; readonly botId: string }
  readonly botToken?: string
  readonly appToken?: string
  readonly signingSecret?: string
  /** How long Slack waits for an answer to a command or an interaction, ms; 3,000 by default. */
  readonly ackTimeoutMs?: number
  /** Answers 429 to more than about one message a second in a channel. */
  readonly paceRealistically?: boolean
  readonly controls?: readonly Control[]
  readonly tour?: Tour
  /** Returns a notice that the page shows above everything else; undefined if there is none. */
  readonly plight?: () => Plight | undefined
}

/** The steps through which the page leads a newcomer, in order. */
export interface Tour {
  readonly steps: readonly TourStep[]
  /** Called before the tour begins again; resets what its steps wait for. */
  readonly again: () => void
}

/** A notice about something that everything depends on, as a sentence. */
export interface Plight {
  readonly text: string
  readonly isOver: boolean
}

export interface TourStep {
  readonly title: string
  /** What is left to do, or to wait for, once all acts are done. */
  readonly text: string
  readonly acts: readonly TourAct[]
  /** Polled while this is the current step. */
  done(): boolean
  /** Called once the step is done. */
  readonly over?: () => void
}

/** One instruction. If it has a label, it is also a button that makes the page carry it out. */
type TourAct = { readonly text: string } & (
  | { readonly done: () => boolean }
  | ({
      readonly label: string
      /** Whether its effect has happened; if left out, the act is done once its button was pressed. */
      readonly done?: () => boolean
    } & ({ readonly line: string; readonly as?: string } | { readonly as: string } | { readonly control: string }))
)

/** A button in the page's side drawer for an event outside Slack. `run` may return a sentence to show. */
export interface Control {
  readonly label: string
  readonly group?: string
  /** Only for a switch: whether it is on now. */
  readonly isOn?: () => boolean
  /** Only for a button offered at times: why it is offered now, as a sentence; undefined while it isn't. */
  readonly offered?: () => string | undefined
  /**
   * Only for a button offered at times: seconds after which a visible page presses it by itself, unless somebody there
   * acts; undefined means never.
   */
  readonly by?: () => number | undefined
  /** `person`: the id of the person who presses. */
  run(person: string): Promise<string | undefined> | string | undefined
}

export type Settings = Required<Omit<SlackOptions, 'requestUrl' | 'enterprise'>> & {
  readonly requestUrl: string | undefined
  readonly enterprise: SlackOptions['enterprise'] | undefined
}

const knownScopes = [
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
  'usergroups:read',
  'users:read',
  'users:read.email',
] as const

/** Fills in the defaults, such as three people, two channels and one command. */
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
    mode: 'socket',
    requestUrl: undefined,
    enterprise: undefined,
    team: { id: 'T0SANDBOX', domain: 'sandbox', name: 'Sandbox' },
    app: { id: 'A0APP', name: 'App', botUserId: 'U0APP', botId: 'B0APP' },
    // Random, so that no other program on this machine can guess them.
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
