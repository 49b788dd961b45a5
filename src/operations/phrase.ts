import { operationIn } from './stored.ts'

/** "Scaling my-llm to 3": the words of a stored line's row about the endpoint it is on. */
export function phrase(line: string, name: string, form: 'ask' | 'doing' | 'done'): string {
  const { row, values } = operationIn(line)
  const what = row.words.what?.(values)
  return [row.words[form], name, what].filter((part) => part !== undefined && part !== '').join(' ')
}

/** "scale my-llm to 3", in the middle of a sentence. */
export function deedOf(line: string, name: string): string {
  const ask = phrase(line, name, 'ask')
  return `${ask.charAt(0).toLowerCase()}${ask.slice(1)}`
}
