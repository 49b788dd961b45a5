import { drawBlocks } from './blocks.js'
import { createComposer } from './composer.js'
import { avatar, h, icon, keyed, stayAtEnd } from './dom.js'
import { drawMessage, versionOf } from './message.js'
import { changed, channelId, channelMessages, go, keyOf, look, model } from './model.js'
import { perform } from './server.js'

const place = document.getElementById('place')
const head = h('header', { class: 'place-head' })
const list = h('div', { class: 'messages', role: 'log', 'aria-live': 'off', tabindex: '0' })
const home = h('div', { class: 'home', hidden: true })
/** People can’t message the bot: its manifest says so. */
const readOnly = h('p', { class: 'faint empty' }, 'Sending messages to this app has been turned off.')
const { toEnd, stay } = stayAtEnd(list)
const composer = createComposer(() => ({ channel: channelId() }), toEnd)
let shownPlace = ''

/** Adds the parts of the conversation to the page; called once. */
export function buildPlace() {
  place.append(head, home, list, readOnly, composer.element)
}

export function drawPlace() {
  const isApp = look.place === 'app'
  const atHome = isApp && look.tab === 'home'
  const channel = model.channels.find((one) => one.id === look.place)
  head.replaceChildren(...(isApp ? drawAppHead() : drawChannelHead(channel)))
  home.hidden = !atHome
  list.hidden = atHome
  composer.element.hidden = isApp
  readOnly.hidden = !isApp || atHome
  const name = isApp ? model.app.name : `#${channel?.name ?? ''}`
  composer.name(`Message ${name}`)
  list.setAttribute('aria-label', `Messages in ${name}`)
  if (atHome) drawHome()
  else drawMessages()
  const now = `${look.as} ${look.place} ${look.tab}`
  if (now === shownPlace) return
  shownPlace = now
  toEnd()
  if (matchMedia('(min-width: 800px)').matches && !document.querySelector('dialog[open]')) composer.focus()
}

function drawChannelHead(channel) {
  const members = `${channel?.members ?? 0} people${channel?.hasApp ? ` and ${model.app.name}` : ''}`
  return [
    menuButton(),
    h('h1', {}, icon(channel?.kind === 'private' ? 'lock' : 'hash'), channel?.name ?? ''),
    h('span', { class: 'topic' }, channel?.topic ?? ''),
    h('span', { class: 'members' }, members),
  ]
}

function drawAppHead() {
  const tab = (name, label) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        class: 'tab',
        'aria-selected': String(look.tab === name),
        onclick: () => openTab(name),
      },
      label,
    )
  return [
    menuButton(),
    h('h1', {}, avatar(model.app.name, true, 'avatar-small'), model.app.name),
    h('div', { class: 'tabs', role: 'tablist' }, tab('home', 'Home'), tab('messages', 'Messages')),
  ]
}

function menuButton() {
  const open = () => {
    look.sidebar = true
    changed()
    document.querySelector('.sidebar button')?.focus()
  }
  return h(
    'button',
    { type: 'button', class: 'plain menu-button', 'aria-label': 'Channels', onclick: open },
    icon('menu'),
  )
}

/** Puts a line into the composer for the person to send, and closes what may cover it. */
export function typeFor(line) {
  go({ place: look.place === 'app' ? model.channels[0].id : look.place, tab: 'messages', drawer: false })
  // A hidden box can't take the focus, and the page is drawn only later.
  composer.element.hidden = false
  composer.put(line)
}

/** Opens a tab of the app. The Home is requested each time, as Slack does. */
export function openTab(tab) {
  go({ place: 'app', tab })
  if (tab === 'home') void perform('home')
}

function drawHome() {
  const nothing = h('p', { class: 'faint' }, `${model.app.name} has published nothing here yet.`)
  const view = model.home
  const version = view ? `${view.id} ${view.hash}` : ''
  if (home.dataset.version === version) return
  home.dataset.version = version
  home.replaceChildren(view ? drawBlocks(view.blocks, { view: view.id, values: view.values }) : nothing)
}

function drawMessages() {
  const rows = withDays(channelMessages())
  keyed(
    list,
    rows,
    (row) => row.key,
    (row) => row.version,
    (row) => row.draw(),
  )
  if (rows.length === 0)
    list.append(
      h(
        'p',
        { class: 'faint empty', 'data-key': 'empty' },
        look.place === 'app' ? 'No messages here yet.' : 'No messages here yet. Type / to see the commands.',
      ),
    )
  stay()
}

/** Adds a line before each new day, and does not repeat the name of an author who continues. */
function withDays(messages) {
  const rows = []
  let before
  for (const message of messages) {
    if (message.day !== before?.day) {
      const { day } = message
      rows.push({ key: `day ${day}`, version: day, draw: () => h('div', { class: 'day' }, h('span', {}, day)) })
      before = undefined
    }
    const follows = continues(before, message)
    rows.push({
      key: keyOf(message),
      version: versionOf(message, false, follows),
      draw: () => drawMessage(message, false, follows),
    })
    before = message
  }
  return rows
}

function continues(before, message) {
  if (!before || before.authorId !== message.authorId || before.author !== message.author) return false
  const special = [before, message].some(
    (one) => one.broadcast || one.ephemeral || one.deleted || one.blocks.length > 0,
  )
  return !special && Number(message.ts) - Number(before.ts) < 300
}
