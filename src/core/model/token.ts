import { folded } from './endpoint.ts'
import type { Actor } from './roles.ts'
import { type Sentence, say } from './words.ts'

/** What a program may do at most in somebody's name, whatever that person may. */
export const tokenRoles = ['viewer', 'operator'] as const
export type TokenRole = (typeof tokenRoles)[number]

/** Lets a program read and propose for the person who made it. Times in ms since 1970. */
export interface AccessToken {
  readonly kind: 'token'
  readonly id: string
  /** What its person calls it: "ci of team a". */
  readonly name: string
  readonly by: Actor
  readonly role: TokenRole
  readonly at: number
  readonly until: number
  /** SHA-256 of the secret, in base64url. The secret itself is stored nowhere. */
  readonly digest: string
  /** Its secret was made by a terminal, and never left it. */
  readonly terminal?: true
  /** Its record stays for a week, so that a terminal's code never counts again. */
  readonly revoked?: true
  /** The only commands it may hand in, and patterns of the only endpoints; all where left out. */
  readonly only?: readonly string[]
  readonly on?: readonly string[]
}

/** The fence of a token that only opens a calendar; it names no command. */
const calendarFence = 'calendar'

/** Whether a token stands in the address of a calendar. It hands in nothing, and no other token opens a calendar. */
export function isCalendar({ only = [] }: { readonly only?: readonly string[] | undefined }): boolean {
  return only.length === 1 && only[0] === calendarFence
}

/** What cards call what proposes without a token of its own. */
export const programNames = { chat: 'Slackbot', workflow: 'Workflow Builder' } as const

/** Whether a token of this name would pass for one of those. */
export function isTakenName(name: string): boolean {
  return Object.values(programNames).some((own) => folded(own) === folded(name))
}

/** "operator, only start, on tag:ci · until …" */
export function limitsOf({ role, until, only = [], on = [] }: Omit<AccessToken, 'name' | 'by'>): Sentence {
  return say('tokens.one', {
    role,
    until: { at: until },
    limited: only.length === 0 ? 'no' : 'yes',
    only: { all: only },
    fenced: on.length === 0 ? 'no' : 'yes',
    on: { any: on },
  })
}

/** The program that handed a request in: by a token, through the chat's own client for programs, or as a workflow. */
export interface Through {
  /** The id of a token, `chat` or `workflow`. */
  readonly token: string
  readonly name: string
  /** The step of a workflow that waits for the end. */
  readonly step?: WorkflowStep
}

/** One run of a step that somebody has built into a workflow of the chat. */
export interface WorkflowStep {
  readonly name: string
  /** The chat's id of this run. */
  readonly run: string
}

/** How long what a terminal shows counts, and how long its person is asked, ms. */
export const codeLife = 10 * 60_000

export function isLive({ until, revoked }: AccessToken, now: number): boolean {
  return revoked !== true && now < until
}

export function tokenKey(id: string): string {
  return `token:${id}`
}

/** The id in a secret, `lamp_` with 22 letters of the id and 43 more. Undefined where it is no secret of ours. */
export function tokenIdIn(secret: string): string | undefined {
  return /^lamp_([\w-]{22})[\w-]{43}$/.exec(secret)?.[1]
}
