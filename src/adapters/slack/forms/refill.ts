import type { Block, InputBlock, KnownBlock, ModalView } from '@slack/types'
import { endpointAction } from './elements.ts'
import { type FormState, typedIn } from './read-form.ts'

/** A form as the person has filled it in. */
interface Filled {
  readonly blocks: readonly (KnownBlock | Block)[]
  readonly state: FormState
}

/**
 * Fills a form for another endpoint and keeps what the person typed. Slack keeps the value of an input as long as its
 * action id stays the same. So an input with another initial value, which the person has not changed, gets a new action
 * id made from `turn`.
 */
export function refilled(view: ModalView, { blocks, state }: Filled, turn: string): ModalView {
  const before = new Map(blocks.filter(isInput).map((one) => [one.block_id, one]))
  const filled = view.blocks.map((block) => {
    const old = before.get(block.block_id ?? '')
    if (!isInput(block) || old === undefined || block.element.action_id === endpointAction) return block
    const isTouched = typedIn(state, old.block_id) !== initialOf(old)
    const isKept = isTouched || initialOf(block) === initialOf(old)
    return { ...block, element: { ...block.element, action_id: isKept ? old.element.action_id : `value:${turn}` } }
  })
  return { ...view, blocks: filled as KnownBlock[] }
}

type Input = InputBlock & { readonly block_id: string }

function isInput(block: KnownBlock | Block): block is Input {
  return block.type === 'input' && block.block_id !== undefined
}

/** Returns the initial value of an input. */
function initialOf({ block_id, element }: Input): string | undefined {
  const first = Object.entries(element).map(([key, value]) => [initial[key] ?? key, value])
  return typedIn({ [block_id]: { first: Object.fromEntries(first) } }, block_id)
}

const initial: Readonly<Record<string, string>> = {
  initial_value: 'value',
  initial_option: 'selected_option',
  initial_options: 'selected_options',
  initial_user: 'selected_user',
  initial_date_time: 'selected_date_time',
}
