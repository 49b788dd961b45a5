import type { Change } from '../domain/records.ts'
import type { Given } from './field.ts'

/** What people read. `ask` stands on the button, `leave` on the other one. */
export interface Words<V = Given> {
  readonly ask: string
  readonly doing: string
  readonly done: string
  readonly leave: string
  /** On the button that agrees, where verb and name would promise too much. */
  readonly press?: string
  /** On the button of its form, where that only leads on. */
  readonly submit?: string
  /**
   * What stands after the endpoint's name: "to 3", as far as known from the change it makes. A method, so that a row's
   * own values may be narrower.
   */
  what?(values: V, change?: Change): string
  /** Other words, where these values do something else than the row is called after; null where they do not. */
  instead?(values: V, change?: Change): Omit<Words, 'what' | 'instead'> | null
}
