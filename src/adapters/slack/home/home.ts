import type { HomeView, KnownBlock } from '@slack/types'
import type { Commands } from '../../../core/commands/commands.ts'
import type { Actor } from '../../../core/model/actor.ts'
import type { Coming, Savings } from '../../../core/model/answer.ts'
import { type Endpoint, stateOf } from '../../../core/model/endpoint.ts'
import type { Request } from '../../../core/model/request.ts'
import { includes, type Role } from '../../../core/model/roles.ts'
import { instant, lasting } from '../../../core/time/format.ts'
import { switchesOf } from '../../../features/endpoints/list.ts'
import { automaticIn } from '../../../features/savings/compute.ts'
import { sumText } from '../../../features/savings/format.ts'
import { stepText } from '../../../features/schedules/rules/describe.ts'
import { button, buttons, offerButton, paragraph, row, small } from '../kit/blocks.ts'
import { idIn } from '../kit/project-tag.ts'
import { shortened } from '../kit/rich-text.ts'
import { cut } from '../kit/text.ts'
import type { MembersOf } from '../messages/approvers.ts'
import { cardOf } from '../messages/card.ts'
import { becauseOf, lineOf, parsedBy } from '../messages/facts.ts'
import { noticeIn } from '../messages/notice.ts'
import { askOf } from '../messages/question.ts'

/** What one project shows of itself on somebody's Home. */
export interface Corner {
  readonly project: string
  readonly commands: Commands
  /** Of the person who looks; null: none here. */
  readonly role: Role | null
  /** What the person who looks may answer. Whoever presses is looked up again. */
  readonly mayAnswer: (request: Request) => boolean
  /** Named at a question; nobody is called by a Home. */
  readonly membersOf: MembersOf
  readonly open: readonly Request[]
  /** What rules bring about within a day, the next first. */
  readonly coming: readonly Coming[]
  /** By rules within a week; null: not found out in time. */
  readonly saved: Pick<Savings, 'total' | 'currency'> | null
  /** As last listed, `at` ms since 1970; null while nothing has been listed. */
  readonly listed: { readonly at: number; readonly endpoints: readonly Endpoint[] } | null
}

/** As many as a person looks through, and few enough that several projects stay within Slack's 100 blocks. */
const most = { asks: 8, own: 8, endpoints: 20 } as const
/** Slack's own limit, slack.md 4.3. */
const mostBlocks = 100

/** What waits for somebody, what they have asked for, and the endpoints with their buttons. */
export function homeView(corners: readonly Corner[], viewer: Actor, now: number): HomeView {
  const mine = corners.filter(({ role }) => role !== null)
  if (mine.length === 0) return { type: 'home', blocks: [paragraph(noRole), buttons(refresh)] }
  const share = Math.max(1, Math.floor(most.endpoints / mine.length))
  const blocks: KnownBlock[] = [
    ...section(
      'Waits for you',
      mine.flatMap((corner) => waiting(corner, mine.length > 1)),
      'Nothing waits for you.',
    ),
    ...section(
      'You have asked for',
      mine.flatMap((corner) => asked(corner, mine.length > 1, viewer, now)),
      '',
    ),
    ...section(
      'Stopping soon',
      mine.flatMap((corner) => stopping(corner, mine.length > 1, now)),
      '',
    ),
    ...section('Starts and stops in the next 24 h', forthcoming(mine), ''),
    ...section('Saved this week', savedIn(mine), ''),
    ...mine.flatMap((corner) => endpointsOf(corner, mine.length > 1, share, now)),
  ]
  return { type: 'home', blocks: [...blocks.slice(0, mostBlocks - 1), foot()] }
}

/** What stands there when something could not be looked up. */
export function troubleView(): HomeView {
  const says = 'I could not look everything up just now, so I show nothing rather than half of it. Refresh in a minute.'
  return { type: 'home', blocks: [paragraph(says), foot()] }
}

const noRole = 'You have no role in any project here; an administrator can give you one in lamplighter.yaml.'

const refresh = button('Refresh', 'refresh', 'refresh')

function foot(): KnownBlock {
  return buttons(button('Menu', 'menu', 'menu'), refresh)
}

function section(title: string, found: readonly KnownBlock[], otherwise: string): readonly KnownBlock[] {
  if (found.length > 0) return [paragraph({ bold: title }), ...found]
  return otherwise === '' ? [] : [paragraph({ bold: title }), small(otherwise)]
}

/** Questions this person may answer, with the very words and buttons of their thread; the reason before the buttons. */
function waiting({ project, commands, mayAnswer, membersOf, open }: Corner, named: boolean): readonly KnownBlock[] {
  const asks = open.filter((request) => isQuestion(request) && mayAnswer(request)).slice(0, most.asks)
  return asks.flatMap((one, at) => {
    const request = parsedBy(commands, one)
    const { blocks } = askOf(request, membersOf)
    const who = small({ person: request.actor }, ...lineOf(request))
    return [
      ...blocks.filter(({ type }) => type !== 'actions'),
      ...becauseOf(request),
      who,
      ...(named ? [small(`Project ${project}`)] : []),
      ...blocks.filter(({ type }) => type === 'actions'),
    ].map((block, part) => ({ ...block, block_id: idIn(project, `ask.${at}.${part}`) }))
  })
}

