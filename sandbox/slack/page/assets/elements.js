import { confirmed } from './confirm.js'
import { h, icon } from './dom.js'
import { drawField } from './fields.js'
import { plainOf } from './nodes.js'
import { perform } from './server.js'

/** Draws an interactive element of a message, an actions block or a section. */
export function drawElement(element, block, surface) {
  if (element.type === 'button') return drawButton(element, block, surface)
  if (element.type === 'overflow') return drawOverflow(element, block, surface)
  const label = plainOf(element.placeholder) || plainOf(block.text) || 'Choose'
  return drawField(element, {
    label,
    value: valueIn(surface, element, block),
    choose: (chosen) => choose(element, block, surface, chosen),
    suggest: (typed) => suggestions(element, block, surface, typed),
  })
}

/** Returns the value that was chosen so far, in a view. */
export function valueIn(surface, element, block) {
  return surface.values?.[block.block_id]?.[element.action_id]
}

export function targetOf(element, block, surface) {
  const place = surface.view ? { view: surface.view } : { channel: surface.channel, ts: surface.ts }
  return { ...place, block: block.block_id, action: element.action_id }
}

export async function suggestions(element, block, surface, typed) {
  const { options = [] } = await perform('suggest', { ...targetOf(element, block, surface), typed })
  return options
}

function drawButton(element, block, surface) {
  const style = element.style ? `button-${element.style}` : ''
  const button = h(
    'button',
    {
      type: 'button',
      class: `button ${style}`,
      'aria-label': element.accessibility_label,
      'data-focus': element.action_id,
      onclick: () => press(button, element, block, surface),
    },
    plainOf(element.text),
  )
  return button
}

async function press(button, element, block, surface) {
  if (!(await confirmed(element.confirm))) return
  if (element.url) window.open(element.url, '_blank', 'noopener,noreferrer')
  await busyWhile(button, () => perform('press', targetOf(element, block, surface)))
}

async function choose(element, block, surface, chosen) {
  if (!(await confirmed(element.confirm))) return false
  const { problem } = await perform('choose', { ...targetOf(element, block, surface), chosen })
  return problem === undefined
}

function drawOverflow(element, block, surface) {
  const items = element.options.map((option) =>
    h(
      'button',
      { type: 'button', role: 'menuitem', class: 'menu-item', onclick: () => pick(option) },
      plainOf(option.text),
    ),
  )
  const menu = h('div', { class: 'menu', role: 'menu' }, items)
  const opener = h(
    'summary',
    { class: 'button button-icon', 'aria-label': aboutMenu(block), 'data-focus': element.action_id },
    icon('more'),
  )
  const details = h('details', { class: 'overflow' }, opener, menu)
  details.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && details.open) {
      event.preventDefault()
      const at = items.indexOf(document.activeElement)
      items.at((Math.max(at, step === 1 ? -1 : 0) + step) % items.length).focus()
    }
    if (event.key !== 'Escape' || !details.open) return
    // Keeps the form underneath the menu open.
    event.preventDefault()
    event.stopPropagation()
    details.open = false
    opener.focus()
  })
  details.addEventListener('toggle', () => details.open && menu.scrollIntoView({ block: 'nearest' }))
  details.addEventListener('focusout', (event) => {
    if (!details.contains(event.relatedTarget)) details.open = false
  })
  function pick(option) {
    details.open = false
    if (option.url) window.open(option.url, '_blank', 'noopener,noreferrer')
    return choose(element, block, surface, option.value)
  }
  return details
}

/** Names a menu after the first line beside it, to distinguish it from other menus. */
function aboutMenu({ text }) {
  const [name] = plainOf(text).replaceAll('*', '').split('\n')
  return name ? `More actions: ${name}` : 'More actions'
}

/** Shows that work is under way, and prevents a second press. */
async function busyWhile(button, work) {
  if (button.getAttribute('aria-busy') === 'true') return
  button.setAttribute('aria-busy', 'true')
  try {
    await work()
  } finally {
    button.removeAttribute('aria-busy')
  }
}
