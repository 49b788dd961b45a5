import { drawBlocks } from './blocks.js'
import { avatar, h, icon } from './dom.js'
import { go, keyOf, look, model, threadMessages, unread } from './model.js'
import { drawNodes } from './nodes.js'
import { address } from './server.js'

/** Returns everything that a row of a channel depends on; the row is redrawn only if this changes. */
export function versionOf(message, inThread, follows) {
  const replies = inThread || message.threadTs !== null ? [] : threadMessages(message.ts)
  const news = unread.threads.has(keyOf(message))
  return JSON.stringify([message, replies.length, replies.at(-1)?.time, news, follows, look.thread === message.ts])
}

/** Draws a message. `follows`: the same author wrote just before, so the name is not repeated. */
export function drawMessage(message, inThread, follows) {
  const replies = inThread || message.threadTs !== null ? [] : threadMessages(message.ts)
  const classes = [
    'message',
    follows && 'follows',
    message.ephemeral && 'ephemeral',
    message.broadcast && !inThread && 'broadcast',
    !inThread && look.thread === message.ts && 'opened',
  ]
  return h(
    'article',
    { class: classes.filter(Boolean).join(' '), 'aria-label': `${message.author}, ${message.time}` },
    h(
      'div',
      { class: 'gutter' },
      follows ? h('time', { class: 'follows-time' }, message.time) : avatar(message.author, message.app),
    ),
    h(
      'div',
      { class: 'message-main' },
      message.ephemeral && h('div', { class: 'message-note' }, icon('eye'), 'Only visible to you'),
      message.broadcast && !inThread && drawRepliedTo(message),
      !follows && drawAuthor(message),
      drawContent(message),
      replies.length > 0 && drawReplies(message, replies),
    ),
    !inThread && !message.ephemeral && !message.deleted && drawHover(message),
  )
}

function drawAuthor(message) {
  return h(
    'div',
    { class: 'author' },
    h('strong', {}, message.author),
    message.app && h('span', { class: 'badge' }, 'APP'),
    h('time', {}, message.time),
  )
}

function drawContent(message) {
  if (message.deleted) return h('div', { class: 'faint' }, 'This message was deleted.')
  const surface = { channel: message.channel, ts: message.ts }
  return h(
    'div',
    { class: 'content' },
    message.blocks.length > 0
      ? drawBlocks(message.blocks, surface)
      : h('div', { class: 'mrkdwn' }, drawNodes(message.nodes)),
    message.files.map(drawFile),
    message.edited && h('span', { class: 'faint edited' }, '(edited)'),
  )
}

function drawFile(file) {
  const source = address(`/page/file/${file.id}`)
  return h(
    'div',
    { class: 'file' },
    h(
      'a',
      { href: source, download: file.name },
      icon('file'),
      h('span', {}, h('strong', {}, file.name), h('small', {}, `${file.bytes.toLocaleString('en')} bytes`)),
    ),
    file.picture && h('img', { class: 'file-picture', src: source, alt: file.alt || file.name }),
    file.preview && h('pre', { class: 'file-preview' }, file.preview),
  )
}

function drawReplies(message, replies) {
  const news = unread.threads.has(keyOf(message))
  const authors = [...new Map(replies.map((reply) => [reply.authorId, reply])).values()].slice(0, 4)
  return h(
    'button',
    {
      type: 'button',
      class: `replies ${news ? 'has-news' : ''}`,
      'data-focus': 'replies',
      onclick: () => go({ thread: message.ts }),
    },
    authors.map((reply) => avatar(reply.author, reply.app, 'avatar-tiny')),
    h('span', { class: 'replies-count' }, `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'}`),
    h('span', { class: 'faint' }, news ? 'New reply' : `Last at ${replies.at(-1).time}`),
  )
}

function drawRepliedTo(message) {
  const parent = model.messages.get(`${message.channel}/${message.threadTs}`)
  const start = parent && !parent.deleted ? shortened(parent.plain) : 'a thread'
  return h(
    'div',
    { class: 'message-note' },
    icon('broadcast'),
    'replied to a thread: ',
    h(
      'button',
      { type: 'button', class: 'link', 'data-focus': 'parent', onclick: () => go({ thread: message.threadTs }) },
      start,
    ),
  )
}

function drawHover(message) {
  const thread = message.threadTs ?? message.ts
  return h(
    'div',
    { class: 'hover' },
    h(
      'button',
      {
        type: 'button',
        class: 'plain',
        'aria-label': 'Reply in thread',
        title: 'Reply in thread',
        'data-focus': 'reply',
        onclick: () => go({ thread }),
      },
      icon('reply'),
    ),
  )
}

function shortened(text) {
  return text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text
}
