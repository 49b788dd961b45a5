import { h } from './dom.js'
import { go, model } from './model.js'

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code', pre: 'pre', quote: 'blockquote' }

/** Draws text that the server has parsed: elements for styles, text nodes for everything a person wrote. */
export function drawNodes(nodes = []) {
  return nodes.map((node) => {
    if (tags[node.kind]) return h(tags[node.kind], {}, drawNodes(node.nodes))
    if (node.kind === 'mention') return h('span', { class: `mention ${node.me ? 'mention-me' : ''}` }, node.text)
    if (node.kind === 'time') return h('time', {}, node.text)
    if (node.kind === 'link') return drawLink(node)
    if (node.kind === 'emoji') return `:${node.name}:`
    return node.text
  })
}

/** Only web and mail addresses become links. A link to a message in this workspace jumps to it. */
function drawLink({ url, text }) {
  const here = /\/archives\/(\w+)\/p(\d+)(\d{6})(?:\?thread_ts=([\d.]+))?/.exec(
    url.startsWith(location.origin) ? url : '',
  )
  if (here) return h('a', { href: url, onclick: (event) => jump(event, here) }, text === url ? 'message' : text)
  if (!/^(https?:|mailto:)/i.test(url)) return `${text} (${url})`
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, text)
}

function jump(event, [, channel, seconds, part, thread]) {
  event.preventDefault()
  const ts = `${seconds}.${part}`
  go({ place: channel === model.app.channel ? 'app' : channel, tab: 'messages', thread: thread ?? null })
  setTimeout(() => {
    const row = document.querySelector(`[data-key="${CSS.escape(`${channel}/${ts}`)}"]`)
    row?.scrollIntoView({ block: 'center' })
    row?.classList.add('found')
  }, 50)
}

/** Returns a text object as plain text, for labels and options. */
export function plainOf(text) {
  return (text?.text ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
