import type { KnownBlock, ModalView } from '@slack/types'
import { type Commands, isFromTable } from '../../../core/commands/commands.ts'
import type { Row } from '../../../core/commands/define.ts'
import { summaryOf } from '../../../core/commands/help.ts'
import { hiddenText, rowsFor, usageFor } from '../../../core/commands/permissions.ts'
import { maybeSay } from '../../../core/commands/phrases.ts'
import { noRoleText, type Reach } from '../../../core/requests/gateway.ts'
import { asText } from '../../../core/words/render.ts'
import { contextLine, type Message, message, paragraph, plain, row as section } from '../kit/blocks.ts'
import { button, buttons, formButton, offerButton } from '../kit/buttons.ts'
import type { AnyBlock } from '../kit/chart.ts'
import { tagWithProject } from '../messages/draw.ts'

const title = 'What would you like to do?'

/** The commands of a role, each with a button that begins it; one sentence for people without a role. */
export function menu(commands: Commands, reach: Reach): Message {
  const listed = listedFor(commands, reach)
  const text = `${title} ${listed.map(({ name }) => `/endpoint ${name}`).join(', ')}.`
  return message(reach.role ? text : asText(noRoleText(reach.role)), blocksFor(commands, reach))
}

/** The same as a modal, for a place without a channel. Its buttons belong to this project. */
export function menuView(commands: Commands, reach: Reach, project: string): ModalView {
  return plainModal(tagWithProject(project, blocksFor(commands, reach)))
}

/** Asks for the project of the menu. */
export function projectsView(projects: readonly string[]): ModalView {
  const choices = projects.flatMap((name) => tagWithProject(name, [buttons(button(name, 'menu', 'menu'))]))
  return plainModal([paragraph({ bold: 'In which project?' }), ...choices])
}

/** A modal without anything to send. */
export function plainModal(blocks: readonly AnyBlock[]): ModalView {
  return { type: 'modal', title: plain('Lamplighter', 24), close: plain('Close', 24), blocks: [...blocks] }
}

/** All rows but help, which the menu replaces. */
function rowsOf({ rows }: Commands): readonly Row[] {
  return rows.filter((row) => !isFromTable(row))
}

function listedFor(commands: Commands, { role, without }: Reach): readonly Row[] {
  return role ? rowsFor(role, rowsOf(commands)).filter(({ name }) => !without.includes(name)) : []
}

function blocksFor(commands: Commands, reach: Reach): readonly KnownBlock[] {
  const { role, without } = reach
  if (!role) return [paragraph(asText(noRoleText(role)))]
  const listed = listedFor(commands, reach)
  const hidden = hiddenText(rowsOf(commands).length - without.length - listed.length)
  return [
    paragraph({ bold: title }),
    ...listed.map((row, at) => section([asText(summaryOf(row)), usageFor(role, row)], beginButton(row, at))),
    contextLine('Every line can be typed as well. /endpoint help stop tells more about stop.'),
    ...(hidden === '' ? [] : [contextLine(`${hidden}.`)]),
  ]
}

/** Runs a query without required fields at once, and opens the form of any other row. */
function beginButton(row: Row, at: number) {
  const isWhole = row.kind === 'operation' && !('endpoint' in row.fields)
  const whole = isWhole ? maybeSay(`form.${row.name}.title`) : undefined
  const label = asText(whole ?? `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`)
  const needs = Object.values(row.fields).some(({ optional }) => !optional)
  const atOnce = row.kind === 'query' && !needs
  return atOnce ? offerButton({ label, line: row.name }, at) : formButton(row.name, label, at)
}
