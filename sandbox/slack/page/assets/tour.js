import { h, icon } from './dom.js'
import { changed, go, look, model } from './model.js'
import { typeFor } from './place.js'
import { connect, perform } from './server.js'
import { toast } from './toasts.js'

const panel = document.getElementById('tour')
let shown = ''

/** Draws the step of the tour that comes next. Nothing where there is no tour, or it was closed. */
export function drawTour() {
  panel.hidden = !look.tour || model.tour.length === 0
  const version = JSON.stringify([model.tour, model.step])
  if (version === shown) return
  shown = version
  const step = model.tour[model.step]
  panel.replaceChildren(
    h('h2', {}, step ? `${model.step + 1} of ${model.tour.length}: ${step.title}` : 'That was the tour'),
    h('p', {}, step?.text ?? 'Everything else works the same way. /endpoint help shows all commands.'),
    h(
      'div',
      { class: 'tour-acts' },
      (step?.acts ?? []).map((act) =>
        h('button', { type: 'button', class: 'button', onclick: () => doAct(act) }, act.label),
      ),
    ),
    h('button', { type: 'button', class: 'plain', 'aria-label': 'Close the tour', onclick: close }, icon('close')),
  )
}

function close() {
  look.tour = false
  changed()
}

async function doAct({ line, as, control }) {
  if (as) {
    go({ as })
    connect()
  } else if (line) typeFor(line)
  else {
    const index = model.controls.findIndex((one) => one.label === control)
    const { said } = await perform('control', { index })
    if (said) toast(said, 'news')
  }
}
