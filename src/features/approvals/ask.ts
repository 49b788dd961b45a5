import { defineChange } from '../../core/commands/define.ts'
import { optional, reasonText, text } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { say } from '../../core/model/words.ts'

const { key: _, ...anyText } = text('question', 'question')

/** Asks the approvers any question. Its answer changes nothing. */
export const ask = defineChange({
  name: 'ask',
  fenced: true,
  also: ['승인요청'],
  hints: 'question,request,permission,승인 요청,승인 받',
  examples: ['ask "move my-llm to v2 tonight"', 'ask "move my-llm to v2 tonight" reason="v1 has a leak"'],
  fields: {
    question: {
      ...anyText,
      hint: '"<question>"',
      read: (word) => (word.trim() === '' ? { wrong: say('field.questionEmpty') } : anyText.read(word)),
    },
    because: optional(reasonText()),
  },
  needsApproval: true,
  // One word is hardly a question: "ask please".
  meant: ({ question }, more) => (more === true || /\s/.test(question) ? [] : [`ask ${writeWord(question)}`]),
  impact: () => 'reversible',
  change: () => ({ change: {}, means: '' }),
  phrase: ({ question }) => ({ key: 'question', with: { question: question.trim().replace(/\.+$/, '') } }),
})
