import { h } from './dom.js'
import { drawElement, suggestions, targetOf, valueIn } from './elements.js'
import { drawField } from './fields.js'
import { plainOf } from './nodes.js'
import { perform } from './server.js'

/** Input that was not submitted yet: view → block → action → chosen. */
export const drafts = new Map()

/** Errors found by Slack or the app: view → block → sentence. */
export const faults = new Map()

export function drawInput(block, surface) {
  const { element } = block
  const error = faults.get(surface.view)?.[block.block_id]
  const note = `note-${surface.view}-${block.block_id}`
  const field = {
    label: plainOf(block.label),
    value: draftValue(block, element, surface) ?? valueIn(surface, element, block),
    error,
    describedBy: note,
    choose: (chosen) => fillIn(block, element, surface, chosen),
    suggest: (typed) => suggestions(element, block, surface, typed),
  }
  return h(
    'div',
    { class: `block-input ${error ? 'has-error' : ''}`, 'data-block': block.block_id },
    h(
      'div',
      { class: 'label' },
      plainOf(block.label),
      block.optional && h('span', { class: 'optional' }, ' (optional)'),
    ),
    element.type === 'button' ? drawElement(element, block, surface) : drawField(element, field),
    h(
      'div',
      { id: note, class: 'note' },
      error ? h('span', { class: 'error', role: 'alert' }, error) : plainOf(block.hint),
    ),
  )
}

async function fillIn(block, element, surface, chosen) {
  const view = drafts.get(surface.view) ?? {}
  drafts.set(surface.view, { ...view, [block.block_id]: { ...view[block.block_id], [element.action_id]: chosen } })
  if (!block.dispatch_action) return true
  const values = drafts.get(surface.view)
  const { problem } = await perform('choose', { ...targetOf(element, block, surface), chosen, values })
  return problem === undefined
}

/** Returns the draft in the shape from which a field reads its value. */
function draftValue(block, element, surface) {
  const chosen = drafts.get(surface.view)?.[block.block_id]?.[element.action_id]
  if (chosen === undefined) return undefined
  const option = (one) => (typeof one === 'object' ? one : optionsOf(element).find((each) => each.value === one))
  const several = Array.isArray(chosen) ? chosen : []
  return {
    value: chosen,
    selected_option: chosen === null ? { value: '' } : option(chosen),
    selected_options: several.map(option),
    selected_users: several,
    selected_channels: several,
    selected_user: chosen,
    selected_channel: chosen,
    selected_conversation: chosen,
    selected_date: chosen,
    selected_time: chosen,
    selected_date_time: chosen,
  }
}

function optionsOf(element) {
  return element.options ?? element.option_groups?.flatMap((group) => group.options) ?? []
}
