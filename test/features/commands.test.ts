import { expect, test, vi } from 'vitest'
import { parseOnce } from '../../src/core/commands/commands.ts'
import { commands } from '../../src/features/command-table.ts'

test('the line of a request is parsed at its first use, and again only once it has changed', () => {
  const operation = vi.fn(commands.operation)
  const parsed = parseOnce({ ...commands, operation })
  expect(operation).not.toHaveBeenCalled()
  for (const line of ['undo my-llm', 'undo my-llm', 'start my-llm', 'start my-llm'])
    expect(parsed.operation(line).row.name).toBe(line.split(' ')[0])
  expect(operation).toHaveBeenCalledTimes(2)
})

test('a line is written by the name of its command, and by no other word for it', () => {
  expect(commands.write('scale', { endpoint: 'my-llm', to: 3 })).toBe('scale my-llm to 3')
  expect(() => commands.write('down', { endpoint: 'my-llm' })).toThrow('No command is called down.')
})

test('a stored line that this version does not know is nothing, and nothing is done on it', () => {
  expect(commands.stored('teleport my-llm')).toBeNull()
  expect(() => commands.operation('teleport my-llm')).toThrow('begins with “teleport”')
  expect(() => commands.query('stop my-llm')).toThrow('is not one of a query')
})
