import type { Button, Overflow, SectionBlock } from '@slack/types'
import type { Mark } from '../../../core/model/query-answer.ts'
import { row } from './blocks.ts'
import { inUtc, longestText, truncate } from './text.ts'

const emoji: Readonly<Record<Mark, string>> = {
  running: '🟢',
  stopped: '⚪',
  changing: '🟠',
  failed: '🔴',
  attention: '⚠️',
  idle: '💤',
  done: '✅',
  no: '❌',
  nothing: '🚫',
}

export function marked(mark: Mark | undefined, text: string): string {
  return mark === undefined ? text : `${emoji[mark]} ${text}`
}

/** Characters that Slack's markup leaves alone. A row with any other character is sent as plain text. */
const harmless = /^[\p{L}\p{N}\p{M}\p{Sc} \n._\-–(),;·…%/:+~?“”’]*$/u
/** Sequences of those characters that Slack would read as a format or an emoji. */
const read = /(^|[^\p{L}\p{N}])[_~]|[_~]([^\p{L}\p{N}]|$)|:[\w+-]*[a-z][\w+-]*:|:(\d+|[+-]1):/imu

/** Only a section can have a button beside it, and a section needs markup for a bold name. */
export function nameRow(
  name: string,
  mark: Mark | undefined,
  lines: readonly string[],
  beside?: Button | Overflow,
  room: number = longestText,
): SectionBlock {
  const [title, ...below] = [name, ...lines.filter((line) => line !== '')].map((line) => inUtc(line).trim())
  const isPlain = [title, ...below].some((line = '') => !harmless.test(line) || read.test(line))
  if (!title || isPlain) return row([marked(mark, name), ...lines], beside, room)
  const told = truncate(below.join('\n'), Math.floor(room / 2))
  return {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: marked(mark, `*${truncate(title, Math.floor(room / 2))}*\n${told}`.trim()),
      verbatim: true,
    },
    ...(beside && { accessory: beside }),
  }
}
