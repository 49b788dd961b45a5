import type { KnownBlock, ModalView } from '@slack/types'
import type { Commands } from '../../../core/commands/commands.ts'
import { isFromTable, type Query, type Row } from '../../../core/commands/define.ts'
import { neededFor, usageFor } from '../../../core/commands/permissions.ts'
import type { Given } from '../../../core/model/request.ts'
import { includes, type Role } from '../../../core/model/roles.ts'
import { plain } from '../forms/inputs.ts'
import {
  button,
  buttons,
  formButton,
  type Message,
  message,
  offerButton,
  paragraph,
  row as section,
  small,
} from '../kit/blocks.ts'
import { reaching } from '../kit/project-tag.ts'
import { shownMessage } from '../messages/query-answer.ts'
import { type Reach, whyNothing } from '../projects.ts'

const title = 'What would you like to do?'

/** Everything that somebody of this role can ask, each with the button that begins it; one sentence for nobody. */
export function menu(commands: Commands, { role, without }: Reach): Message {
  if (role === null || role === undefined) return message(whyNothing(role), [paragraph(whyNothing(role))])
  const all = listedIn(commands)
  const listed = rowsFor(role, all).filter(({ name }) => !without.includes(name))
  return message(
    `${title} ${listed.map(({ name }) => `/endpoint ${name}`).join(', ')}.`,
    entries(listed, all.length - without.length, role),
  )
}

/** The same as a modal, for where there is no channel to answer in: what is asked for there is meant in this project. */
export function menuView(commands: Commands, { role, without }: Reach, project: string): ModalView {
  const isNobody = role === null || role === undefined
  const all = listedIn(commands)
  const listed = isNobody ? [] : rowsFor(role, all).filter(({ name }) => !without.includes(name))
  return {
    type: 'modal',
    title: plain('Lamplighter', 24),
    close: plain('Close', 24),
    blocks: isNobody
      ? [paragraph(whyNothing(role))]
      : [...reaching(project, entries(listed, all.length - without.length, role))],
  }
}

/** Which project's menu it shall be. */
export function projectsView(projects: readonly string[]): ModalView {
  const choices = projects.flatMap((name) => reaching(name, [buttons(button(name, 'menu', 'menu'))]))
  return {
    type: 'modal',
    title: plain('Lamplighter', 24),
    close: plain('Close', 24),
    blocks: [paragraph({ bold: 'In which project?' }), ...choices],
  }
}

/** Everything but help, which is what the menu is itself. */
function listedIn({ rows }: Commands): readonly Row[] {
  return rows.filter((row) => !isFromTable(row))
}

/** The rows of a table that a role may use. */
function rowsFor(role: Role, among: readonly Row[]): readonly Row[] {
  return among.filter((row) => includes(role, neededFor(row)))
}

/** "9 more take a role that you do not have here"; empty where nothing is hidden. */
function hiddenSays(hidden: number): string {
  if (hidden === 0) return ''
  return `${hidden} more ${hidden === 1 ? 'takes' : 'take'} a role that you do not have here`
}

/** `useful`: how many there are for some role or another. */
function entries(listed: readonly Row[], useful: number, role: Role): KnownBlock[] {
  const hidden = hiddenSays(useful - listed.length)
  return [
    paragraph({ bold: title }),
    ...listed.map((row, at) => section([row.summary, usageFor(role, row)], begins(row, at))),
    small('Every line can be typed as well. /endpoint help stop tells more about stop.'),
    ...(hidden === '' ? [] : [small(`${hidden}.`)]),
  ]
}

/** A query that needs no words runs at once; anything else opens its form, where `because` and the like can be said. */
function begins(row: Row, at: number) {
  // A question about an endpoint may end in "of": as a label its verb says enough.
  const isWhole = row.kind === 'operation' && !('endpoint' in row.fields)
  const label = isWhole ? row.words.ask : `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`
  const needs = Object.values(row.fields).some(({ optional }) => !optional)
  const atOnce = row.kind === 'query' && !needs
  return atOnce ? offerButton({ label, line: row.name }, at) : formButton(row.name, label, at)
}

/** Who asks for help, where and when. `role` undefined: it could not be found out in time. */
interface Asking {
  readonly role: Role | null | undefined
  /** Names of rows that are of no use to them. */
  readonly without: readonly string[]
  readonly project: string
  readonly now: number
}

/** A query that is answered from the table alone: of all rows, those that this person may use; of one row, whoever asks. */
export function helpOf(
  commands: Commands,
  row: Query,
  values: Given,
  { role, without, project, now }: Asking,
): Message {
  const { rows } = commands
  const isOne = values['about'] !== undefined
  // Nothing but what is hidden from them would be left.
  if (!isOne && (role === null || role === undefined)) return menu(commands, { role, without })
  const own = isOne || role === null || role === undefined ? rows : rowsFor(role, rows)
  const listed = isOne ? rows : own.filter(({ name }) => !without.includes(name))
  const shown = row.show(undefined, { values, rows: listed, now, project, role: role ?? null })
  const useless = isOne ? 0 : without.length
  const hidden = hiddenSays(Math.max(0, rows.length - listed.length - useless))
  return shownMessage(hidden === '' ? shown : { ...shown, foot: `${hidden}.` })
}
