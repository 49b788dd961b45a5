import { h } from './dom.js'
import { plainOf } from './nodes.js'

const pauseMs = 200
let count = 0

/** Draws a field that asks the app for options while a person types, with the keys of a combobox. */
export function drawCombobox(element, field) {
  const id = `options-${++count}`
  let options = []
  let active = -1
  let timer
  let asked = 0
  let taken = plainOf(field.value?.selected_option?.text ?? element.initial_option?.text)
  const list = h('ul', { class: 'menu combobox-list', id, role: 'listbox', 'aria-label': field.label, hidden: true })
  const input = h('input', {
    class: 'field',
    role: 'combobox',
    autocomplete: 'off',
    value: taken,
    placeholder: plainOf(element.placeholder),
    'aria-label': field.label,
    'aria-expanded': 'false',
    'aria-controls': id,
    'aria-autocomplete': 'list',
    'aria-describedby': field.describedBy,
    'data-focus': element.action_id,
    oninput: later,
    onclick: later,
    onblur: () => setTimeout(leave, 150),
    onkeydown: steer,
  })

  function later() {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), pauseMs)
  }

  async function ask() {
    const wanted = element.min_query_length ?? 3
    if (input.value.length < wanted)
      return show([], `Type ${wanted === 1 ? 'a letter' : `${wanted} letters`} to search`)
    const turn = ++asked
    const found = await field.suggest(input.value === taken ? '' : input.value)
    if (turn === asked && document.activeElement === input) show(found, 'Nothing found')
  }

  function show(found, otherwise) {
    options = found
    active = found.length > 0 ? 0 : -1
    const items = found.map((option, at) =>
      h(
        'li',
        {
          role: 'option',
          id: `${id}-${at}`,
          class: 'menu-item',
          onmousedown: (event) => event.preventDefault(),
          onmousemove: () => {
            active = at
            mark()
          },
          onclick: () => take(at),
        },
        plainOf(option.text),
        option.description && h('small', {}, plainOf(option.description)),
      ),
    )
    list.replaceChildren(...(items.length > 0 ? items : [h('li', { class: 'menu-note' }, otherwise)]))
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    list.scrollIntoView({ block: 'nearest' })
    mark()
  }

  function mark() {
    for (const [at, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(at === active))
    if (active >= 0) input.setAttribute('aria-activedescendant', `${id}-${active}`)
    else input.removeAttribute('aria-activedescendant')
  }

  function steer(event) {
    if (event.key === 'Escape' && !list.hidden) {
      event.stopPropagation()
      event.preventDefault()
      hide()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) return later()
      active = (active + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % Math.max(1, options.length)
      mark()
    } else if (event.key === 'Enter' && !list.hidden && active >= 0) {
      event.preventDefault()
      void take(active)
    }
  }

  async function take(at) {
    const option = options[at]
    hide()
    input.value = plainOf(option.text)
    if ((await field.choose(option)) === false) input.value = taken
    else taken = input.value
  }

  function leave() {
    hide()
    if (input.value === '' && taken !== '') {
      taken = ''
      field.choose(null)
    }
    input.value = taken
  }

  function hide() {
    list.hidden = true
    asked += 1
    input.setAttribute('aria-expanded', 'false')
  }

  return h('div', { class: 'combobox' }, input, list)
}
