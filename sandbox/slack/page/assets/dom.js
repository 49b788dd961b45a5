/**
 * Creates an element. Attributes that begin with `on` add listeners; strings among the children become text nodes, so
 * that nothing from outside is ever parsed as markup.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'value' || name === 'checked') element[name] = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false))
  return element
}

const versions = new WeakMap()

/**
 * Gives `parent` one child for each item and keeps the children whose version did not change: focus, scroll position
 * and open menus stay as they are.
 */
export function keyed(parent, items, keyOf, versionOf, render) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]))
  let cursor = parent.firstElementChild
  for (const item of items) {
    const key = keyOf(item)
    const version = versionOf(item)
    const before = old.get(key)
    old.delete(key)
    let element = before
    if (!before || versions.get(before) !== version) {
      element = render(item)
      element.dataset.key = key
      versions.set(element, version)
      if (before) {
        if (cursor === before) cursor = element
        swap(before, element)
      }
    }
    if (cursor === element) cursor = element.nextElementSibling
    else parent.insertBefore(element, cursor)
  }
  for (const left of old.values()) left.remove()
}

/** Replaces an element. If it had the focus, the new element gets it, at the same `data-focus` if there is one. */
function swap(before, after) {
  const focused = before.contains(document.activeElement) ? document.activeElement : undefined
  before.replaceWith(after)
  if (!focused) return
  const same = focused.dataset.focus && after.querySelector(`[data-focus="${CSS.escape(focused.dataset.focus)}"]`)
  const next = same ?? after
  if (next === after) after.tabIndex = -1
  next.focus({ preventScroll: true })
}

/**
 * Keeps the end of a list in view while it is, even when all lines wrap again; of a last message that is taller than
 * the list, its beginning. Returns what goes to the end.
 */
export function stayAtEnd(list) {
  let atEnd = true
  let put = 0
  const toEnd = () => {
    list.scrollTop = list.scrollHeight
    const last = list.lastElementChild
    if (last?.offsetHeight > list.clientHeight)
      list.scrollTop += last.getBoundingClientRect().top - list.getBoundingClientRect().top
    put = list.scrollTop
    atEnd = true
  }
  list.addEventListener('scroll', () => {
    atEnd = list.scrollTop === put || list.scrollHeight - list.scrollTop - list.clientHeight < 80
  })
  const stay = () => atEnd && toEnd()
  new ResizeObserver(stay).observe(list)
  return { toEnd, stay }
}

const paths = {
  hash: 'M4 9h16M4 15h16M10 3 8 21M16 3l-2 18',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  home: 'M4 11 12 4l8 7M6 10v10h12V10',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  close: 'M5 5l14 14M19 5 5 19',
  menu: 'M4 6h16M4 12h16M4 18h16',
  sliders: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  send: 'M4 12 20 4l-5 16-4-6zM11 14l9-10',
  reply: 'M20 15a3 3 0 0 1-3 3H9l-5 4V7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3z',
  broadcast: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 6 6v5',
  file: 'M6 3h8l4 4v14H6zM14 3v5h4',
  more: 'M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  warning: 'M12 4 2 20h20zM12 10v4M12 17h.01',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
}

/** Draws a small icon that screen readers skip. */
export function icon(name) {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(namespace, 'path')
  path.setAttribute('d', paths[name])
  svg.append(path)
  return svg
}

/** Draws a square with initials, in a color derived from the name. */
export function avatar(name, app, size = '') {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7)
  const initials = app ? [...name][0] : [...name].slice(0, 2).join('')
  const square = h(
    'span',
    { class: `avatar ${app ? 'avatar-app' : ''} ${size}`, 'aria-hidden': 'true' },
    initials.toUpperCase(),
  )
  square.style.setProperty('--hue', String(hue))
  return square
}
