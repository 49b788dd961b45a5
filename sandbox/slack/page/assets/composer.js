import { h, icon } from './dom.js'
import { model } from './model.js'
import { perform } from './server.js'

const typedBefore = []

/** Creates the box to type in. `place()` returns where a line goes; `onSend` is called when one is sent. */
export function createComposer(place, onSend) {
  let back = 0
  const hints = h('div', { class: 'hints', role: 'status', hidden: true })
  const input = h('textarea', {
    class: 'composer-input',
    rows: 1,
    spellcheck: 'false',
    oninput: react,
    onkeydown: steer,
  })
  const send = h('button', { type: 'button', class: 'send', 'aria-label': 'Send', onclick: submit }, icon('send'))
  const element = h('div', { class: 'composer' }, hints, h('div', { class: 'composer-box' }, input, send))

  function react() {
    input.style.height = 'auto'
    input.style.height = `${Math.min(input.scrollHeight, 200)}px`
    send.classList.toggle('ready', input.value.trim() !== '')
    const found = matching()
    hints.hidden = found.length === 0
    hints.replaceChildren(...found.map(drawHint))
  }

  function matching() {
    if (!/^\/\S*( |$)/.test(input.value)) return []
    const [word] = input.value.split(' ')
    return model.commands.filter(({ command }) =>
      input.value.includes(' ') ? command === word : command.startsWith(word),
    )
  }

  function drawHint({ command, usageHint, description }) {
    const parts = [
      h('strong', {}, command),
      ' ',
      h('span', { class: 'faint' }, usageHint),
      description && h('small', {}, description),
    ]
    return h(
      'button',
      {
        type: 'button',
        class: 'hint',
        tabindex: '-1',
        onmousedown: (event) => event.preventDefault(),
        onclick: () => complete(command),
      },
      parts,
    )
  }

  function complete(command) {
    input.value = `${command} `
    input.focus()
    react()
  }

  function steer(event) {
    const [first] = matching()
    if (event.key === 'Escape' && !hints.hidden) {
      hints.hidden = true
      event.stopPropagation()
      return
    }
    const partial = first && !input.value.includes(' ') && input.value !== first.command
    if (event.key === 'Tab' && !event.shiftKey && partial) {
      event.preventDefault()
      complete(first.command)
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      submit()
    } else if (
      (event.key === 'ArrowUp' && (input.value === '' || back > 0)) ||
      (event.key === 'ArrowDown' && back > 0)
    ) {
      event.preventDefault()
      back = Math.max(0, Math.min(typedBefore.length, back + (event.key === 'ArrowUp' ? 1 : -1)))
      input.value = back === 0 ? '' : (typedBefore.at(-back) ?? '')
      react()
    }
  }

  function submit() {
    const line = input.value.trim()
    if (line === '') return
    typedBefore.push(line)
    back = 0
    input.value = ''
    react()
    onSend()
    void perform('type', { line, ...place() })
  }

  return {
    element,
    focus: () => input.focus(),
    put(line) {
      input.value = line
      input.focus()
      react()
    },
    name(label) {
      input.placeholder = label
      input.setAttribute('aria-label', label)
    },
  }
}
