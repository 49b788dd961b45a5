import { expect, test, vi } from 'vitest'
import { parseOnce } from '../../src/core/commands/commands.ts'
import { commands } from '../../src/features/command-table.ts'

test('A request’s line is parsed at its first use and again only if it has changed', () => {
  const operation = vi.fn(commands.operation)
  const parsed = parseOnce({ ...commands, operation })
  expect(operation).not.toHaveBeenCalled()
  for (const line of ['undo my-llm', 'undo my-llm', 'start my-llm', 'start my-llm'])
    expect(parsed.operation(line).row.name).toBe(line.split(' ')[0])
  expect(operation).toHaveBeenCalledTimes(2)
})

test('A line is written with the command’s name and with none of its synonyms', () => {
  expect(commands.write('scale', { endpoint: 'my-llm', to: 3 })).toBe('scale my-llm to 3')
  expect(() => commands.write('down', { endpoint: 'my-llm' })).toThrow('No command is called down.')
})

test('A stored line that this version does not know reads as null and can’t be carried out', () => {
  expect(commands.stored('teleport my-llm')).toBeNull()
  expect(() => commands.operation('teleport my-llm')).toThrow('begins with “teleport”')
  expect(() => commands.query('stop my-llm')).toThrow('is not one of a query')
})
