import { avatar, h, icon } from './dom.js'
import { go, look, model, unread } from './model.js'
import { openTab } from './place.js'
import { perform } from './server.js'

const sidebar = document.getElementById('sidebar')

export function drawSidebar() {
  document.body.classList.toggle('show-sidebar', look.sidebar)
  const focused = sidebar.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined
  sidebar.replaceChildren(
    h('h2', {}, 'Channels'),
    h('ul', {}, model.channels.map(drawChannel)),
    h('h2', {}, 'Apps'),
    h('ul', {}, drawApp()),
    ...(model.shortcuts.length > 0 ? [h('h2', {}, 'Shortcuts'), h('ul', {}, model.shortcuts.map(drawShortcut))] : []),
    h('p', { class: 'sidebar-note' }, 'A sandbox: everything here happens on this machine.'),
  )
  if (focused) sidebar.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus()
}

function drawChannel(channel) {
  const count = unread.channels.get(channel.id) ?? 0
  return drawItem({
    id: channel.id,
    label: channel.name,
    mark: icon(channel.kind === 'private' ? 'lock' : 'hash'),
    count,
    current: look.place === channel.id,
    faint: channel.archived,
    onclick: () => go({ place: channel.id, tab: 'messages' }),
  })
}

function drawApp() {
  const count = unread.channels.get(model.app.channel) ?? 0
  return drawItem({
    id: 'app',
    label: model.app.name,
    mark: avatar(model.app.name, true, 'avatar-tiny'),
    count,
    current: look.place === 'app',
    onclick: () => openTab(count > 0 ? 'messages' : 'home'),
  })
}

function drawShortcut({ callbackId, name }) {
  return drawItem({
    id: callbackId,
    label: name,
    mark: icon('bolt'),
    count: 0,
    current: false,
    onclick: () => perform('shortcut', { callbackId }),
  })
}

function drawItem({ id, label, mark, count, current, faint, onclick }) {
  const classes = `item ${count > 0 ? 'unread' : ''} ${faint ? 'archived' : ''}`
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: classes, 'aria-current': current ? 'page' : undefined, 'data-focus': id, onclick },
      mark,
      h('span', { class: 'item-name' }, label),
      count > 0 && h('span', { class: 'count', 'aria-label': `${count} new` }, String(count)),
    ),
  )
}
