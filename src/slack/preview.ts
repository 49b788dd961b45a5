import type { ContextBlock, RichTextBlock } from '@slack/types'
import type { Outlook } from '../domain/outlook.ts'
import { preformatted, small } from './blocks.ts'

/** More zones than anybody compares. */
const most = 3

/** The next days, a line a day, for each zone in which they read differently. Words, so that they can be read aloud. */
export function previewOf(outlooks: readonly Outlook[] = []): readonly (ContextBlock | RichTextBlock)[] {
  return outlooks
    .slice(0, most)
    .flatMap(({ zone, lines }) => [small(`The next 7 days, by the clocks of ${zone}:`), preformatted(lines)])
}
