import { drawClock } from './clock.js'
import { drawModal } from './modal.js'
import { changed, go, look, model, onChange, readAddress, seenNow, unread } from './model.js'
import { buildPlace, drawPlace } from './place.js'
import { connect } from './server.js'
import { drawSidebar } from './sidebar.js'
import { buildThread, closeThread, drawThread } from './thread.js'
import { closeDrawer, drawDrawer, drawPlight, drawTop } from './top.js'
import { drawTour } from './tour.js'

buildPlace()
buildThread()
readAddress()
connect()

onChange(() => {
  if (!model.ready) return
  drawTop()
  drawPlight()
  drawClock()
  drawSidebar()
  drawPlace()
  drawThread()
  drawDrawer()
  drawTour()
  drawModal()
  const count = [...unread.channels.values()].reduce((sum, one) => sum + one, 0)
  const name =
    look.place === 'app' ? model.app.name : `#${model.channels.find((one) => one.id === look.place)?.name ?? ''}`
  document.title = `${count > 0 ? `(${count}) ` : ''}${name} – Sandbox Slack`
})

addEventListener('hashchange', () => {
  const before = look.as
  readAddress()
  if (look.as !== before) connect()
  changed()
})

document.addEventListener('visibilitychange', () => {
  seenNow()
  changed()
})

document.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]')) return
  if (event.key === 'Escape') leave()
  if (event.altKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp'))
    step(event, event.key === 'ArrowDown' ? 1 : -1)
})

document.addEventListener('click', (event) => {
  if (!look.sidebar || event.target.closest('.sidebar, .menu-button')) return
  look.sidebar = false
  changed()
})

/** Closes what lies on top: the list of channels, the thread, or the drawer. */
function leave() {
  if (look.thread !== null && !look.sidebar) closeThread()
  else if (look.drawer && !look.sidebar) closeDrawer()
  look.sidebar = false
  changed()
}

function step(event, by) {
  event.preventDefault()
  const places = [...model.channels.map((one) => one.id), 'app']
  const at = places.indexOf(look.place)
  go({ place: places[(at + by + places.length) % places.length], tab: 'messages' })
}
