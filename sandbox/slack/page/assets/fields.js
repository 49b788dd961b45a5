import { drawCombobox } from './combobox.js'
import { h } from './dom.js'
import { model } from './model.js'
import { drawNodes, plainOf } from './nodes.js'

/**
 * Draws one field. `field` has a `label`, the `value` so far in Slack's shape, `choose(chosen)` to call on a change,
 * and `suggest(typed)` for a type-ahead. Options are identified by their values.
 */
export function drawField(element, field) {
  const draw = drawings[element.type]
  return draw ? draw(element, field) : h('span', { class: 'block-unknown' }, `A field of type “${element.type}”`)
}

const drawings = {
  plain_text_input: (element, field) =>
    element.multiline ? drawLines(element, field) : drawLine('text', element, field),
  email_text_input: (element, field) => drawLine('email', element, field),
  url_text_input: (element, field) => drawLine('url', element, field),
  number_input: (element, field) =>
    drawLine('text', element, field, { inputmode: element.is_decimal_allowed ? 'decimal' : 'numeric' }),
  datepicker: (element, field) => drawLine('date', element, field, { value: field.value?.selected_date ?? '' }),
  timepicker: (element, field) => drawLine('time', element, field, { value: field.value?.selected_time ?? '' }),
  datetimepicker: drawMoment,
  static_select: (element, field) =>
    drawSelect(element, field, groupsOf(element), field.value?.selected_option?.value ?? element.initial_option?.value),
  users_select: (element, field) =>
    drawSelect(element, field, [{ options: people() }], field.value?.selected_user ?? element.initial_user),
  channels_select: (element, field) =>
    drawSelect(element, field, [{ options: channels() }], field.value?.selected_channel ?? element.initial_channel),
  conversations_select: (element, field) =>
    drawSelect(
      element,
      field,
      [{ options: channels() }],
      field.value?.selected_conversation ?? element.initial_conversation,
    ),
  external_select: drawCombobox,
  radio_buttons: (element, field) =>
    drawChoices('radio', element, field, element.options, [
      field.value?.selected_option?.value ?? element.initial_option?.value,
    ]),
  checkboxes: (element, field) =>
    drawChoices('checkbox', element, field, element.options, chosenValues(element, field)),
  multi_static_select: (element, field) =>
    drawChoices(
      'checkbox',
      element,
      field,
      groupsOf(element).flatMap((group) => group.options),
      chosenValues(element, field),
    ),
  multi_users_select: (element, field) =>
    drawChoices('checkbox', element, field, people(), field.value?.selected_users ?? []),
  multi_channels_select: (element, field) =>
    drawChoices('checkbox', element, field, channels(), field.value?.selected_channels ?? []),
}

function common(element, field) {
  return {
    'aria-label': field.label,
    'aria-invalid': field.error ? 'true' : undefined,
    'aria-describedby': field.describedBy,
    'data-focus': element.action_id,
    autofocus: element.focus_on_load,
    placeholder: plainOf(element.placeholder) || undefined,
  }
}

function drawLine(type, element, field, more = {}) {
  const value = field.value?.value ?? ''
  return h('input', {
    type,
    class: 'field',
    value,
    ...common(element, field),
    oninput: (event) => field.choose(event.target.value),
    ...more,
  })
}

function drawLines(element, field) {
  return h('textarea', {
    class: 'field',
    rows: 4,
    value: field.value?.value ?? '',
    ...common(element, field),
    oninput: (event) => field.choose(event.target.value),
  })
}

/** Draws a date and a time in the zone of the acting person, as Slack does. */
function drawMoment(element, field) {
  const seconds = field.value?.selected_date_time ?? element.initial_date_time
  const value = seconds ? new Date(seconds * 1000 + aheadOfUtc(seconds * 1000)).toISOString().slice(0, 16) : ''
  function choose(event) {
    const wall = Date.parse(`${event.target.value}Z`)
    if (Number.isNaN(wall)) return field.choose(null)
    // Twice, because the first guess may lie on the other side of a clock change.
    const guess = wall - aheadOfUtc(wall)
    return field.choose(Math.floor((wall - aheadOfUtc(guess)) / 1000))
  }
  return h('input', { type: 'datetime-local', class: 'field', ...common(element, field), value, onchange: choose })
}

/** Returns how far this person's clock is ahead of UTC at an instant, ms. */
function aheadOfUtc(ms) {
  const whole = Math.floor(ms / 60_000) * 60_000
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: model.me.tz, dateStyle: 'short', timeStyle: 'medium' })
  return Date.parse(`${wall.format(whole).replace(' ', 'T')}Z`) - whole
}

function drawSelect(element, field, groups, chosen) {
  const blank = h('option', { value: '' }, plainOf(element.placeholder) || 'Choose an option')
  const option = (one) => h('option', { value: one.value, selected: one.value === chosen }, plainOf(one.text))
  const options = groups.map((group) =>
    group.label ? h('optgroup', { label: plainOf(group.label) }, group.options.map(option)) : group.options.map(option),
  )
  const select = h('select', { class: 'field select', ...common(element, field) }, blank, options)
  select.addEventListener('change', async () => {
    const taken = await field.choose(select.value === '' ? null : select.value)
    if (taken === false) select.value = chosen ?? ''
  })
  return select
}

function drawChoices(type, element, field, options, chosen) {
  const name = `${element.action_id}-${Math.random()}`
  const boxes = options.map((option) =>
    h('input', {
      type,
      name,
      value: option.value,
      checked: chosen.includes(option.value),
      'data-focus': `${element.action_id}-${option.value}`,
      onchange: tell,
    }),
  )
  function tell() {
    const values = boxes.filter((box) => box.checked).map((box) => box.value)
    return field.choose(type === 'radio' ? (values[0] ?? null) : values)
  }
  const rows = options.map((option, at) =>
    h(
      'label',
      { class: 'choice' },
      boxes[at],
      h(
        'span',
        {},
        h('span', {}, drawNodes(option.text.nodes ?? [{ kind: 'text', text: plainOf(option.text) }])),
        option.description && h('small', {}, plainOf(option.description)),
      ),
    ),
  )
  return h(
    'div',
    { class: 'choices', role: 'group', 'aria-label': field.label, 'aria-describedby': field.describedBy },
    rows,
  )
}

function groupsOf(element) {
  return element.option_groups ?? [{ options: element.options ?? [] }]
}

function chosenValues(element, field) {
  return (field.value?.selected_options ?? element.initial_options ?? []).map((option) => option.value)
}

const people = () => model.people.map(({ id, name }) => ({ value: id, text: { text: name } }))
const channels = () => model.channels.map(({ id, name }) => ({ value: id, text: { text: `#${name}` } }))
