import { h, icon } from './dom.js'

const shelf = document.getElementById('toasts')
const shownMs = 7000

/** Shows a message in a corner for a few seconds, and never the same one twice at once. */
export function toast(text, kind = 'problem') {
  for (const old of shelf.children) if (old.dataset.text === text) old.remove()
  const dismiss = h('button', { class: 'plain', 'aria-label': 'Dismiss', onclick: () => slip.remove() }, icon('close'))
  const slip = h(
    'div',
    { class: `toast toast-${kind}`, 'data-text': text },
    icon(kind === 'problem' ? 'warning' : 'bolt'),
    h('span', {}, text),
    dismiss,
  )
  shelf.append(slip)
  setTimeout(() => slip.remove(), shownMs)
}
