import type { HomeView } from '@slack/types'
import type { Commands } from '../../../core/commands/commands.ts'
import type { UpcomingChange } from '../../../core/model/answer.ts'
import type { Endpoint } from '../../../core/model/endpoint.ts'
import type { Request } from '../../../core/model/request.ts'
import { type Actor, includes } from '../../../core/model/roles.ts'
import { say, type Words } from '../../../core/model/words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { instant, lasting } from '../../../core/time/format.ts'
import { asText } from '../../../core/words/render.ts'
import { startStopButtons } from '../../../features/endpoints/actions.ts'
import { stateOf, stepIn } from '../../../features/endpoints/state.ts'
import { automaticIn } from '../../../features/savings/compute.ts'
import { savingsText } from '../../../features/savings/format.ts'
import { cardOf, noticeIn } from '../../../lifecycle/messages/card.ts'
import { linePieces, parsedBy } from '../../../lifecycle/messages/facts.ts'
import { contextLine, paragraph, row } from '../kit/blocks.ts'
import { button, buttons, offerButton } from '../kit/buttons.ts'
import type { AnyBlock } from '../kit/chart.ts'
import { shortened, truncate } from '../kit/text.ts'
import { drawn, idIn } from '../messages/draw.ts'
import { asksShown, withIds } from './asks.ts'

export interface Corner extends Overview {
  readonly commands: Commands
}

/** Entries of each list, few enough that several projects stay within Slack's 100 blocks. */
const max = { asks: 8, own: 8, endpoints: 20, coming: 10 } as const
const maxBlocks = 100

/** A person's open questions and requests, coming changes, savings, and the endpoints with their buttons. */
export function homeView(corners: readonly Corner[], viewer: Actor, now: number): HomeView {
  const mine = corners.filter(({ role }) => role !== null)
  if (mine.length === 0) return { type: 'home', blocks: [paragraph(noRole), buttons(refresh)] }
  const share = Math.max(1, Math.floor(max.endpoints / mine.length))
  const named = mine.length > 1
  const waiting = mine.flatMap((corner) => asksShown(corner, corner.commands, { most: max.asks, named }, 'en'))
  const asked = mine.flatMap((corner) => askedBy(viewer, corner, named, now))
  const stopping = mine.flatMap((corner) => stoppingIn(corner, named, now))
  const blocks: AnyBlock[] = [
    ...section('Waits for you', waiting.length > 0 ? waiting : [contextLine('Nothing waits for you.')]),
    ...section('You have asked for', asked),
    ...section('Stopping soon', stopping),
    ...section('Starts and stops in the next 24 h', comingIn(mine)),
    ...section('Saved this week', savedIn(mine)),
    ...mine.flatMap((corner) => endpointsOf(corner, named, share, now)),
  ]
  return { type: 'home', blocks: [...blocks.slice(0, maxBlocks - 1), foot()] }
}

/** Shown if a lookup has failed. */
export function troubleView(): HomeView {
  const says = 'I could not look everything up just now, so I show nothing rather than half of it. Refresh in a minute.'
  return { type: 'home', blocks: [paragraph(says), foot()] }
}

const noRole = 'You have no role in any project here; an administrator can give you one in lamplighter.yaml.'

const refresh = button('Refresh', 'refresh', 'refresh')

function foot(): AnyBlock {
  return buttons(button(asText(say('menu.open')), 'menu', 'top'), refresh)
}

function section(title: string, found: readonly AnyBlock[]): readonly AnyBlock[] {
  return found.length > 0 ? [paragraph({ bold: title }), ...found] : []
}

/** Announced stops, which happen unless somebody keeps the endpoint up. */
function stoppingIn({ project, commands, mayAnswer, open }: Corner, named: boolean, now: number): readonly AnyBlock[] {
  const notices = open.filter((request) => noticeIn(request) !== null && mayAnswer(request)).slice(0, max.asks)
  return notices.flatMap((request, at) => {
    const { blocks } = drawn(cardOf(parsedBy(commands, request), now), 'en')
    return withIds(project, `notice.${at}`, [...blocks, ...(named ? [contextLine(`Project ${project}`)] : [])])
  })
}