/** Stops that happen unless somebody keeps the endpoint up. Nothing has to be answered. */
function stopping({ project, commands, mayAnswer, open }: Corner, named: boolean, now: number): readonly KnownBlock[] {
  const notices = open.filter((request) => noticeIn(request) !== null && mayAnswer(request)).slice(0, most.asks)
  return notices.flatMap((request, at) =>
    [...cardOf(parsedBy(commands, request), now).blocks, ...(named ? [small(`Project ${project}`)] : [])].map(
      (block, part) => ({
        ...block,
        block_id: idIn(project, `notice.${at}.${part}`),
      }),
    ),
  )
}

function isQuestion(request: Request): boolean {
  return request.status === 'awaiting' && noticeIn(request) === null
}

function asked(
  { project, commands, mayAnswer, open }: Corner,
  named: boolean,
  viewer: Actor,
  now: number,
): readonly KnownBlock[] {
  return open
    .filter((request) => request.actor.user === viewer.user && !(request.status === 'awaiting' && mayAnswer(request)))
    .slice(0, most.own)
    .map((request) => parsedBy(commands, request))
    .flatMap((request) => [
      row([request.plan === undefined ? 'Taken up, and not looked at yet.' : cardOf(request, now).text]),
      small(...lineOf(request), named ? `Project ${project}` : ''),
    ])
}

function savedIn(corners: readonly Corner[]): readonly KnownBlock[] {
  const told = corners.flatMap(({ project, saved }) =>
    saved === null ? [] : [[project, sumText(saved.currency)(automaticIn(saved.total))] as const],
  )
  if (told.length === 0) return []
  const lines = told.map(([project, sum]) => (corners.length > 1 ? `${project}: ${sum}` : sum))
  return [
    paragraph(`${lines.join(' · ')} by schedules and the idle watch`),
    small('By endpoint and day: /endpoint savings 7d'),
  ]
}

function endpointsOf(
  { project, role, listed, open, coming }: Corner,
  named: boolean,
  share: number,
  now: number,
): readonly KnownBlock[] {
  const title = paragraph({ bold: named ? `Endpoints of ${project}` : 'Endpoints' })
  if (listed === null)
    return [title, small('They have not been listed yet. Look again in a minute, or type /endpoint list.')]
  const { endpoints, at } = listed
  const sorted = endpoints.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en'))
  const shown = sorted.slice(0, share).map((endpoint, nth) => {
    const [first] = includes(role, 'operator') ? switchesOf(endpoint) : []
    const beside = first && offerButton({ ...first, label: cut(first.label, 40) }, nth)
    return {
      ...row([endpoint.name, stateOf(endpoint, nextOf(endpoint))], beside, 300),
      block_id: idIn(project, `endpoint.${nth}`),
    }
  })
  const more = endpoints.length - shown.length

  /** What is next in time for it: a stop that was announced, else what its rules bring within a day. */
  function nextOf({ id, active }: Endpoint): string {
    const notice = open.find((request) => request.endpoint?.id === id && noticeIn(request) !== null)
    const due = notice === undefined ? null : noticeIn(notice)
    if (due !== null) return stepText('stops', due.due - now, notice?.via === 'idle' ? 'idle' : 'schedule')
    const next = coming.find((one) => one.endpoint.id === id)
    if (next === undefined || (next.want === 'down') !== active) return ''
    return stepText(next.want === 'down' ? 'stops' : 'starts', next.at - now, 'schedule')
  }

  const age = `Seen ${now - at < 60_000 ? 'less than a minute' : lasting(now - at)} ago.`
  return [title, ...shown, small(more > 0 ? `${age} ${more.toLocaleString('en')} more: /endpoint list` : age)]
}

function rank({ active }: Endpoint): number {
  return active === false ? 1 : 0
}

/** As many as a person looks through. */
const mostComing = 10

/** What rules and the idle watch will bring about in all projects together, in its order. */
function forthcoming(corners: readonly Corner[]): readonly KnownBlock[] {
  const all = corners
    .flatMap(({ project, coming, open }) =>
      [...coming.map((one) => ({ ...one, why: '' })), ...open.flatMap(idleIn)].map((one) => ({
        ...one,
        project: corners.length > 1 ? ` (project ${project})` : '',
      })),
    )
    .sort((a, b) => a.at - b.at)
  if (all.length === 0) return []
  const next = all.slice(0, mostComing)
  return [
    ...next.map(({ endpoint, at, want, why, project }) =>
      paragraph({ bold: shortened(endpoint.name, 60) }, `${project}: ${want} ${instant(at)}${why}`),
    ),
    small('All that is laid down: /endpoint schedules'),
  ]
}

/** A stop for idleness of which people have been told. */
function idleIn(request: Request): readonly (Coming & { readonly why: string })[] {
  const { via, endpoint } = request
  const notice = noticeIn(request)
  if (via !== 'idle' || notice === null || endpoint === undefined) return []
  return [{ endpoint, at: notice.due, want: 'down', why: ', since nobody uses it' }]
}
