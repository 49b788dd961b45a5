import type { KnownBlock, ModalView } from '@slack/types'
import type { Row } from '../operations/define.ts'
import { rows } from '../operations/index.ts'
import { usageOf } from '../operations/line.ts'
import { type Message, message, paragraph, row as section, small } from './blocks.ts'
import { plain } from './inputs.ts'
import { formButton, offerButton } from './offers.ts'

const title = 'What would you like to do?'
const foot = 'Every line can be typed as well. /endpoint help stop tells more about stop.'

/** Everything that can be asked, each with the button that begins it. */
export function menu(): Message {
  return message(`${title} ${rows.map(({ name }) => `/endpoint ${name}`).join(', ')}.`, entries())
}

/** The same as a modal, for where there is no channel to answer in. */
export function menuView(): ModalView {
  return { type: 'modal', title: plain('Lamplighter', 24), close: plain('Close', 24), blocks: entries() }
}

function entries(): KnownBlock[] {
  const listed = rows.filter(({ name }) => name !== 'help')
  return [
    paragraph({ bold: title }),
    ...listed.map((row, at) => section([usageOf(row), row.summary], begins(row, at))),
    small(foot),
  ]
}

/** A query that needs no words runs at once; anything else opens its form, where `because` and the like can be said. */
function begins(row: Row, at: number) {
  const label = row.kind === 'operation' ? row.words.ask : `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`
  const needs = Object.values(row.fields).some(({ optional }) => !optional)
  const atOnce = row.kind === 'query' && !needs
  return atOnce ? offerButton({ label, line: row.name }, at) : formButton(row.name, label, at)
}
