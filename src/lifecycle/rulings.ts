import type { Pursuit } from '../domain/pursuit.ts'

/** What is kept of the pursuit of rules from look to look; it decides nothing that the requests' own ids do not hold. */
export interface Rulings {
  /** By endpoint; of an owner, or of an endpoint that is gone, by what was told about them; of the last look. */
  pursuits(): Promise<ReadonlyMap<string, Pursuit>>
  /** Null forgets. */
  notePursuits(changes: ReadonlyMap<string, Pursuit | null>): Promise<void>
  /** Whether this process has the turn to look; others wait `life` ms, or until it is given back. */
  takeTurn(what: 'rules' | 'watch', life: number): Promise<(() => Promise<void>) | null>
}
