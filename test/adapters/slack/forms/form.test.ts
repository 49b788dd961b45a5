import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../sandbox/slack/json.ts'
import { checkView, largestView } from '../../../../sandbox/slack/validate/views.ts'
import {
  clearingId,
  formMetadataIn,
  formView,
  previewMetadataIn,
  previewView,
} from '../../../../src/adapters/slack/forms/form.ts'
import { type FormState, readForm, readSecrets } from '../../../../src/adapters/slack/forms/read-form.ts'
import { menuView } from '../../../../src/adapters/slack/home/menu.ts'
import type { Row } from '../../../../src/core/commands/define.ts'
import type { Field } from '../../../../src/core/commands/fields.ts'
import { longestLine, readLine } from '../../../../src/core/commands/parse.ts'
import type { FieldValues, Value } from '../../../../src/core/model/request.ts'
import type { Form } from '../../../../src/core/requests/accept.ts'
import { noRoleText } from '../../../../src/core/requests/authorize.ts'
import { commands, rows } from '../../../../src/features/command-table.ts'

const from = { channel: 'C0OPS', project: 'p'.repeat(32), replyUrl: `https://hooks.example/${'x'.repeat(200)}` }
const every = rows.map((row) => [row.name, row] as const)

/** Returns what Slack would reject in a view, as it is sent. */
function problemsOf(view: object): readonly string[] {
  const sent = JSON.parse(JSON.stringify(view)) as Json
  expect(JSON.stringify(sent).length).toBeLessThan(largestView)
  return checkView(sent, 'modal')
}

function valuesOf({ fields }: Row, make: (field: Field) => Value): FieldValues {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field)]))
}

describe('Slack accepts the form of every command', () => {
  test.each(every)('%s: empty, with and without a channel', (_, row) => {
    for (const placeless of [false, true]) {
      const view = formView({ row, values: {}, from, placeless }, 'en')
      expect(problemsOf(view)).toEqual([])
      expect(formMetadataIn(view.private_metadata ?? '')).toEqual({ ...from, verb: row.name })
    }
  })

  test.each(every)('%s: with the longest values of any characters', (_, row) => {
    for (const part of ['x', '&<>', '👩‍💻', '\u202e', '"', '\n', '\u0301', ' ']) {
      const long = part.repeat(longestLine).slice(0, longestLine)
      const values = valuesOf(row, ({ kind }) => (kind === 'number' ? 100 : long))
      expect(problemsOf(formView({ row, values, from }, 'en'))).toEqual([])
    }
  })

  test.each(every)('%s: with every field cleared', (_, row) => {
    expect(problemsOf(formView({ row, values: valuesOf(row, () => null), from } satisfies Form, 'en'))).toEqual([])
  })

  test('and the preview of a schedule, whatever its endpoint is named', () => {
    for (const part of ['x', '&<>', '\u202e', '"']) {
      const name = part.repeat(200).slice(0, 200)
      const outlooks = ['Asia/Seoul', 'UTC', 'Europe/Berlin', 'Asia/Kolkata'].map((zone) => ({
        zone,
        lines: Array.from({ length: 9 }, () => `Sun  1 Nov  ${'up 00:00–01:00, '.repeat(12)}`),
      }))
      const line = 'schedule ep-llm up weekdays 09:00-20:00'
      const view = previewView(
        { kind: 'rule', name, means: [name, name], outlooks },
        { ...from, line },
        commands.operation(line),
        'en',
      )
      expect(problemsOf(view)).toEqual([])
      expect(previewMetadataIn(view.private_metadata ?? '')).toEqual({ ...from, line })
      expect(previewMetadataIn('{}')).toBeNull()
    }
  })

  test('and the menu', () => {
    const of = { commands, role: undefined, closed: noRoleText(undefined), project: 'default', asks: [] }
    expect(problemsOf(menuView(of, 'top', '', 'en'))).toEqual([])
    expect(problemsOf(menuView({ ...of, role: 'admin', closed: null }, 'more', '', 'en'))).toEqual([])
  })
})

