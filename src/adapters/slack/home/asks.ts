import type { Commands } from '../../../core/commands/commands.ts'
import { type Language, say } from '../../../core/model/words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'
import { type Part, smallPart } from '../../../lifecycle/messages/draft.ts'
import { askerOf, becauseOf, parsedBy } from '../../../lifecycle/messages/facts.ts'
import { askOf } from '../../../lifecycle/messages/question.ts'
import type { AnyBlock } from '../kit/blocks.ts'
import { blocksOf, idIn } from '../messages/draw.ts'

export type Asks = Pick<Overview, 'project' | 'mayAnswer' | 'membersOf' | 'open'>

/** Questions that this person may answer; a notice needs no answer. */
export function asksIn({ open, mayAnswer }: Asks) {
  return open.filter((one) => one.status === 'awaiting' && noticeIn(one) === null && mayAnswer(one))
}

/** At most so many of them as in their threads, with the reason before the buttons. `named`: with their project. */
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
      const { parts } = askOf(request, membersOf)
      const shown: readonly Part[] = [
        ...parts.filter(({ kind }) => kind !== 'buttons'),
        // A program's question says so itself.
        ...(request.through === undefined ? [...becauseOf(request), smallPart(askerOf(request))] : []),
        ...(named ? [smallPart(say('home.project', { project }))] : []),
        ...parts.filter(({ kind }) => kind === 'buttons'),
      ]
      return withIds(
        project,
        `ask.${at}`,
        shown.flatMap((part) => blocksOf(part, language)),
      )
    })
}

/** Blocks with ids of their own on the whole view. */
export function withIds(project: string, prefix: string, blocks: readonly AnyBlock[]): readonly AnyBlock[] {
  return blocks.map((block, part) => ({ ...block, block_id: idIn(project, `${prefix}.${part}`) }))
}
