import type { ModalView } from '@slack/types'
import * as z from 'zod'
import type { Command } from '../../../core/commands/commands.ts'
import type { Operation } from '../../../core/commands/define.ts'
import { wordsIn } from '../../../core/commands/phrases.ts'
import type { FormPreview } from '../../../core/ports/query.ts'
import { previewOf } from '../../../lifecycle/messages/facts.ts'
import { paragraph } from '../kit/blocks.ts'
import { blocksOf } from '../messages/draw.ts'
import { metadataIn, origin } from './form.ts'
import { plain } from './inputs.ts'

/** The callback id of a preview. */
export const previewId = 'preview'

const metadata = origin.extend({ line: z.string(), chosen: z.boolean().optional() })
type Metadata = z.infer<typeof metadata>

/** The week of a rule, shown before it is asked for. */
export function previewView(
  { name, means, outlooks }: FormPreview & { readonly kind: 'rule' },
  from: Metadata,
  command: Command<Operation>,
): ModalView {
  const { ask, press } = wordsIn(command)
  return {
    type: 'modal',
    callback_id: previewId,
    title: plain('What it comes to', 24),
    submit: plain(press ?? ask, 24),
    close: plain('Back', 24),
    private_metadata: JSON.stringify(from),
    blocks: [
      paragraph({ bold: name }),
      ...means.map((one) => paragraph(one)),
      ...previewOf(outlooks).flatMap(blocksOf),
    ],
  }
}

/** The metadata that `previewView` has written; null for another view. */
export function previewMetadataIn(text: string): Metadata | null {
  return metadataIn(metadata, text)
}
