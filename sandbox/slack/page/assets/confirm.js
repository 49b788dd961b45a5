import { h } from './dom.js'
import { drawNodes, plainOf } from './nodes.js'

/** Asks for confirmation if the element has a dialog; resolves to true at once if it has none. */
export function confirmed(dialog) {
  if (!dialog) return Promise.resolve(true)
  return new Promise((resolve) => {
    const style = dialog.style === 'danger' ? 'button-danger' : 'button-primary'
    const no = h(
      'button',
      { type: 'button', class: 'button', onclick: () => box.close('') },
      plainOf(dialog.deny) || 'Cancel',
    )
    const yes = h(
      'button',
      { type: 'button', class: `button ${style}`, onclick: () => box.close('yes') },
      plainOf(dialog.confirm) || 'Yes',
    )
    const box = h(
      'dialog',
      { class: 'dialog dialog-small', 'aria-label': plainOf(dialog.title) || 'Are you sure?' },
      h('h2', {}, plainOf(dialog.title) || 'Are you sure?'),
      h('div', { class: 'mrkdwn dialog-body' }, drawNodes(dialog.text.nodes)),
      h('div', { class: 'dialog-foot' }, no, yes),
    )
    box.addEventListener('close', () => {
      resolve(box.returnValue === 'yes')
      box.remove()
    })
    document.body.append(box)
    box.showModal()
    yes.focus()
  })
}
