import type { KnownBlock, ModalView } from '@slack/types'
import { sentences } from '../domain/errors.ts'
import { includes, type Role } from '../domain/policy.ts'
import type { Commands } from '../operations/commands.ts'
import { isFromTable, type Row } from '../operations/define.ts'
import { neededFor, usageFor } from '../operations/needed.ts'
import { button, buttons, type Message, message, paragraph, row as section, small } from './blocks.ts'
import type { Reach } from './door.ts'
import { plain } from './inputs.ts'
import { formButton, offerButton } from './offers.ts'
import { reaching } from './whose.ts'

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

/** Who cannot be looked up is told nothing either, and to try again. */
export function whyNothing(role: null | undefined): string {
  return role === null ? sentences.noRole : sentences.cannotCheck
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
export function rowsFor(role: Role, among: readonly Row[]): readonly Row[] {
  return among.filter((row) => includes(role, neededFor(row)))
}

/** "9 more take a role that you do not have here"; empty where nothing is hidden. */
export function hiddenSays(hidden: number): string {
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
