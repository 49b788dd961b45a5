import { expect, test } from 'vitest'
import { help } from '../../../src/core/commands/help.ts'
import { mayWrite, offeredTo } from '../../../src/core/commands/permissions.ts'
import { rows } from '../../../src/features/command-table.ts'

test('An answer keeps its text and offers only commands that the reader’s role may use', () => {
  const lines = ['stop my-llm', 'history my-llm', 'unschedule my-llm', 'break-glass my-llm because=x', 'history export']
  const offers = lines.map((line) => ({ label: line, line }))
  const shown = { title: 'T', items: [{ text: 'one', offers }, { text: 'two' }], offers, foot: 'F' }
  const left = (role: 'viewer' | 'operator' | 'admin' | null) => {
    const { items, offers: below, ...rest } = offeredTo((line) => mayWrite(role, line, rows), shown)
    expect(rest).toEqual({ title: 'T', foot: 'F' })
    expect(items[0]?.offers).toEqual(below)
    expect(items[1]).toEqual({ text: 'two' })
    return below?.map(({ line }) => line)
  }
  expect(left(null)).toEqual([])
  expect(left('viewer')).toEqual(['history my-llm'])
  expect(left('operator')).toEqual(['stop my-llm', 'history my-llm', 'unschedule my-llm'])
  expect(left('admin')).toEqual(lines)
})

test.each([
  ['viewer', false],
  ['operator', false],
  ['approver', true],
] as const)('Help for history shows export to the %s: %s', (role, isShown) => {
  const context = { values: { about: 'history' }, project: 'default', role, rows, now: 0 }
  expect(JSON.stringify(help.show(undefined, context)).includes('export')).toBe(isShown)
})
