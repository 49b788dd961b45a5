import type { Commands } from '../../../core/commands/commands.ts'
import { type Language, say } from '../../../core/model/words.ts'
import { expiresOf, knownOf } from '../../../core/requests/awaited.ts'
import { askerOf, dotted, parsedBy, questionOf } from '../../../core/requests/in-words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'
import { buttonsPart, smallPart, textPart } from '../../../lifecycle/messages/draft.ts'
import { askOf } from '../../../lifecycle/messages/question.ts'
import type { AnyBlock } from '../kit/blocks.ts'
import { blocksOf, idIn } from '../messages/draw.ts'

export type Asks = Pick<Overview, 'project' | 'mayAnswer' | 'membersOf' | 'open'>

/** Returns the questions that this person may answer. A notice needs no answer. */
export function asksIn({ open, mayAnswer }: Asks) {
  return open.filter((one) => one.status === 'awaiting' && noticeIn(one) === null && mayAnswer(one))
}

/** Draws at most `most` questions, with the facts that people need to answer them. `named`: with their project. */
export function asksShown(
  asks: Asks,
  commands: Commands,
  { most, named }: { readonly most: number; readonly named: boolean },
  language: Language,
): readonly AnyBlock[] {
  const { project, membersOf } = asks
  return asksIn(asks)
    .slice(0, most)
    .flatMap((one, at) => {
      const request = parsedBy(commands, one)
      const presses = askOf(request, membersOf).parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []))
      const where = named ? say('home.project', { project }) : ''
      const parts = [
        textPart({ bold: questionOf(request) }, ' ', knownOf(request)),
        smallPart(dotted(askerOf(request), expiresOf(request), where)),
        buttonsPart(...presses),
      ]
      return withIds(
        project,
        `ask.${at}`,
        parts.flatMap((part) => blocksOf(part, language)),
      )
    })
}

/** Gives blocks ids that are unique in the whole view. */
export function withIds(project: string, prefix: string, blocks: readonly AnyBlock[]): readonly AnyBlock[] {
  return blocks.map((block, part) => ({ ...block, block_id: idIn(project, `${prefix}.${part}`) }))
}
