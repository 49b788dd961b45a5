import { endpointWords } from './en/endpoints.ts'
import { requestWords } from './en/requests.ts'

/** Every sentence that people read, in English: ICU messages by id. */
export const english = { ...requestWords, ...endpointWords } as const

export type SentenceId = keyof typeof english
