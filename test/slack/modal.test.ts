import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/operations/define.ts'
import type { Field, Given, Value } from '../../src/operations/field.ts'
import { rows } from '../../src/operations/index.ts'
import { longestLine } from '../../src/operations/line.ts'
import type { Json } from '../../src/sandbox/slack/json.ts'
import { checkView, largestView } from '../../src/sandbox/slack/validate/views.ts'
import { type Form, formView, keptIn } from '../../src/slack/form.ts'
import { menuView } from '../../src/slack/menu.ts'
import { readSecrets } from '../../src/slack/secrets.ts'
import { readForm, type State } from '../../src/slack/submission.ts'

const from = { channel: 'C0OPS', project: 'p'.repeat(32), replyUrl: `https://hooks.example/${'x'.repeat(200)}` }
const every = rows.map((row) => [row.name, row] as const)

/** What Slack would say of a view, as it goes over the wire. */
function problemsOf(view: object): readonly string[] {
  const sent = JSON.parse(JSON.stringify(view)) as Json
  expect(JSON.stringify(sent).length).toBeLessThan(largestView)
  return checkView(sent, 'modal')
}

function valuesOf({ fields }: Row, make: (field: Field) => Value): Given {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field)]))
}

describe('The form of every row is one that Slack takes', () => {
  test.each(every)('%s: empty, with all it asks, and without a channel', (_, row) => {
    for (const placeless of [false, true]) {
      const view = formView({ row, values: {}, from, placeless })
      expect(problemsOf(view)).toEqual([])
      expect(keptIn(view.private_metadata ?? '')).toEqual({ ...from, verb: row.name })
    }
  })

  test.each(every)('%s: with the longest values, of whatever characters', (_, row) => {
    for (const part of ['x', '&<>', '👩‍💻', '\u202e', '"', '\n', '\u0301', ' ']) {
      const long = part.repeat(longestLine).slice(0, longestLine)
      const values = valuesOf(row, ({ kind }) => (kind === 'number' ? 100 : long))
      expect(problemsOf(formView({ row, values, from }))).toEqual([])
    }
  })

  test.each(every)('%s: with everything taken away that can be', (_, row) => {
    expect(problemsOf(formView({ row, values: valuesOf(row, () => null), from } satisfies Form))).toEqual([])
  })

  test('and so is the menu', () => {
    expect(problemsOf(menuView())).toEqual([])
  })
})

describe('A form reads as the line that somebody would have typed', () => {
  const examples = rows.flatMap((row) => row.examples.map((line) => [line, row] as const))
  test.each(examples)('%s', (line, row) => {
    const read = readForm(row, stateOf(row, line))
    expect(read).toMatchObject({ line: expect.stringContaining(row.name) })
  })

  /** What stands in the form once somebody has filled in what the example says: every required field, in its own way. */
  function stateOf(row: Row, line: string): State {
    const words = line.split(' ')
    const filled: [string, State[string]][] = Object.entries(row.fields)
      .filter(([, { optional }]) => !optional)
      .map(([name, field]) => {
        if (field.kind === 'person') return [name, { a: { type: 'users_select', selected_user: 'U0CLEO' } }]
        const known: Partial<Record<Field['kind'], string>> = { line: 'stop my-llm', number: '3', when: 'fri 18:00' }
        const word = known[field.kind] ?? words[1] ?? 'x'
        const option = { text: { type: 'plain_text' as const, text: word }, value: word }
        const chosen = field.kind === 'endpoint' || field.kind === 'choice'
        return [
          name,
          {
            a: chosen
              ? { type: 'external_select', selected_option: option }
              : { type: 'plain_text_input', value: word },
          },
        ]
      })
    const settings: [string, State[string]][] =
      row.kind === 'operation' && row.nonsense ? [['port', { value: { type: 'number_input', value: '8080' } }]] : []
    return Object.fromEntries([...filled, ...settings])
  }
})

describe('Secret values are read line by line', () => {
  test('and kept as they are, whatever stands in them', () => {
    expect(readSecrets('A=1\r\n  B = two words \n\nC=\nD=x=y')).toEqual({
      entries: [
        { key: 'A', value: '1' },
        { key: 'B', value: ' two words ' },
        { key: 'C', value: '' },
        { key: 'D', value: 'x=y' },
      ],
    })
  })

  test.each(['', ' \n ', 'A', '=1', '1A=2', 'A B=2', 'A=1\nsecret'])('%j is refused, and not repeated', (text) => {
    const read = readSecrets(text)
    expect(read).toHaveProperty('wrong')
    expect(JSON.stringify(read)).not.toContain('secret')
  })
})

test('metadata that is none of ours opens nothing', () => {
  for (const metadata of ['', '{}', '[]', 'null', '{"verb":1,"channel":"C"}', 'x'.repeat(3_000)])
    expect(keptIn(metadata)).toBeNull()
})
