import { isSame } from '../domain/actor.ts'
import { lasting } from '../domain/duration.ts'
import { isAutomatic, type Request } from '../domain/request.ts'
import { votersOf } from './asked.ts'
import { type Message, message, paragraph } from './blocks.ts'
import { becauseOf, beforeOf } from './facts.ts'
import { glassOf, quoted } from './glass.ts'
import { byWhat } from './notice.ts'
import { offered } from './offers.ts'
import type { Piece } from './pieces.ts'

/** The end: our sentence, the platform's own, how long it took, who asked and why. */
export function endOf(request: Request): Message {
  const { ending, actor } = request
  if (ending === undefined) throw new Error('A request that is not over has no end to show.')
  const quote = ending.quote === undefined ? '' : `“${ending.quote}”`
  const took = lengthOf(request, ending.at)
  const asker: Piece = isAutomatic(request) ? byWhat(request) : { person: actor }
  const tail: Piece[] = [...(took === '' ? [] : [` · ${took}`]), ' · ', asker, ...decidedBy(request)]
  const says = [ending.says, quote].filter((part) => part !== '').join(' ')
  return message([says, took].filter((part) => part !== '').join(' · '), [
    paragraph({ bold: ending.says }, quote === '' ? '' : ` ${quote}`, ...tail),
    ...glassOf(request),
    ...becauseOf(request),
    ...beforeOf(request),
    ...offered(ending.offers ?? []),
  ])
}

/** How long the work took, where that is worth a word. */
function lengthOf({ status, startedAt }: Request, endedAt: number): string {
  const took = startedAt === undefined ? 0 : endedAt - startedAt
  return status === 'succeeded' && took >= 1_000 ? lasting(took) : ''
}

/** Who else has decided it; whoever broke the glass is named by itself. */
function decidedBy({ decision, actor, votes = [] }: Request): readonly Piece[] {
  if (decision === undefined || decision.glass === true) return []
  if (!decision.yes)
    return isSame(decision.by, actor) ? [] : [' · declined by ', { person: decision.by }, quoted(decision)]
  if (votes.length > 0) return [' · agreed by ', ...votersOf(votes)]
  return isSame(decision.by, actor) ? [] : [' · agreed by ', { person: decision.by }]
}
