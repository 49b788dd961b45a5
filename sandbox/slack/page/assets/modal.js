import { drawBlocks } from './blocks.js'
import { avatar, h, icon } from './dom.js'
import { drafts, faults } from './inputs.js'
import { changed, model } from './model.js'
import { plainOf } from './nodes.js'
import { perform } from './server.js'

let box
let shown = ''

/** Draws the modal on top of this person's stack, or removes it. */
export function drawModal() {
  const view = model.modals.at(-1)
  if (!view) return leave()
  const version = `${view.id} ${view.hash} ${JSON.stringify(faults.get(view.id) ?? {})} ${model.modals.length}`
  if (version === shown) return
  shown = version
  const focused = box?.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined
  if (!box) open()
  box.setAttribute('aria-label', plainOf(view.title))
  box.replaceChildren(drawForm(view))
  focusOn(view, focused)
}

/** Closing the dialog returns the focus to what had it before; if that is gone, the keyboard goes on at the messages. */
function leave() {
  if (!box) return
  box.close()
  box.remove()
  box = undefined
  shown = ''
  if (document.activeElement === document.body)
    document.querySelector('.place .messages').focus({ preventScroll: true })
}

function open() {
  box = h('dialog', { class: 'dialog' })
  box.addEventListener('cancel', (event) => {
    event.preventDefault()
    void perform('close', { view: model.modals.at(-1)?.id })
  })
  document.body.append(box)
  box.showModal()
}

function drawForm(view) {
  const close = plainOf(view.close) || (model.modals.length > 1 ? 'Back' : 'Close')
  const send = h(
    'button',
    { type: 'submit', class: 'button button-primary', disabled: view.submitDisabled },
    plainOf(view.submit) || 'Submit',
  )
  const form = h(
    'form',
    { class: 'dialog-form', novalidate: true },
    h(
      'header',
      { class: 'dialog-head' },
      avatar(model.app.name, true, 'avatar-small'),
      h('h2', {}, plainOf(view.title)),
      h(
        'button',
        { type: 'button', class: 'plain', 'aria-label': 'Close', onclick: () => perform('close', { view: view.id }) },
        icon('close'),
      ),
    ),
    h('div', { class: 'dialog-body' }, drawBlocks(view.blocks, { view: view.id, values: view.values })),
    h(
      'footer',
      { class: 'dialog-foot' },
      h('button', { type: 'button', class: 'button', onclick: () => perform('close', { view: view.id }) }, close),
      view.submit && send,
    ),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (view.submit) void submit(view, send)
  })
  return form
}

async function submit(view, button) {
  if (button.getAttribute('aria-busy') === 'true') return
  button.setAttribute('aria-busy', 'true')
  const { errors = {} } = await perform('submit', { view: view.id, values: drafts.get(view.id) ?? {} })
  button.removeAttribute('aria-busy')
  faults.set(view.id, errors)
  changed()
}

/** Focuses the first invalid field, or the one that had the focus, or the first. */
function focusOn(view, focused) {
  const wrong = box.querySelector('.has-error [data-focus]')
  const same = focused && box.querySelector(`[data-focus="${CSS.escape(focused)}"]`)
  const first = box.querySelector('.dialog-body [data-focus]') ?? box.querySelector('.dialog-foot .button:last-child')
  const next = wrong ?? same ?? first
  if (view.fillable || !box.contains(document.activeElement)) next?.focus()
}
