import type { Actor } from '../model/actor.ts'
import type { Gap, Rec } from '../model/records.ts'

/** How far a chain has come: the number of its last entry, from 1, and that entry's MAC. 0 and '' before the first. */
export interface Head {
  readonly seq: number
  readonly mac: string
}

/** One entry as it is stored: what was written, and the MAC over it and over the one before. */
export interface Link extends Head {
  readonly text: string
}

/** A gap that somebody stands for: the chain goes on behind it. */
export interface Acknowledgement extends Gap {
  readonly by: Actor
  /** ms since 1970. */
  readonly at: number
  /** The entry in which it stands. */
  readonly seq: number
}

/** What a look through the whole chain has found. `says` is sentences for people. */
export interface Verdict {
  /** Everything that can be proven is as it was written; gaps that somebody acknowledged are told, and are well. */
  readonly well: boolean
  readonly says: string
  readonly head: Head
  /** Those that nobody has acknowledged, and that the chain goes on behind. */
  readonly gaps: readonly Gap[]
  readonly acknowledged: readonly Acknowledgement[]
}

/** The chain of everything that was decided and done in a project. */
export interface Audit {
  head(): Promise<Head>
  /** What its first entry follows: the last one that was pruned. */
  start(): Promise<Head>
  /** Entries from that number on, oldest first. */
  read(from: number, most: number): Promise<readonly Link[]>
  /** From now on anything older is loss of data: how far the chain had come, as it was noted elsewhere. */
  expect(head: Head): void
  /** Heads that stand outside the storage are asked for here: all is held against them, and goes on behind them. */
  witness(heads: () => Promise<readonly Head[]>): void
  /** Checks every entry, and that the anchors are among them; what comes after the newest anchor is unproven. */
  verify(anchors: readonly Head[]): Promise<Verdict>
  /** What is missing of it and of the records, as far as it says itself. Reads all of it. */
  damage(): Promise<Damage>
  /** Forgets everything up to this entry. */
  prune(last: Head): Promise<void>
}

/** What is missing after a loss of data, as far as the audit tells. */
export interface Damage {
  /** Of the audit, in its order. */
  readonly gaps: readonly Gap[]
  /** Records as they were last laid down, and are not there. */
  readonly gone: readonly Rec[]
  /** Records as they are, and are not as the audit says. */
  readonly other: readonly Rec[]
}

/** A head as it was noted, and when; ms since 1970. */
export interface Anchor extends Head {
  readonly at: number
}

/** Where heads are noted outside the storage that they prove. */
export interface Anchors {
  /** True for one worker an hour. */
  readonly turn: () => Promise<boolean>
  /** The one noted last, wherever. */
  readonly newest: () => Promise<Head | null>
  readonly note: (anchor: Anchor) => Promise<void>
}

/** Moves what is too old out of a well audit with these gaps. */
export type Prune = (acknowledged: readonly Acknowledgement[]) => Promise<unknown>
