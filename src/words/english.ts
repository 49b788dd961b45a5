import { messages } from './en/messages.ts'
import { refusals } from './en/refusals.ts'

/** Every sentence that people read, in English: ICU messages by id. */
export const english = { ...messages, ...refusals } as const

export type SentenceId = keyof typeof english
