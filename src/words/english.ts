import { guardWords } from './en/approvals-and-safeguards.ts'
import { cardWords } from './en/cards.ts'
import { commandWords } from './en/commands.ts'
import { doctorWords } from './en/doctor.ts'
import { endpointWords } from './en/endpoints.ts'
import { formWords } from './en/forms.ts'
import { historyWords } from './en/history.ts'
import { idleStopWords } from './en/idle.ts'
import { phraseWords } from './en/phrases.ts'
import { programWords } from './en/programs.ts'
import { requestWords } from './en/requests.ts'
import { scheduleWords } from './en/schedules.ts'
import { stepWords } from './en/steps.ts'

/** Every sentence that people read, in English: ICU messages by id. */
export const english = {
  ...guardWords,
  ...cardWords,
  ...commandWords,
  ...doctorWords,
  ...endpointWords,
  ...formWords,
  ...historyWords,
  ...programWords,
  ...requestWords,
  ...scheduleWords,
  ...idleStopWords,
  ...phraseWords,
  ...stepWords,
} as const

export type SentenceId = keyof typeof english
