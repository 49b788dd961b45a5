/** What the server sent: replaced as a whole by `state`, then changed by events. */
export const model = {
  ready: false,
  team: '',
  me: { id: '', name: '', tz: 'UTC' },
  app: { id: '', name: '', channel: '' },
  /** @type {Array<{ id: string, name: string, title: string }>} */
  people: [],
  /** @type {Array<{ id: string, name: string, kind: string, topic: string, members: number, hasApp: boolean }>} */
  channels: [],
  commands: [],
  shortcuts: [],
  controls: [],
  /** Indexes of the controls that are switched on. */
  on: [],
  /** Controls that are offered only at times, with the reason why they are offered now. */
  offered: [],
  /** The tour, the number of its steps that are done, and the acts of the current step that are done. */
  tour: [],
  step: 0,
  acted: [],
  /** The notice above the page, if any. */
  plight: null,
  /** The sandbox's clock minus this machine's, ms. */
  ahead: 0,
  messages: new Map(),
  modals: [],
  home: null,
}

/** What this page shows. `as`, `place` and `thread` are in the address, so that each tab can be another person. */
export const look = {
  as: '',
  place: '',
  tab: 'messages',
  /** @type {string | null} ts of the parent */
  thread: null,
  sidebar: false,
  drawer: false,
  tour: sessionStorage.getItem('tour') !== 'closed',
}

/** Opens or closes the tour, and keeps that for when this tab is reloaded. */
export function showTour(isOpen) {
  look.tour = isOpen
  sessionStorage.setItem('tour', isOpen ? 'open' : 'closed')
  changed()
}

/** Messages that arrived while nobody looked, by channel; parents of threads with news. */
export const unread = { channels: new Map(), threads: new Set() }

const listeners = new Set()
let scheduled = false

export function onChange(listener) {
  listeners.add(listener)
}

/** Draws again soon; many changes at once are drawn once. */
export function changed() {
  if (scheduled) return
  scheduled = true
  setTimeout(() => {
    scheduled = false
    for (const listener of listeners) listener()
  })
}

export const keyOf = (message) => `${message.channel}/${message.ts}`

/** Returns the channel whose messages are on screen. */
export function channelId() {
  return look.place === 'app' ? model.app.channel : look.place
}

export function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1))
  look.as = given.get('as') ?? look.as
  look.place = given.get('in') ?? look.place
  look.tab = given.get('tab') ?? 'messages'
  look.thread = given.get('thread')
}

/** Shows another place, and remembers it in the address. */
export function go(change) {
  Object.assign(look, { thread: null, sidebar: false }, change)
  const parts = { as: look.as, in: look.place, tab: look.tab === 'home' ? 'home' : '', thread: look.thread ?? '' }
  const address = new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== ''))
  history.replaceState(null, '', `#${address}`)
  seenNow()
  changed()
}

/** Marks everything on screen as read. */
export function seenNow() {
  if (!model.ready || document.hidden) return
  if (look.place !== 'app' || look.tab === 'messages') unread.channels.delete(channelId())
  if (look.thread) unread.threads.delete(`${channelId()}/${look.thread}`)
}

/** Returns the messages of the channel on screen, oldest first, without replies unless they were broadcast. */
export function channelMessages() {
  const shown = inChannel().filter((m) => (m.threadTs === null || m.broadcast) && visible(m))
  return shown.sort(byTime)
}

export function threadMessages(ts) {
  return inChannel()
    .filter((m) => m.threadTs === ts && !m.deleted)
    .sort(byTime)
}

/** A deleted message stays visible, marked as deleted, while it has replies. */
export function visible(message) {
  return !message.deleted || (message.threadTs === null && threadMessages(message.ts).length > 0)
}

function inChannel() {
  return [...model.messages.values()].filter((m) => m.channel === channelId())
}

function byTime(a, b) {
  return a.ts < b.ts ? -1 : 1
}
