import { type Message, message, paragraph } from './blocks.ts'
import { cut } from './text.ts'

/** The same in one short sentence, for when Slack refuses the blocks. */
export function plainest({ text }: Message): Message {
  const short = cut(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'), 500)
  return message(short, [paragraph(short)])
}
