import { folded } from './endpoint.ts'
import { type Actor, includes, type Role } from './roles.ts'
import { type Sentence, say, type Words } from './words.ts'

/** The highest role of a program, even if its person has a higher one. */
export const tokenRoles = ['viewer', 'operator'] as const
type TokenRole = (typeof tokenRoles)[number]

/** Lets a program read and propose on behalf of the person who made it. Times in ms since 1970. */
export interface AccessToken {
  readonly kind: 'token'
  readonly id: string
  /** The person's name for it: "ci of team a". */
  readonly name: string
  readonly by: Actor
  readonly role: TokenRole
  readonly at: number
  readonly until: number
  /** SHA-256 of the secret, in base64url. The secret itself is never stored. */
  readonly digest: string
  /** A terminal made the secret, which never left it. */
  readonly terminal?: true
  /** The record is kept for a week, so that a terminal's code is never accepted again. */
  readonly revoked?: true
  /** The only commands it may use, and patterns of the only endpoints; all if omitted. */
  readonly only?: readonly string[]
  readonly on?: readonly string[]
}

/** The limit of a token that only opens a calendar. It is not a command. */
const calendarFence = 'calendar'

/** Whether a token belongs to a calendar's address. It cannot hand in lines, and no other token opens a calendar. */
export function isCalendar({ only = [] }: { readonly only?: readonly string[] | undefined }): boolean {
  return only.length === 1 && only[0] === calendarFence
}

/** How cards name programs that propose without a token. */
export const programNames = { chat: 'Slackbot', workflow: 'Workflow Builder' } as const

/** Whether a token's name could be mistaken for one of those. */
export function isTakenName(name: string): boolean {
  return Object.values(programNames).some((own) => folded(own) === folded(name))
}

/** "operator, only start, on tag:ci · until …" */
export function limitsOf(token: Omit<AccessToken, 'name' | 'by'>): Sentence {
  return say('tokens.one', { role: token.role, only: { all: token.only ?? [] }, ...limitsIn(token) })
}

function limitsIn({ until, only = [], on = [] }: Pick<AccessToken, 'until' | 'only' | 'on'>) {
  const yesIf = (names: readonly string[]) => (names.length === 0 ? 'no' : 'yes')
  return { until: { at: until }, limited: yesIf(only), fenced: yesIf(on), on: { any: on } }
}

/** Says what a token can do: "It may ask for everything that operators may, on tag:ci, until …". `mine`: its owner's role. */
export function tokenMeans(token: AccessToken, mine: Role | null): Words {
  const { limited, ...limits } = limitsIn(token)
  // Everyone who sees the card can read this.
  const by = { person: token.by }
  if (isCalendar(token)) return [say('token.calendar', limits), say('token.bySelf', { by, what: 'address' })]
  const role = includes(mine, token.role) ? token.role : 'viewer'
  const only = token.only === undefined ? 'all' : { all: token.only }
  return [
    say('token.means', { by, role, only, limited, ...limits }),
    token.terminal === true ? '' : say('token.bySelf', { by, what: 'token' }),
  ]
}

/** The program that handed in a request: with a token, through the chat's own client, or as a workflow. */
export interface Through {
  /** A token's id, `chat` or `workflow`. */
  readonly token: string
  readonly name: string
  /** A digest of the line as it was sent. The stored line has names in place of people's ids. */
  readonly sent?: string
  readonly step?: WorkflowStep
}

/** Returns the name of the program that handed in a request, or the one-time schedule that the request carries out. */
export function programOf(request: { readonly through?: Through; readonly proposer?: string }): string | undefined {
  return request.through?.name ?? request.proposer
}

export interface WorkflowStep {
  readonly name: string
  /** The chat's id of this run. */
  readonly run: string
}

export function isLive({ until, revoked }: AccessToken, now: number): boolean {
  return revoked !== true && now < until
}

export function tokenKey(id: string): string {
  return `token:${id}`
}

/** Returns the token id in a secret: `lamp_`, 22 letters of the id and 43 more. Undefined for other texts. */
export function tokenIdIn(secret: string): string | undefined {
  return /^lamp_([\w-]{22})[\w-]{43}$/.exec(secret)?.[1]
}

/** How long a terminal's code is valid and its person is asked, ms. */
export const codeLife = 10 * 60_000

/** Writes a terminal's code: `<minute>.<id><digest>`. `digest`: the secret's SHA-256, in base64url; `now` in ms. */
export function writeCode(secret: string, digest: string, now: number): string {
  return `${Math.floor(now / 60_000).toString(36)}.${tokenIdIn(secret) ?? ''}${digest}`
}

/** Reads a terminal's code. `stale`: it is too old, or was made by a clock that is far ahead. */
export function readCode(code: string, now: number): Pick<AccessToken, 'id' | 'digest'> | 'bad' | 'stale' {
  const [, minute, id, digest] = /^([0-9a-z]{1,8})\.([\w-]{22})([\w-]{43})$/.exec(code) ?? []
  if (minute === undefined || id === undefined || digest === undefined) return 'bad'
  return Math.abs(now - Number.parseInt(minute, 36) * 60_000) > codeLife ? 'stale' : { id, digest }
}
