import type { Row } from '../../../core/commands/define.ts'
import { neededFor } from '../../../core/commands/permissions.ts'
import type { Given } from '../../../core/model/request.ts'
import { sentences } from '../../../core/model/sentences.ts'
import { button, buttons, type Message } from '../kit/blocks.ts'
import { reaching } from '../kit/project-tag.ts'
import { sentence } from '../messages/query-answer.ts'
import { type Door, reachable, reachIn, unclear, whyNothing } from '../projects.ts'
import type { Arrival } from './arrival.ts'

/**
 * The question in which project something is meant that was asked apart from all channels, of those where the asker may;
 * asked of a single one as well, since another may have been meant. Null where it is clear.
 */
export async function whichProject(
  doors: readonly Door[],
  arrival: Arrival,
  kind: 'line' | 'form',
  { row, values }: { readonly row: Row; readonly values: Given },
): Promise<Message | null> {
  const among = unclear(doors, arrival)
  if (among.length === 0) return null
  const needed = neededFor(row, values)
  // Whoever has no role may still ask why.
  const isForAll = row.kind === 'query' && row.stranger !== undefined
  const mine = isForAll ? among : await reachable(among, arrival.actor, arrival.channel, needed)
  if (mine.length === 0) {
    const { role } = await reachIn(doors, arrival.actor, arrival.channel)
    if (role === null || role === undefined) return sentence(whyNothing(role))
    const names = among.map(({ project }) => project).join(', ')
    return sentence(`You need the role ${needed} for that, and have it in none of these projects: ${names}.`)
  }
  const { text, blocks } = sentence(sentences.whichProject)
  const choices = mine.flatMap(({ project }) => reaching(project, [buttons(button(project, kind, arrival.typed))]))
  return { text, blocks: [...blocks, ...choices] }
}
