import { expect, test } from 'vitest'
import { manualOf } from '../../../src/core/commands/help.ts'
import { rows } from '../../../src/features/command-table.ts'

test('the manual is one table with a line per command, whatever characters its usage contains', () => {
  const lines = manualOf(rows).split('\n')
  expect(lines).toHaveLength(rows.length + 2)
  for (const line of lines) expect(line.split(/(?<!\\)\|/)).toHaveLength(5)
  expect(lines).toContain(
    '| `/endpoint list [running\\|stopped\\|idle] [search="…"] [page=<n>]` | query | List endpoints and what happens to them next. (also `ls`, `목록`) |',
  )
  expect(lines).toContain(
    '| `/endpoint stop <endpoint> [at 19:00] [reason="…"]` | operation | Stop an endpoint and release its GPUs, now or at a given time. (also `down`, `중지`) |',
  )
})
