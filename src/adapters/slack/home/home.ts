import type { HomeView } from '@slack/types'
import { starterPolicy } from '../../../core/model/policy.ts'
import { freezeAt } from '../../../core/model/records.ts'
import type { Request } from '../../../core/model/request.ts'
import { type Actor, includes } from '../../../core/model/roles.ts'
import { type Language, type Sentence, say } from '../../../core/model/words.ts'
import { dotted, parsedBy } from '../../../core/requests/in-words.ts'
import { program } from '../../../core/text/program.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import { asText, rendered } from '../../../core/words/render.ts'
import { freezeItems } from '../../../features/safeguards/freeze.ts'
import { isLeast, savingsText, shownSum } from '../../../features/savings/format.ts'
import { changesAhead } from '../../../lifecycle/messages/ahead.ts'
import { cardOf, noticeIn, standingOf } from '../../../lifecycle/messages/card.ts'
import { smallPart, textPart } from '../../../lifecycle/messages/draft.ts'
import { type AnyBlock, contextLine, header, paragraph, preformatted } from '../kit/blocks.ts'
import { button, buttons, offerButton } from '../kit/buttons.ts'
import { blocksOf, drawn, tagWithProject } from '../messages/draw.ts'
import { type Ahead, aheadIn, laterIn } from './ahead.ts'
import { asksIn, asksShown, type Corner, endpointsOf, idlingIn, runningIn } from './glance.ts'

/** How many entries each list may have, so that all of them fit into Slack's 100 blocks. */
const max = { asks: 4, notices: 3, own: 5, endpoints: 20 } as const
const maxBlocks = 100

export function homeView(
  corners: readonly Corner[],
  viewer: Actor,
  now: number,
  language: Language,
  hasPolicy = true,
): HomeView {
  const mine = corners.filter(({ role }) => role !== null)
  const text = (words: Sentence) => asText(words, language)
  if (mine.length === 0)
    return { type: 'home', blocks: [paragraph(text(say('home.noRole'))), buttons(refresh(language))] }
  const share = (most: number) => Math.max(1, Math.floor(most / mine.length))
  const named = mine.length > 1
  const blocks: AnyBlock[] = [
    ...(hasPolicy ? [] : setUpFor(viewer, language)),
    ...section(say('home.waiting'), waitingIn()),
    ...section(
      say('home.running'),
      mine.flatMap((corner) => runningIn(corner, named, language)),
    ),
    ...mine.flatMap((corner) => tagWithProject(corner.project, idlingIn(corner, language), 'idle')),
    ...section(say('home.ahead'), aheadOrNone()),
    ...section(say('home.asked'), mine.flatMap(askedBy)),
    ...section(say('home.saved'), savedIn(mine, language)),
    ...mine.flatMap((corner) => endpointsOf(corner, named, share(max.endpoints), now, language)),
  ]
  return { type: 'home', blocks: [top(language), ...blocks].slice(0, maxBlocks) }

  function section(title: Sentence, found: readonly AnyBlock[]): readonly AnyBlock[] {
    return found.length > 0 ? [header(text(title)), ...found] : []
  }

  function aheadOrNone(): readonly AnyBlock[] {
    const ahead = mine.flatMap(aheadOf).toSorted((a, b) => a.at - b.at)
    const soon = ahead.filter(({ at }) => at < now + dayMs)
    const isShown = ({ endpoint, at }: Ahead) =>
      mine.flatMap(announcedTo).some((one) => one.endpoint?.id === endpoint.id && one.ask?.due === at)
    const listed = soon.filter((one) => !isShown(one))
    const found = [...mine.flatMap(frozen), ...mine.flatMap(stopping), ...aheadIn(soon, listed, mine, now, language)]
    return found.length > 0 ? found : laterIn(ahead, mine, language)
  }

  function frozen({ project, role, records }: Corner): readonly AnyBlock[] {
    const offer = { label: say('thaw.ask'), line: 'thaw' }
    const end = includes(role, 'operator') ? [buttons(offerButton(offer, 0, language))] : []
    return freezeItems(freezeAt(records, now)).flatMap(({ text: says }) => {
      const where = named ? [contextLine(text(say('home.project', { project })))] : []
      return tagWithProject(project, [paragraph(...rendered(says, language)), ...end, ...where], 'frozen')
    })
  }

  function waitingIn(): readonly AnyBlock[] {
    const shown = { most: share(max.asks), named }
    const asks = mine.flatMap((corner) => asksShown(corner, corner.commands, shown, language))
    const more = mine.reduce((sum, corner) => sum + Math.max(0, asksIn(corner).length - shown.most), 0)
    if (asks.length === 0) return [contextLine(text(say('home.nothing')))]
    return more > 0 ? [...asks, contextLine(text(say('home.moreWaiting', { count: more })))] : asks
  }

  function announcedTo({ mayAnswer, open }: Corner): readonly Request[] {
    return open.filter((one) => noticeIn(one) !== null && mayAnswer(one)).slice(0, share(max.notices))
  }

  /** Shows announced stops, which happen unless somebody keeps the endpoint running. */
  function stopping({ project, ...corner }: Corner): readonly AnyBlock[] {
    return announcedTo({ project, ...corner }).flatMap((request, at) => {
      const { blocks: card } = drawn(cardOf(parsedBy(corner.commands, request), now), language)
      const where = named ? [contextLine(text(say('home.project', { project })))] : []
      return tagWithProject(project, [...card, ...where], `notice.${at}.`)
    })
  }

  function askedBy({ project, commands, mayAnswer, open }: Corner): readonly AnyBlock[] {
    return open
      .filter((request) => request.actor.user === viewer.user && !(request.status === 'awaiting' && mayAnswer(request)))
      .slice(0, share(max.own))
      .map((request) => parsedBy(commands, request))
      .flatMap((request) => {
        const { parts } = cardOf(request, now)
        const shown =
          request.plan === undefined ? [textPart(say('home.queued'))] : parts.filter(({ kind }) => kind !== 'small')
        const small = dotted(standingOf(request), named ? say('home.project', { project }) : '')
        return [...shown, ...(small === '' ? [] : [smallPart(small)])].flatMap((part) => blocksOf(part, language))
      })
  }
}

