import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/core/commands/parse.ts'
import { phrase } from '../../../src/core/commands/phrases.ts'
import { commands, rows } from '../../../src/features/command-table.ts'

describe('The idle watch', () => {
  test.each(['idle my-llm off after 60m', 'idle my-llm off warn=10m', 'idle my-llm off autoscaled=yes'])(
    'that is off takes no length: “%s”',
    (line) => {
      const says = expect.stringContaining('Off takes no lengths') as string
      expect(readLine(line, rows)).toMatchObject({ kind: 'incomplete', says })
    },
  )

  test.each([
    [
      'idle my-llm after 60m',
      'Set the idle watch of my-llm to stop it after 60m of known quiet',
      'Set the idle watch of my-llm to stop it after 60m of known quiet',
    ],
    ['idle my-llm on', 'Set the idle watch of my-llm', 'Set the idle watch of my-llm'],
    [
      'idle my-llm try after 45m',
      'Try an idle watch of my-llm for 45m of known quiet',
      'Idle watch on trial: my-llm for 45m of known quiet',
    ],
    ['idle my-llm off', 'Switch off the idle watch of my-llm', 'Idle watch off: my-llm'],
  ])('is spoken of as what it comes to: “%s”', (line, ask, done) => {
    expect([
      phrase(commands.operation(line), 'my-llm', 'ask'),
      phrase(commands.operation(line), 'my-llm', 'done'),
    ]).toEqual([ask, done])
  })

  test('takes a length of several units', () => {
    const line = 'idle my-llm after 1h30m'
    expect(readLine(line, rows)).toMatchObject({ kind: 'line', read: { line } })
    expect(readLine('idle my-llm after 30m1h', rows)).toMatchObject({ kind: 'misread' })
  })
})
