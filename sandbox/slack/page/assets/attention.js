import { channelId, look } from './model.js'

const announcer = document.getElementById('announcer')

/** Says something to a screen reader. */
export function announce(text) {
  announcer.textContent = text
}

export function isOnScreen(message) {
  if (document.hidden || message.channel !== channelId()) return false
  if (look.place === 'app' && look.tab === 'home') return false
  return message.threadTs === null || message.broadcast || message.threadTs === look.thread
}
