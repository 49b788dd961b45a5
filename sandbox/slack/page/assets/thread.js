import { createComposer } from './composer.js'
import { h, icon, keyed, stayAtEnd } from './dom.js'
import { drawMessage, versionOf } from './message.js'
import { channelId, go, keyOf, look, model, threadMessages } from './model.js'

const pane = document.getElementById('thread')
const name = h('span', { class: 'faint' })
const list = h('div', { class: 'messages', tabindex: '0', 'aria-label': 'Replies' })
const { toEnd, stay } = stayAtEnd(list)
const composer = createComposer(() => ({ channel: channelId(), thread: look.thread }), toEnd)
let shownThread = ''

export function buildThread() {
  const close = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Close thread', onclick: closeThread },
    icon('close'),
  )
  composer.name('Reply…')
  pane.append(h('header', { class: 'place-head' }, h('h2', {}, 'Thread'), name, close), list, composer.element)
}

/** Draws the open thread, its parent first. */
export function drawThread() {
  pane.hidden = look.thread === null
  const now = `${look.as} ${channelId()} ${look.thread}`
  if (look.thread === null) {
    shownThread = now
    return
  }
  const parent = model.messages.get(`${channelId()}/${look.thread}`)
  const replies = threadMessages(look.thread)
  name.textContent =
    look.place === 'app' ? model.app.name : `#${model.channels.find((one) => one.id === look.place)?.name ?? ''}`
  const count = { key: 'count', version: `${replies.length}`, draw: () => drawCount(replies.length) }
  const rows = [...(parent ? [rowOf(parent)] : []), count, ...replies.map(rowOf)]
  keyed(
    list,
    rows,
    (row) => row.key,
    (row) => row.version,
    (row) => row.draw(),
  )
  if (now !== shownThread) toEnd()
  stay()
  if (now !== shownThread && !document.querySelector('dialog[open]')) list.focus({ preventScroll: true })
  shownThread = now
}

function rowOf(message) {
  return {
    key: keyOf(message),
    version: versionOf(message, true, false),
    draw: () => drawMessage(message, true, false),
  }
}

function drawCount(count) {
  return h('div', { class: 'day count' }, h('span', {}, `${count} ${count === 1 ? 'reply' : 'replies'}`))
}

/** Closes the thread and returns the focus to the button that opened it. */
export function closeThread() {
  const opener = document.querySelector(`[data-key="${CSS.escape(`${channelId()}/${look.thread}`)}"] .replies`)
  go({ thread: null })
  opener?.focus()
}
