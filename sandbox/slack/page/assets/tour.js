import { h, icon } from './dom.js'
import { changed, look, model, showTour } from './model.js'
import { typeFor } from './place.js'
import { actAs, perform } from './server.js'
import { toast } from './toasts.js'

const panel = document.getElementById('tour')
/** Labels of this step's acts that were pressed. Most acts are done only when their effect has happened. */
const pressed = new Set()
let shown = ''
let shownStep = -1

/** Draws the current step of the tour; nothing if there is no tour or it was closed. */
export function drawTour() {
  panel.hidden = !look.tour || model.tour.length === 0
  if (shownStep !== model.step) pressed.clear()
  shownStep = model.step
  const version = JSON.stringify([model.tour, model.step, model.acted, pressed.size, look.as])
  if (version === shown) return
  shown = version
  const step = model.tour[model.step]
  const isOver = (act) =>
    (!act.line && act.as === look.as) ||
    (act.isTold ? model.acted.includes(step.acts.indexOf(act)) : pressed.has(act.label))
  const next = step?.acts.find((act) => !isOver(act))
  panel.replaceChildren(
    h(
      'div',
      {},
      h('h2', {}, step ? `${model.step + 1} of ${model.tour.length}: ${step.title}` : 'That’s the tour'),
      h('p', {}, next?.text ?? step?.text ?? 'Everything else works the same way. /endpoint help lists all commands.'),
    ),
    h(
      'div',
      { class: 'tour-acts' },
      step ? step.acts.filter(hasButton).map((act) => drawAct(act, isOver(act), act === next)) : drawAgain(),
    ),
    h(
      'button',
      { type: 'button', class: 'plain', 'aria-label': 'Close the tour', onclick: () => showTour(false) },
      icon('close'),
    ),
  )
}

/** An act without a label is done in Slack itself. */
const hasButton = ({ label }) => label !== undefined

function drawAct(act, isOver, isNext) {
  const run = () => {
    pressed.add(act.label)
    changed()
    return doAct(act)
  }
  const look = `button${isNext && !pressed.has(act.label) ? ' button-primary' : ''}${isOver ? ' is-over' : ''}`
  return h('button', { type: 'button', class: look, onclick: run }, act.label)
}

function drawAgain() {
  return h('button', { type: 'button', class: 'button', onclick: () => perform('tour') }, 'Start over')
}

async function doAct({ line, as, control }) {
  if (as && as !== look.as) actAs(as)
  if (line) typeFor(line)
  if (control) {
    const index = model.controls.findIndex((one) => one.label === control)
    const { said } = await perform('control', { index })
    if (said) toast(said, 'news')
  }
}
