import { drawControl } from './controls.js'
import { h } from './dom.js'
import { model } from './model.js'
import { beginAgain, calmFor } from './patience.js'

// Both stay on the page: screen readers read only changes within a status, and should not read a countdown.
const says = h('span', { role: 'status' })
const left = h('span', { class: 'offer-left', 'aria-hidden': 'true' })
const buttons = h('span', { class: 'clock-buttons' })
let shown = '[]'
document.getElementById('offer').append(says, left, buttons)

/** Says below the clock why it waits and what can be done; the first button presses itself after a while. */
export function drawOffer() {
  const version = JSON.stringify(model.offered)
  if (version !== shown) draw()
  shown = version
  if (model.offered.length > 0) count(model.offered[0])
}

function draw() {
  const hadFocus = buttons.contains(document.activeElement)
  says.textContent = model.offered[0]?.why ?? ''
  left.textContent = ''
  buttons.replaceChildren(...model.offered.map(({ index }) => drawControl(model.controls[index], 'clock-button')))
  if (hadFocus) document.querySelector('.clock [data-switch]')?.focus()
  beginAgain()
}

function count({ by }) {
  if (by === null) return
  const seconds = by - calmFor() / 1000
  left.textContent = `Continues in ${Math.max(0, Math.ceil(seconds))} s.`
  if (seconds > 0) return
  beginAgain()
  buttons.firstElementChild?.click()
}
