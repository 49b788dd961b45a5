import type { Damage } from '../domain/damage.ts'
import { Newer, readAs, valueAs } from '../domain/formats.ts'
import { type Change, keyOf, type Rec, type Records } from '../domain/records.ts'

/** What the records should be by the entries of the audit, one after the other. */
export interface Ledger {
  /** An entry's text, that is as it was written. */
  enter(text: string): void
  against(records: Records): Pick<Damage, 'gone' | 'other'>
}

/**
 * Every change of records stands in an entry. What is older than the oldest entry it knows nothing of, and of what
 * somebody has acknowledged no more than that somebody has.
 */
export function createLedger(): Ledger {
  /** Null: was taken away. */
  const laid = new Map<string, Rec | null>()

  return {
    enter(text) {
      if (!text.includes('"change"')) return
      const { change } = readAs<{ readonly change?: Change }>('entry', text)
      for (const key of change?.acknowledges?.records ?? []) laid.delete(key)
      for (const key of change?.drop ?? []) laid.set(key, null)
      for (const record of recordsIn(change)) laid.set(keyOf(record), record)
    },
    against(records) {
      const known = [...laid]
      return {
        gone: known.flatMap(([key, record]) => (record !== null && !records.has(key) ? [record] : [])),
        other: known.flatMap(([key, record]) => {
          const there = records.get(key)
          return there === undefined || JSON.stringify(there) === JSON.stringify(record) ? [] : [there]
        }),
      }
    },
  }
}

/** In today's format, as the records themselves are read; those that only a newer process knows are its to look after. */
function recordsIn({ put = [] }: Change = {}): readonly Rec[] {
  return put.flatMap((record) => {
    try {
      return [valueAs<Rec>('record', record)]
    } catch (error) {
      if (error instanceof Newer) return []
      throw error
    }
  })
}
