/** What the server told: replaced as a whole by `state`, then changed by events. */
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
  /** Indexes of those controls that are switched on. */
  on: [],
  /** Those that are offered only at times, and why they are now. */
  offered: [],
  /** What a newcomer is led through, how much of it is done, and which acts of the step that comes next are over. */
  tour: [],
  step: 0,
  acted: [],
  /** What has become of something that everything depends on. */
  plight: null,
  /** The sandbox's clock minus this machine's, ms. */
  ahead: 0,
  messages: new Map(),
  modals: [],
  home: null,
}

/** Where this page looks. `as`, `place` and `thread` stand in the address, so that each tab can be somebody else. */
export const look = {
  as: '',
  place: '',
  tab: 'messages',
  /** @type {string | null} ts of the parent */
  thread: null,
  sidebar: false,
  drawer: false,
  tour: true,
}

/** Messages that came while nobody looked, by channel; parents of threads with news. */
export const unread = { channels: new Map(), threads: new Set() }

const listeners = new Set()
let scheduled = false

export function onChange(listener) {
  listeners.add(listener)
}

/** Draws again soon; many changes at once are one drawing. */
export function changed() {
  if (scheduled) return
  scheduled = true
  setTimeout(() => {
    scheduled = false
    for (const listener of listeners) listener()
  })
}

export const keyOf = (message) => `${message.channel}/${message.ts}`

/** The channel whose messages are on screen. */
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

/** Looks somewhere else, and remembers it in the address. */
export function go(change) {
  Object.assign(look, { thread: null, sidebar: false }, change)
  const parts = { as: look.as, in: look.place, tab: look.tab === 'home' ? 'home' : '', thread: look.thread ?? '' }
  const address = new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== ''))
  history.replaceState(null, '', `#${address}`)
  seenNow()
  changed()
}

/** What is on screen is read. */
export function seenNow() {
  if (!model.ready || document.hidden) return
  if (look.place !== 'app' || look.tab === 'messages') unread.channels.delete(channelId())
  if (look.thread) unread.threads.delete(`${channelId()}/${look.thread}`)
}

/** Messages of the channel on screen, oldest first: without replies, but with those that are shown to everybody. */
export function channelMessages() {
  const shown = inChannel().filter((m) => (m.threadTs === null || m.broadcast) && visible(m))
  return shown.sort(byTime)
}

export function threadMessages(ts) {
  return inChannel()
    .filter((m) => m.threadTs === ts && !m.deleted)
    .sort(byTime)
}

/** A deleted message is shown as such while it has replies. */
export function visible(message) {
  return !message.deleted || (message.threadTs === null && threadMessages(message.ts).length > 0)
}

function inChannel() {
  return [...model.messages.values()].filter((m) => m.channel === channelId())
}

function byTime(a, b) {
  return a.ts < b.ts ? -1 : 1
}
