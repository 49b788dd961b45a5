import type { Commands } from '../../../src/core/commands/commands.ts'
import { commands as table } from '../../../src/features/command-table.ts'

/** The commands with a cache, because a model parses the same few lines again and again. */
export const commands: Commands = {
  ...table,
  stored: once(table.stored),
  operation: once(table.operation),
  query: once(table.query),
}

function once<Result>(read: (line: string) => Result): (line: string) => Result {
  const known = new Map<string, Result>()
  return (line) => {
    const result = known.get(line) ?? read(line)
    known.set(line, result)
    return result
  }
}
