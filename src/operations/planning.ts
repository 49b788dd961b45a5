import type { Words } from './spoken.ts'

/** The words of a row that does nothing now, but lays down that it is done at another time. */
export function planning(verb: string): Omit<Words, 'what' | 'instead'> {
  return {
    ask: `Plan to ${verb}`,
    doing: `Planning to ${verb}`,
    done: `Planned: ${verb}`,
    leave: 'Do not plan it',
    press: 'Plan it',
  }
}
