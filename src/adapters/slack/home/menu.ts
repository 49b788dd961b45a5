import type { ModalView } from '@slack/types'
import { type Commands, isFromTable } from '../../../core/commands/commands.ts'
import type { Row } from '../../../core/commands/define.ts'
import { inGroups, titleOf } from '../../../core/commands/help.ts'
import { hiddenText, mayWrite, rowsFor } from '../../../core/commands/permissions.ts'
import { maybeSay } from '../../../core/commands/phrases.ts'
import type { Endpoint } from '../../../core/model/endpoint.ts'
import type { Offer } from '../../../core/model/query-answer.ts'
import { type Language, type Sentence, say } from '../../../core/model/words.ts'
import type { menuAt } from '../../../core/requests/overview.ts'
import { asText, rendered } from '../../../core/words/render.ts'
import { allActions, markOf } from '../../../features/endpoints/state.ts'
import type { Pause } from '../../../features/safeguards/freeze.ts'
import { type AnyBlock, contextLine, type Message, message, paragraph, plain } from '../kit/blocks.ts'
import { button, buttons, nameRow, offered, opening } from '../kit/buttons.ts'
import { tagWithProject } from '../messages/draw.ts'
import { asksIn, asksShown } from './glance.ts'

export interface MenuOf extends Awaited<ReturnType<typeof menuAt>> {
  readonly commands: Commands
}

/** `top`: open questions, an endpoint picker and six commands; `more`: all commands; otherwise one endpoint. */
export type MenuPage = 'top' | 'more' | EndpointPage

interface EndpointPage {
  readonly endpoint: Endpoint
  /** The state at the last read. */
  readonly state: Sentence
  readonly pauses: readonly Pause[]
}

/** The most frequent commands. */
const six = ['list', 'start', 'stop', 'schedule', 'idle', 'savings']
const mostAsks = 2
export const chooserAction = 'endpoint'

export function menu(of: MenuOf, page: MenuPage, language: Language): Message {
  const text = of.closed ?? [say('menu.title'), say('menu.typed')]
  return message(asText(text, language), menuBlocks(of, page, language))
}

/** Draws the menu as a modal. Its commands run in `channel`; '' is outside channels. */
export function menuView(of: MenuOf, page: MenuPage, channel: string, language: Language): ModalView {
  const from = { channel, verb: '', ...(of.project !== undefined && { project: of.project }) }
  return { ...plainModal(menuBlocks(of, page, language), language), private_metadata: JSON.stringify(from) }
}

export function projectsView(projects: readonly string[], language: Language): ModalView {
  const choices = projects.flatMap((name) => tagWithProject(name, [buttons(button(name, 'menu', 'top'))]))
  return plainModal([paragraph({ bold: asText(say('project.which'), language) }), ...choices], language)
}

/** Makes a modal without a submit button. */
export function plainModal(blocks: readonly AnyBlock[], language: Language): ModalView {
  const close = plain(asText(say('form.close'), language), 24)
  return { type: 'modal', title: plain('Lamplighter', 24), close, blocks: [...blocks] }
}

function menuBlocks(of: MenuOf, page: MenuPage, language: Language): readonly AnyBlock[] {
  if (of.closed !== null) return [paragraph(...rendered(of.closed, language))]
  const blocks =
    page === 'top' ? topOf(of, language) : page === 'more' ? allOf(of, language) : about(of, page, language)
  return of.project === undefined ? blocks : tagWithProject(of.project, blocks)
}

function topOf(of: MenuOf, language: Language): readonly AnyBlock[] {
  const { commands, asks, project } = of
  const count = asks.reduce((sum, one) => sum + asksIn(one).length, 0)
  const waiting = asText(say('menu.waiting', { count }), language)
  const named = { most: mostAsks, named: asks.length > 1 }
  const listed = listedFor(of)
  const first = six.flatMap((wanted) => listed.filter(({ name }) => name === wanted))
  return [
    ...(count === 0 ? [contextLine(waiting)] : [paragraph({ bold: waiting })]),
    ...asks.flatMap((one) => asksShown(one, commands, named, language)).slice(0, 20),
    ...(count > mostAsks ? [contextLine(asText(say('menu.moreWaiting', { count: count - mostAsks }), language))] : []),
    ...(project === undefined ? [] : [chooser(language)]),
    buttons(...beginnings(first, language), button(asText(say('action.more'), language), 'menu:more', 'more')),
    contextLine(asText(say('menu.typed'), language)),
  ]
}

function chooser(language: Language): AnyBlock {
  const placeholder = plain(asText(say('menu.endpoint'), language), 75)
  return {
    type: 'section',
    text: plain(asText(say('menu.choose'), language), 200),
    accessory: { type: 'external_select', action_id: chooserAction, min_query_length: 0, placeholder },
  }
}

function allOf(of: MenuOf, language: Language): readonly AnyBlock[] {
  const listed = listedFor(of)
  const hidden = asText(hiddenText(rowsOf(of.commands), listed), language)
  return [
    ...inGroups(listed).flatMap(({ title, rows }) => [
      paragraph({ bold: asText(title, language) }),
      buttons(...beginnings(rows, language)),
    ]),
    ...(hidden === '' ? [] : [contextLine(hidden)]),
    buttons(back(language)),
  ]
}

function about({ commands, role = null }: MenuOf, { endpoint, state, pauses }: EndpointPage, language: Language) {
  const may = ({ line }: Offer) => mayWrite(role, line, commands.rows)
  return [
    nameRow(endpoint.name, markOf(endpoint), [asText(state, language)]),
    ...pauses.map(({ says }) => paragraph(...rendered(says, language))),
    ...allActions(endpoint, pauses).flatMap((group) => offered(group.filter(may), language)),
    buttons(back(language)),
  ]
}

function back(language: Language) {
  return button(asText(say('menu.back'), language), 'menu:top', 'top')
}

/** Returns all rows except help, which the menu replaces. */
function rowsOf({ rows }: Commands): readonly Row[] {
  return rows.filter((row) => !isFromTable(row))
}

function listedFor({ commands, role }: MenuOf): readonly Row[] {
  return role ? rowsFor(role, rowsOf(commands)) : []
}

/** A query without required fields runs at once; any other row opens its form. */
function beginnings(rows: readonly Row[], language: Language) {
  return rows.map((row, at) => {
    const isNamed = 'endpoint' in row.fields || row.kind === 'query'
    const verb = language === 'en' ? `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}` : titleOf(row)
    const needs = Object.values(row.fields).some(({ optional }) => !optional)
    const kind = row.kind === 'query' && !needs ? 'line' : 'form'
    const label = asText(isNamed ? (maybeSay(`action.${row.name}`) ?? verb) : titleOf(row), language)
    return button(kind === 'form' ? opening(label) : label, `${kind}:${at}`, row.name)
  })
}
