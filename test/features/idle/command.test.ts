import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/core/commands/parse.ts'
import { phrase } from '../../../src/core/commands/phrases.ts'
import { commands, rows } from '../../../src/features/command-table.ts'
import { english } from '../../support/words.ts'

describe('The idle command', () => {
  test.each(['idle my-llm off after 60m', 'idle my-llm off warn=10m', 'idle my-llm off autoscaled=yes'])(
    'with off takes no other options: “%s”',
    (line) => {
      const read = readLine(line, rows)
      expect(read.kind === 'incomplete' && english(read.says)).toContain('“off” takes no other options')
    },
  )

  test.each([
    ['idle my-llm after 60m', 'Turn on idle stop for my-llm', 'Turned on idle stop for my-llm'],
    ['idle my-llm on', 'Turn on idle stop for my-llm', 'Turned on idle stop for my-llm'],
    [
      'idle my-llm try after 45m',
      'Start a dry run of idle stop for my-llm (45 min)',
      'Started a dry run of idle stop for my-llm (45 min)',
    ],
    ['idle my-llm try', 'Start a dry run of idle stop for my-llm', 'Started a dry run of idle stop for my-llm'],
    ['idle my-llm off', 'Turn off idle stop for my-llm', 'Turned off idle stop for my-llm'],
  ])('is phrased by its effect: “%s”', (line, ask, done) => {
    const forms = ['ask', 'done'] as const
    expect(forms.map((form) => english(phrase(commands.operation(line), 'my-llm', form)))).toEqual([ask, done])
  })

  test('accepts a length of several units', () => {
    const line = 'idle my-llm after 1h30m'
    expect(readLine(line, rows)).toMatchObject({ kind: 'line', read: { line } })
    expect(readLine('idle my-llm after 30m1h', rows)).toMatchObject({ kind: 'misread' })
  })
})
