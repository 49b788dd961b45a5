import { drawControl, showSwitches } from './controls.js'
import { h } from './dom.js'
import { model } from './model.js'
import { drawOffer } from './offer.js'

const day = h('span', { class: 'clock-day' })
const hour = h('span', { class: 'clock-hour' })
const zone = h('span', { class: 'clock-zone' })
const buttons = h('span', { class: 'clock-buttons' })
let shown = ''

/** The sandbox's time in the zone of the acting person, and the buttons that move it. */
export const clock = h(
  'div',
  { class: 'clock', role: 'group', 'aria-label': 'Time' },
  h('time', { class: 'clock-time' }, day, ' ', hour),
  zone,
  buttons,
)

export function drawClock() {
  const controls = model.controls.filter((one) => one.group === 'Time' && !one.offers)
  const version = JSON.stringify(controls)
  if (version !== shown) buttons.replaceChildren(...controls.map((one) => drawControl(one, 'clock-button')))
  shown = version
  tell()
}

/** In fast mode the clock moves several times a second, so only these few words are redrawn. */
setInterval(() => model.ready && tell(), 100)

function tell() {
  const at = Date.now() + model.ahead
  const write = (options) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: model.me.tz }).format(at)
  put(day, write({ weekday: 'short', day: 'numeric', month: 'short' }))
  put(hour, write({ hour: '2-digit', minute: '2-digit' }))
  put(zone, model.me.tz.replaceAll('_', ' '))
  showSwitches()
  drawOffer()
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text
}
