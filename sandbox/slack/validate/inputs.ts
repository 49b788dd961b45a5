import { type JsonObject, objectAt, textAt } from '../json.ts'
import { isEmpty } from '../views/values.ts'
import type { View } from '../views/view.ts'

/** Returns what Slack itself finds wrong with a person's input, by block id. */
export function checkInputs(view: View): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  for (const block of view.blocks) {
    const element = objectAt(block, 'element')
    if (block['type'] !== 'input' || !element) continue
    const blockId = textAt(block, 'block_id') ?? ''
    const value = view.values[blockId]?.[textAt(element, 'action_id') ?? '']
    const problem = problemWith(element, value, block['optional'] === true)
    if (problem !== undefined) problems[blockId] = problem
  }
  return problems
}

function problemWith(element: JsonObject, value: JsonObject | undefined, optional: boolean): string | undefined {
  if (!value || isEmpty(value)) return optional ? undefined : 'Please complete this required field.'
  const text = textAt(value, 'value')
  if (text === undefined) return undefined
  const { min_length: min, max_length: max } = element
  if (typeof min === 'number' && text.length < min) return `Must be at least ${min} characters long.`
  if (typeof max === 'number' && text.length > max) return `Must be at most ${max} characters long.`
  switch (element['type']) {
    case 'number_input':
      return problemWithNumber(element, text)
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? undefined : 'Enter a valid email address.'
    case 'url_text_input':
      return /^https?:\/\/\S+$/.test(text) ? undefined : 'Enter a valid URL.'
    default:
      return undefined
  }
}

function problemWithNumber(element: JsonObject, text: string): string | undefined {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return 'Enter a number.'
  if (element['is_decimal_allowed'] !== true && !Number.isInteger(number)) return 'Enter a whole number.'
  const min = textAt(element, 'min_value')
  const max = textAt(element, 'max_value')
  if (min !== undefined && number < Number(min)) return `Enter a number greater than or equal to ${min}.`
  if (max !== undefined && number > Number(max)) return `Enter a number less than or equal to ${max}.`
  return undefined
}