function setUpFor({ user }: Actor, language: Language): readonly AnyBlock[] {
  const you = [`user:${user}`]
  return [
    header(asText(say('home.setUp'), language)),
    paragraph(asText(say('home.noPolicy', { program }), language)),
    paragraph(asText(say('home.setUpLines'), language)),
    preformatted(
      starterPolicy([
        ['operator', you],
        ['admin', you],
      ]),
    ),
  ]
}

export function troubleView(language: Language): HomeView {
  return { type: 'home', blocks: [top(language), paragraph(asText(say('home.trouble'), language))] }
}

function top(language: Language): AnyBlock {
  return buttons(button(asText(say('menu.open'), language), 'menu', 'top', 'primary'), refresh(language))
}

function refresh(language: Language) {
  return button(asText(say('home.refresh'), language), 'refresh', 'refresh')
}

function aheadOf({ project, listed, ...corner }: Corner): readonly Ahead[] {
  return changesAhead({ ...corner, endpoints: listed?.endpoints ?? [] }).map((one) => ({ ...one, project }))
}

function savedIn(corners: readonly Corner[], language: Language): readonly AnyBlock[] {
  const sums = corners.flatMap(({ project, saved }) => {
    if (saved === null) return []
    const sum = asText(savingsText(saved.currency)(shownSum([saved.total.schedule, saved.total.idle])), language)
    const whole = isLeast(saved) ? asText(say('home.savedLeast', { sum }), language) : sum
    return [corners.length > 1 ? `${project}: ${whole}` : whole]
  })
  if (sums.length === 0) return []
  return [
    paragraph(asText(say('home.savedBy', { sums: sums.join(' · ') }), language)),
    buttons(offerButton({ label: say('home.savings'), line: 'savings 7d' }, 0, language)),
  ]
}
