import { announce, isOnScreen } from './attention.js'
import { changed, go, keyOf, look, model, seenNow, unread } from './model.js'
import { beginAgain } from './patience.js'
import { toast } from './toasts.js'

const token = new URLSearchParams(location.search).get('token') ?? ''
let source
/** When the page was loaded, by the sandbox's clock; undefined until the sandbox has sent it. */
let since
/** The time zone of the previous acting person. */
let movedFrom

/** Listens to the workspace as the person in the address. */
export function connect() {
  source?.close()
  model.ready = false
  source = new EventSource(address('/page/feed', since === undefined ? {} : { since }))
  source.addEventListener('state', ({ data }) => takeState(JSON.parse(data)))
  source.addEventListener('message', ({ data }) => takeMessage(JSON.parse(data)))
  source.addEventListener('views', ({ data }) => {
    Object.assign(model, JSON.parse(data))
    changed()
  })
  source.addEventListener('clock', ({ data }) => takeClock(JSON.parse(data)))
  source.addEventListener('toast', ({ data }) => toast(JSON.parse(data).text))
  source.addEventListener('error', () => {
    document.body.classList.add('offline')
  })
  source.addEventListener('open', () => document.body.classList.remove('offline'))
}

/** Switches to another person, who sees the same thread and reads the clock in another time zone. */
export function actAs(id) {
  movedFrom = model.me.tz
  go({ as: id, thread: look.thread })
  connect()
}

function takeState(state) {
  if (since === undefined && state.step >= state.tour.length) look.tour = false
  since ??= state.now
  Object.assign(model, state, { ready: true, messages: new Map(state.messages.map((m) => [keyOf(m), m])) })
  takeClock(state)
  look.as = state.me.id
  const { name, tz } = state.me
  if (movedFrom !== undefined && movedFrom !== tz)
    toast(`Times are now in ${name}’s time zone (${tz.replaceAll('_', ' ')}).`, 'news')
  movedFrom = undefined
  const places = [...state.channels.map((c) => c.id), 'app']
  if (!places.includes(look.place)) look.place = state.channels[0]?.id ?? 'app'
  // Opening the Home makes the app publish it for this person.
  if (look.place === 'app' && look.tab === 'home') void perform('home')
  changed()
}

/** The tour's progress and the notice above the page, as last drawn. */
let told = ''

function takeClock({ now, on, offered, step, acted, plight }) {
  const toldNow = JSON.stringify([step, acted, plight?.text])
  const moved = toldNow !== told
  told = toldNow
  Object.assign(model, { ahead: now - Date.now(), on, offered, step, acted, plight })
  if (moved) changed()
}

function takeMessage(message) {
  const known = model.messages.has(keyOf(message))
  model.messages.set(keyOf(message), message)
  if (!known && message.authorId !== model.me.id) notice(message)
  if (!known) beginAgain()
  seenNow()
  changed()
}

function notice(message) {
  const inThread = message.threadTs !== null && !message.broadcast
  if (message.threadTs !== null) unread.threads.add(`${message.channel}/${message.threadTs}`)
  if (!inThread && !isOnScreen(message)) {
    unread.channels.set(message.channel, (unread.channels.get(message.channel) ?? 0) + 1)
  }
  if (isOnScreen(message)) announce(`${message.author}: ${message.plain}`)
}

/** Asks the server to do something as this person. Shows a problem, and returns it as `problem`. */
export async function perform(deed, more = {}) {
  try {
    const response = await fetch(address('/page/do'), { method: 'POST', body: JSON.stringify({ deed, ...more }) })
    const answer = await response.json()
    if (answer.problem) toast(answer.problem)
    return answer
  } catch {
    const problem = 'The demo doesn’t answer. Is it still running?'
    toast(problem)
    return { problem }
  }
}

export function address(path, more = {}) {
  return `${path}?${new URLSearchParams({ token, as: look.as, ...more })}`
}