describe('A form gives the line that a person would have typed', () => {
  // A form offers people in a list, which has no “me”.
  const typable = rows.flatMap((row) => row.examples.map((line) => [line, row] as const))
  const examples = typable.filter(([line]) => line !== 'history who=me')
  test.each(examples)('%s', (line, row) => {
    const read = readLine(line, rows)
    if (read.kind !== 'line') throw new Error(`An example that is none: ${line}`)
    expect(readForm(commands, row, stateOf(row, read.read.values), 'en')).toMatchObject({ line: read.read.line })
  })

  function stateOf({ fields }: Row, values: FieldValues): FormState {
    const cleared = Object.keys(values).filter((name) => values[name] === null)
    const filled = Object.entries(fields).flatMap(([name, { kind }]) => {
      const value = values[name]
      return value === undefined || value === null ? [] : [[name, { a: filledIn(kind, String(value)) }] as const]
    })
    const clearing = { type: 'multi_static_select', selected_options: cleared.map(optionOf) }
    return { ...Object.fromEntries(filled), ...(cleared.length > 0 && { [clearingId]: { a: clearing } }) }
  }

  function filledIn(kind: Field['kind'], value: string): FormState[string][string] {
    if (kind === 'person') return { type: 'users_select', selected_user: value.slice(1) }
    if (kind === 'endpoint' || kind === 'choice') return { type: 'external_select', selected_option: optionOf(value) }
    const secrets = value.split(',').map((key) => `${key}=secret`)
    return { type: 'plain_text_input', value: kind === 'secrets' ? secrets.join('\n') : value }
  }

  function optionOf(value: string) {
    return { text: { type: 'plain_text' as const, text: value }, value }
  }
})

describe('Secret values are read line by line', () => {
  test('and kept as they are, whatever they contain', () => {
    expect(readSecrets('A=1\r\n  B = two words \n\nC=\nD=x=y')).toEqual({
      entries: [
        { key: 'A', value: '1' },
        { key: 'B', value: ' two words ' },
        { key: 'C', value: '' },
        { key: 'D', value: 'x=y' },
      ],
    })
  })

  test.each(['', ' \n ', 'A', '=1', '1A=2', 'A B=2', 'A=1\nsecret'])('and rejected, but not repeated: %j', (text) => {
    const read = readSecrets(text)
    expect(read).toHaveProperty('wrong')
    expect(JSON.stringify(read)).not.toContain('secret')
  })
})

test('metadata that is not ours opens nothing', () => {
  for (const metadata of ['', '{}', '[]', 'null', '{"verb":1,"channel":"C"}', 'x'.repeat(3_000)])
    expect(formMetadataIn(metadata)).toBeNull()
})

/** Returns the hint and the placeholder of each field in the form of a command. */
function helpIn(verb: string) {
  const views = rows.filter(({ name }) => name === verb).map((row) => formView({ row, values: {}, from }, 'en'))
  const inputs = views.flatMap(({ blocks }) => blocks).filter((block) => 'element' in block)
  return new Map(
    inputs.map(({ block_id, hint, element }) => [
      block_id,
      [hint?.text, 'placeholder' in element ? element.placeholder?.text : undefined],
    ]),
  )
}

test.each([
  ['start', 'for', '4h'],
  ['keep', 'for', '2h'],
])('the form of %s says that %s is a length of time, such as %s', (verb, field, sample) => {
  expect(helpIn(verb).get(field)).toEqual(['A length of time such as 30m, 2h, 1h30m or 1d.', sample])
})

test('the form of a dry run shows an example of a command', () => {
  expect(helpIn('explain').get('line')?.[1]).toBe('stop my-llm')
})

test.each([
  ['only', 'Commands separated by commas, such as start,stop. Default: all.'],
  ['on', 'Names or tags separated by commas, such as tag:ci,my-*. Default: all.'],
  ['code', 'Only to log in from a terminal; lamplighter login shows it.'],
])('the form of token says how to write %s', (field, says) => {
  expect(helpIn('token').get(field)?.[0]).toBe(says)
})

test('the form of idle begins switched on and names the default of each length', () => {
  const says = 'A length of time such as 15m or 1h. Default: the current setting, otherwise the policy’s.'
  expect(helpIn('idle').get('warn')).toEqual([says, '10m'])
  expect(helpIn('idle').get('after')).toEqual([says, '60m'])
  const [view] = rows.filter(({ name }) => name === 'idle').map((row) => formView({ row, values: {}, from }, 'en'))
  const mode = view?.blocks.find(({ block_id }) => block_id === 'mode')
  expect(mode).toMatchObject({ element: { initial_option: { value: 'on' } } })
})

test.each([
  ['idle', {}, { after: 'After how long?' }],
  ['keep', {}, { for: 'Choose one: a length such as 2h, tonight, or an end time.' }],
] as const)('a mistake about the whole form of %s, %j, is shown at the field to correct', (verb, filled, errors) => {
  const values = Object.entries({ endpoint: 'my-llm', ...filled })
  const state = Object.fromEntries(values.map(([name, value]) => [name, { a: { type: 'plain_text_input', value } }]))
  const all = rows.filter(({ name }) => name === verb).map((row) => readForm(commands, row, state, 'en'))
  expect(all).toEqual([{ errors }])
})

test('the button of a form fits every choice in it', () => {
  const buttons = rows
    .filter(({ name }) => name === 'idle')
    .map((row) => formView({ row, values: {}, from }, 'en').submit?.text)
  expect(buttons).toEqual(['Save'])
})

