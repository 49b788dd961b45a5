import { instant } from '../domain/instant.ts'
import type { Change } from '../domain/records.ts'
import { absoluteIn } from '../domain/when.ts'
import type { Given } from './field.ts'
import type { Words } from './spoken.ts'
import { operationIn } from './stored.ts'

/** The words of a stored line, as its values and the change it makes have them. */
export function wordsIn(line: string, change?: Change): Words {
  const { row, values } = operationIn(line)
  return { ...row.words, ...row.words.instead?.(values, change) }
}

/** "Scaling my-llm to 3": the words of a stored line about the endpoint it is on, and the change it makes. */
export function phrase(line: string, name: string, form: 'ask' | 'doing' | 'done', change?: Change): string {
  const words = wordsIn(line, change)
  const what = words.what?.(shownIn(line), change)
  return [words[form], name, what].filter((part) => part !== undefined && part !== '').join(' ')
}

/** The values of a line, an instant that is the same for everybody as one that each reads in their own time zone. */
function shownIn(line: string): Given {
  const { row, values } = operationIn(line)
  const shown = Object.entries(values).map(([name, value]) => {
    const at = row.fields[name]?.kind === 'when' ? absoluteIn(String(value)) : null
    return [name, at === null ? value : instant(at)] as const
  })
  return Object.fromEntries(shown)
}

/** "scale my-llm to 3", in the middle of a sentence. */
export function deedOf(line: string, name: string, change?: Change): string {
  const ask = phrase(line, name, 'ask', change)
  return `${ask.charAt(0).toLowerCase()}${ask.slice(1)}`
}
