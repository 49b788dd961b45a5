import type { Change } from '../model/records.ts'
import type { Given } from '../model/request.ts'
import { instant } from '../time/format.ts'
import { absoluteIn } from '../time/parse-when.ts'
import type { Command } from './commands.ts'
import type { Operation, Words } from './define.ts'

/** The words of an operation, as its values and the change it makes have them. */
export function wordsIn({ row, values }: Command<Operation>, change?: Change): Words {
  return { ...row.words, ...row.words.instead?.(values, change) }
}

/** "Scaling my-llm to 3": the words of an operation about the endpoint it is on, and the change it makes. */
export function phrase(
  command: Command<Operation>,
  name: string,
  form: 'ask' | 'doing' | 'done',
  change?: Change,
): string {
  const words = wordsIn(command, change)
  const what = words.what?.(shownIn(command), change)
  return [words[form], name, what].filter((part) => part !== undefined && part !== '').join(' ')
}

/** The values of a command, an instant that is the same for everybody as one that each reads in their own time zone. */
function shownIn({ row, values }: Command<Operation>): Given {
  const shown = Object.entries(values).map(([name, value]) => {
    const at = row.fields[name]?.kind === 'when' ? absoluteIn(String(value)) : null
    return [name, at === null ? value : instant(at)] as const
  })
  return Object.fromEntries(shown)
}

/** "scale my-llm to 3", in the middle of a sentence. */
export function deedOf(command: Command<Operation>, name: string, change?: Change): string {
  const ask = phrase(command, name, 'ask', change)
  return `${ask.charAt(0).toLowerCase()}${ask.slice(1)}`
}

/** The words of a row that does nothing now, but lays down that it is done at another time. */
export function planning(verb: string): Omit<Words, 'what' | 'instead'> {
  return {
    ask: `Plan to ${verb}`,
    doing: `Planning to ${verb}`,
    done: `Planned: ${verb}`,
    leave: 'Do not plan it',
    press: 'Plan it',
  }
}
