import type { Commands } from '../../../core/commands/commands.ts'
import { admitsTerminal } from '../../../core/model/records.ts'
import { type Language, say, type Words } from '../../../core/model/words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { asText } from '../../../core/words/render.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'
import type { Piece } from '../../../lifecycle/messages/draft.ts'
import {
  askerOf,
  becauseOf,
  dotted,
  parsedBy,
  questionOf,
  reasonOf,
  votesOf,
} from '../../../lifecycle/messages/facts.ts'
import { askOf } from '../../../lifecycle/messages/question.ts'
import type { AnyBlock } from '../kit/blocks.ts'
import { buttons, overflow } from '../kit/buttons.ts'
import { nameRow } from '../kit/marks.ts'
import { blocksOf, buttonsOf, idIn } from '../messages/draw.ts'

export type Asks = Pick<Overview, 'project' | 'mayAnswer' | 'membersOf' | 'open'>

/** Questions that this person may answer; a notice needs no answer. */
export function asksIn({ open, mayAnswer }: Asks) {
  return open.filter((one) => one.status === 'awaiting' && noticeIn(one) === null && mayAnswer(one))
}

/**
 * At most so many of them, in two lines each, with the answers in a menu: what is asked, then what whoever answers needs
 * to know. What cannot be taken back keeps its buttons, which ask once more. `named`: with their project.
 */
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
      const isSure = presses.some(({ sure }) => sure !== undefined)
      const answers = buttonsOf(presses, language)
      const about = dotted(
        askerOf(request),
        [reasonOf(request), ...(request.means ?? []), ...(admitsTerminal(request.change) ? [say('token.yours')] : [])],
        named ? say('home.project', { project }) : '',
      )
      const more = [...votesOf(request), ...becauseOf(request)]
        .flatMap((part) => (part.kind === 'text' ? part.pieces : []))
        .filter(isWords)
      const expires = one.ask === undefined ? '' : say('ask.expires', { at: { at: one.ask.expiresAt } })
      return withIds(project, `ask.${at}`, [
        nameRow(asText(questionOf(request), language), undefined, [], isSure ? undefined : overflow(answers)),
        ...blocksOf({ kind: 'small', pieces: [[about, ...more, expires]] }, language),
        ...(isSure ? [buttons(...answers)] : []),
      ])
    })
}

function isWords(piece: Piece): piece is Words {
  return typeof piece === 'string' || Array.isArray(piece) || 'say' in piece
}

/** Blocks with ids of their own on the whole view. */
export function withIds(project: string, prefix: string, blocks: readonly AnyBlock[]): readonly AnyBlock[] {
  return blocks.map((block, part) => ({ ...block, block_id: idIn(project, `${prefix}.${part}`) }))
}
