import { approvalWords } from './en/approvals.ts'
import { commandWords } from './en/commands.ts'
import { endpointWords } from './en/endpoints.ts'
import { historyWords } from './en/history.ts'
import { requestWords } from './en/requests.ts'
import { safeguardWords } from './en/safeguards.ts'
import { scheduleWords } from './en/schedules.ts'

/** Every sentence that people read, in English: ICU messages by id. */
export const english = {
  ...requestWords,
  ...endpointWords,
  ...commandWords,
  ...safeguardWords,
  ...scheduleWords,
  ...historyWords,
  ...approvalWords,
} as const

export type SentenceId = keyof typeof english
