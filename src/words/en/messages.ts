/** Cards, questions, notices and ends. */
export const messages = {
  'ask.rule': 'The rule: {rule}.',
  'notice.busy': 'It is busy ({busy}), so it is put off to {due}.',
} as const