test.each([
  ['start my-llm for 2h until fri 18:00', 'until', /^Give either a length or an end, not both\. /],
  ['keep my-llm 2h until 23:00', 'until', /^Choose one: a length such as 2h, tonight, or an end time\. /],
])('%s: the form explains the mistake at its field', (line, field, why) => {
  const read = commands.parse(line)
  if (read.kind !== 'incomplete') throw new Error(`${line} makes sense.`)
  const form = { ...read, from: { channel: 'C0OPS' } }
  const hints = formView(form, 'en').blocks.flatMap((block) =>
    block.type === 'input' && 'hint' in block && why.test(block.hint?.text ?? '') ? [block.block_id] : [],
  )
  expect(hints).toEqual([field])
})

describe('A form', () => {
  function inputsIn(line: string, known: Pick<Form, 'beside' | 'choices'> = {}) {
    const read = commands.parse(line)
    if (read.kind === 'misread') throw new Error(line)
    const { row, values } = read.kind === 'line' ? read.read : read
    const { blocks } = formView({ row, values, from, ...known }, 'en')
    return new Map(blocks.flatMap((block) => ('element' in block ? [[block.block_id, block] as const] : [])))
  }
  const elementIn = (line: string, field: string) => inputsIn(line).get(field)?.element

  test('asks for a moment with a picker in the reader’s zone, and keeps words that are no moment', () => {
    expect(elementIn('stop', 'at')).toEqual({ type: 'datetimepicker', action_id: 'value' })
    const at = Date.UTC(2026, 11, 24, 18, 0) / 1000
    expect(elementIn('stop my-llm at 2026-12-24t18:00z', 'at')).toMatchObject({ initial_date_time: at })
    expect(elementIn('stop my-llm at "fri 18:00"', 'at')).toMatchObject({ initial_value: 'fri 18:00' })
    expect(inputsIn('stop').get('at')?.hint?.text).toBe('In your time zone.')
    const endless = 'In your time zone. Default: until someone resumes automation.'
    expect(inputsIn('freeze').get('until')?.hint?.text).toBe(endless)
    const state = { endpoint: typed('my-llm'), at: { a: { type: 'datetimepicker', selected_date_time: at } } }
    const stopRow = rows.find(({ name }) => name === 'stop')!
    expect(readForm(commands, stopRow, state, 'en')).toMatchObject({ line: 'stop my-llm at 2026-12-24t18:00z' })
  })

  test('asks for a yes with a checkbox', () => {
    expect(elementIn('idle', 'autoscaled')).toMatchObject({ type: 'checkboxes', options: [{ value: 'yes' }] })
    const checked = {
      type: 'checkboxes',
      selected_options: [{ text: { type: 'plain_text' as const, text: 'x' }, value: 'yes' }],
    }
    const row = rows.find(({ name }) => name === 'idle')!
    const state = { endpoint: typed('my-llm'), after: typed('60m'), autoscaled: { a: checked } }
    expect(readForm(commands, row, state, 'en')).toMatchObject({ line: 'idle my-llm after 60m autoscaled=yes' })
  })

  test('shows the current value beside an empty field, and lists existing choices', () => {
    const known = { beside: { port: 'Now: 8080.' }, choices: { rule: [{ value: 'r1', name: 'stop once' }] } }
    const port = inputsIn('patch ep-1', known).get('port')
    expect(port?.element).not.toHaveProperty('initial_value')
    expect(port?.hint?.text).toMatch(/^Now: 8080\./)
    const rule = inputsIn('unschedule ep-1', known).get('rule')
    expect(rule?.element).toMatchObject({
      type: 'static_select',
      options: [{ value: 'r1', text: { text: 'stop once' } }],
    })
    expect([...inputsIn('unschedule ep-1').keys()]).not.toContain('rule')
  })

  test('ignores its other fields when something is switched off', () => {
    const row = rows.find(({ name }) => name === 'idle')!
    const state = { endpoint: typed('my-llm'), mode: typed('off'), after: typed('never'), warn: typed('10m') }
    expect(readForm(commands, row, state, 'en')).toMatchObject({ line: 'idle my-llm off' })
  })

  test('mentions empty fields once, and has unambiguous buttons', () => {
    const { blocks, submit, close } = viewOf('cancel')
    expect([submit?.text, close?.text]).toEqual(['Cancel request', 'Keep the request'])
    expect(JSON.stringify(blocks)).not.toContain('Leave a field empty')
    expect(JSON.stringify(viewOf('patch').blocks).split('Leave a field empty')).toHaveLength(2)
  })

  function viewOf(verb: string) {
    return formView({ row: rows.find(({ name }) => name === verb)!, values: {}, from }, 'en')
  }

  function typed(value: string) {
    return { a: { type: 'plain_text_input', value } }
  }
})
