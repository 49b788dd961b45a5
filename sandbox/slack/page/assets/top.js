import { clock } from './clock.js'
import { drawControl } from './controls.js'
import { avatar, h, icon } from './dom.js'
import { changed, look, model, showTour, unread } from './model.js'
import { actAs } from './server.js'

const top = document.getElementById('top')
const plight = document.getElementById('plight')
const drawer = document.getElementById('drawer')
let shown = ''

/** Draws the notice above the page. */
export function drawPlight() {
  const { text = '', isOver = false } = model.plight ?? {}
  plight.classList.toggle('plight-over', isOver)
  if (plight.dataset.text === text) return
  plight.dataset.text = text
  plight.replaceChildren(...(text === '' ? [] : [icon(isOver ? 'bolt' : 'warning'), h('span', {}, text)]))
}

/** Draws the top bar: the clock, the acting person, and the buttons of the tour and the drawer. */
export function drawTop() {
  const version = JSON.stringify([look.as, look.tour, model.people, model.team, model.controls.length])
  if (version === shown) return
  shown = version
  const me = model.people.find((one) => one.id === look.as)
  const options = model.people.map((one) =>
    h('option', { value: one.id, selected: one.id === look.as }, one.title ? `${one.name} · ${one.title}` : one.name),
  )
  const choose = h(
    'select',
    { id: 'as', class: 'as', 'aria-label': 'Acting as', onchange: (event) => become(event.target.value) },
    options,
  )
  top.replaceChildren(
    h(
      'span',
      { class: 'brand' },
      h('span', { class: 'brand-mark', 'aria-hidden': 'true' }),
      h('span', { class: 'brand-name' }, 'Sandbox Slack'),
    ),
    h('span', { class: 'team' }, model.team ?? ''),
    clock,
    h(
      'label',
      { class: 'acting', for: 'as' },
      me && avatar(me.name, false, 'avatar-small'),
      h('span', { class: 'acting-label' }, 'Acting as'),
      choose,
    ),
    ...(model.tour.length > 0 && !look.tour ? [tourButton()] : []),
    ...(outside().length > 0 ? [drawerButton()] : []),
  )
}

/** Switches to another person. The place stays if that person can see it. */
function become(id) {
  unread.channels.clear()
  unread.threads.clear()
  actAs(id)
  setTimeout(() => document.getElementById('as')?.focus())
}

function tourButton() {
  return h('button', { type: 'button', class: 'plain drawer-button', onclick: () => showTour(true) }, 'Tour')
}

function drawerButton() {
  return h(
    'button',
    {
      type: 'button',
      class: 'plain drawer-button',
      'aria-label': 'Simulate',
      'aria-expanded': String(look.drawer),
      'aria-controls': 'drawer',
      onclick: () => (look.drawer ? closeDrawer() : openDrawer()),
    },
    icon('sliders'),
    h('span', {}, 'Simulate'),
  )
}

/** The time controls are beside the clock instead. */
function outside() {
  return model.controls.filter((one) => one.group !== 'Time')
}

function openDrawer() {
  look.drawer = true
  changed()
}

/** Closes the drawer and returns the focus to the button that opened it. */
export function closeDrawer() {
  look.drawer = false
  opener()?.focus()
  changed()
}

const opener = () => top.querySelector('[aria-controls=drawer]')

/** Draws what can be simulated, by group. The drawer is far from its button, so it gets the focus when it opens. */
export function drawDrawer() {
  opener()?.setAttribute('aria-expanded', String(look.drawer))
  const opens = drawer.hidden && look.drawer
  drawer.hidden = !look.drawer
  fillDrawer()
  if (opens) drawer.querySelector('button').focus()
}

function fillDrawer() {
  const version = JSON.stringify(outside())
  if (drawer.dataset.version === version) return
  drawer.dataset.version = version
  const groups = groupBy(outside())
  drawer.replaceChildren(
    h(
      'header',
      { class: 'place-head' },
      h('h2', {}, 'Simulate'),
      h('button', { type: 'button', class: 'plain', 'aria-label': 'Close', onclick: closeDrawer }, icon('close')),
    ),
    h('p', { class: 'faint' }, 'What happens outside Slack.'),
    ...[...groups].map(([name, controls]) =>
      h(
        'section',
        {},
        h('h3', {}, name),
        controls.map((one) => drawControl(one, one.switches ? 'button switch' : 'button')),
      ),
    ),
  )
}

function groupBy(controls) {
  const groups = new Map()
  for (const one of controls) groups.set(one.group, [...(groups.get(one.group) ?? []), one])
  return groups
}
