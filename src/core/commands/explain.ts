import { defineQuery } from './define.ts'
import { wholeLine } from './fields.ts'
import { sentenceOf } from './phrases.ts'

export const explain = defineQuery({
  name: 'explain',
  also: ['설명'],
  examples: ['explain stop my-llm', 'explain scale my-llm to 3'],
  fields: { line: wholeLine() },
  own: 'explain',
  show: ({ title, items }, { rows }) => ({
    title,
    titleTold: typeof title === 'string' ? sentenceOf(title, rows) : [],
    items,
  }),
})