function askedBy(
  viewer: Actor,
  { project, commands, mayAnswer, open }: Corner,
  named: boolean,
  now: number,
): readonly AnyBlock[] {
  return open
    .filter((request) => request.actor.user === viewer.user && !(request.status === 'awaiting' && mayAnswer(request)))
    .slice(0, max.own)
    .map((request) => parsedBy(commands, request))
    .flatMap((request) => [
      row([request.plan === undefined ? 'Taken up, and not looked at yet.' : asText(cardOf(request, now).says)]),
      contextLine(...linePieces(request), named ? `Project ${project}` : ''),
    ])
}

function savedIn(corners: readonly Corner[]): readonly AnyBlock[] {
  const sums = corners.flatMap(({ project, saved }) =>
    saved === null ? [] : [[project, savingsText(saved.currency)(automaticIn(saved.total))] as const],
  )
  if (sums.length === 0) return []
  const lines = sums.map(([project, sum]) => (corners.length > 1 ? `${project}: ${sum}` : sum))
  return [
    paragraph(`${lines.join(' · ')} by schedules and the idle watch`),
    contextLine('By endpoint and day: /endpoint savings 7d'),
  ]
}

function endpointsOf(
  { project, role, listed, open, coming }: Corner,
  named: boolean,
  share: number,
  now: number,
): readonly AnyBlock[] {
  const title = paragraph({ bold: named ? `Endpoints of ${project}` : 'Endpoints' })
  if (listed === null)
    return [title, contextLine('They have not been listed yet. Look again in a minute, or type /endpoint list.')]
  const { endpoints, at } = listed
  const sorted = endpoints.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en'))
  const shown = sorted.slice(0, share).map((endpoint, nth) => {
    const [first] = includes(role, 'operator') ? startStopButtons(endpoint) : []
    const offer = first && offerButton({ ...first, label: truncate(asText(first.label), 40) }, nth)
    const block = row([endpoint.name, asText(stateOf(endpoint, nextOf(endpoint)))], offer, 300)
    return { ...block, block_id: idIn(project, `endpoint.${nth}`) }
  })
  const more = endpoints.length - shown.length

  /** The announced stop, or else the next change by its rules. */
  function nextOf({ id, active }: Endpoint): Words {
    const notice = open.find((request) => request.endpoint?.id === id && noticeIn(request) !== null)
    const due = notice === undefined ? null : noticeIn(notice)
    if (due !== null) return stepIn('stops', due.due - now, notice?.via === 'idle' ? 'idle' : 'schedule')
    const next = coming.find((one) => one.endpoint.id === id)
    if (next === undefined || (next.want === 'down') !== active) return ''
    return stepIn(next.want === 'down' ? 'stops' : 'starts', next.at - now, 'schedule')
  }

  const age = `Seen ${now - at < 60_000 ? 'less than a minute' : lasting(now - at)} ago.`
  return [title, ...shown, contextLine(more > 0 ? `${age} ${more.toLocaleString('en')} more: /endpoint list` : age)]
}

function rank({ active }: Endpoint): number {
  return active === false ? 1 : 0
}

/** The next changes by rules and the idle watch, in all projects, in their order. */
function comingIn(corners: readonly Corner[]): readonly AnyBlock[] {
  const all = corners.flatMap(({ project, coming, open }) => {
    const where = corners.length > 1 ? ` (project ${project})` : ''
    return [...coming, ...open.flatMap(idleIn)].map((one) => ({ why: '', ...one, where }))
  })
  if (all.length === 0) return []
  const next = all.sort((a, b) => a.at - b.at).slice(0, max.coming)
  return [
    ...next.map(({ endpoint, at, want, why, where }) =>
      paragraph({ bold: shortened(endpoint.name, 60) }, `${where}: ${want} ${instant(at)}${why}`),
    ),
    contextLine('All that is laid down: /endpoint schedules'),
  ]
}

function idleIn(request: Request): readonly (UpcomingChange & { readonly why: string })[] {
  const { via, endpoint } = request
  const notice = noticeIn(request)
  if (via !== 'idle' || notice === null || endpoint === undefined) return []
  return [{ endpoint, at: notice.due, want: 'down', why: ', since nobody uses it' }]
}
