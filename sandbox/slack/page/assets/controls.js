import { h } from './dom.js'
import { model } from './model.js'
import { perform } from './server.js'
import { toast } from './toasts.js'

export function drawControl({ index, label, switches }, classes) {
  const button = h(
    'button',
    { type: 'button', class: classes, 'data-switch': switches ? index : undefined, onclick: run },
    label,
  )
  async function run() {
    // A switch may stay on for long, so it is never marked as busy.
    if (!switches) button.setAttribute('aria-busy', 'true')
    const { said } = await perform('control', { index })
    button.removeAttribute('aria-busy')
    if (said) toast(said, 'news')
  }
  return button
}

export function showSwitches() {
  for (const button of document.querySelectorAll('[data-switch]'))
    button.setAttribute('aria-pressed', String(model.on.includes(Number(button.dataset.switch))))
}
