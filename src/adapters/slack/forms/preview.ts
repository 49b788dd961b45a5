import { setTimeout as wait } from 'node:timers/promises'
import type { ModalView } from '@slack/types'
import * as z from 'zod'
import type { Command } from '../../../core/commands/commands.ts'
import type { Operation } from '../../../core/commands/define.ts'
import { wordsIn } from '../../../core/commands/phrases.ts'
import type { Actor } from '../../../core/model/actor.ts'
import type { Foreseen } from '../../../core/ports/query.ts'
import { paragraph } from '../kit/blocks.ts'
import { previewOf } from '../messages/facts.ts'
import type { Door } from '../projects.ts'
import { origin } from './form.ts'
import { plain } from './inputs.ts'

/** What the submission of a preview is known by. */
export const foretoldId = 'preview'

const kept = origin.extend({ line: z.string(), chosen: z.boolean().optional() })
type Kept = z.infer<typeof kept>

/** Slack takes an answer to a form within 3 s, and without a preview the rule can still be asked for. ms. */
const patience = 1_000

/** What a filled in form would come to; null where it lays down no rule, or that could not be found out in time. */
export async function foretellAt(door: Door | undefined, actor: Actor, line: string): Promise<Foreseen | null> {
  const foreseen = door?.foresee?.(actor, line).catch(() => null) ?? null
  return Promise.race([foreseen, wait(patience, null, { ref: false })])
}

/** The week a rule comes to, to be looked at before it is asked for. */
export function foretoldView(
  { name, means, outlooks }: Foreseen & { readonly kind: 'rule' },
  keeps: Kept,
  command: Command<Operation>,
): ModalView {
  const { ask, press } = wordsIn(command)
  return {
    type: 'modal',
    callback_id: foretoldId,
    title: plain('What it comes to', 24),
    submit: plain(press ?? ask, 24),
    close: plain('Back', 24),
    private_metadata: JSON.stringify(keeps),
    blocks: [paragraph({ bold: name }), ...means.map((one) => paragraph(one)), ...previewOf(outlooks)],
  }
}

/** What `foretoldView` put away, or null when the view was made by something else. */
export function keptWith(metadata: string): Kept | null {
  try {
    return kept.parse(JSON.parse(metadata))
  } catch {
    return null
  }
}
