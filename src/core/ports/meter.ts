/** What a process needs to do its work, by the names of the checks of `doctor`. */
export type Need = 'storage' | 'slack' | 'key' | 'rules'

/** Null: all is well; else the reason, for an operator. */
export type AskNeed = () => Promise<string | null> | string | null

/** Where parts of the product say how they are, for whoever operates it. */
export interface Meter {
  /** What a service that is still waited for at the start answers; null: it is there. */
  awaited(service: string, why: string | null): void
  /** How to find out from now on whether a need is met. Several parts may have the same need. */
  probe(need: Need, ask: AskNeed): void
}

const ignore = (): void => undefined

/** Where nobody looks. */
export const unmetered: Meter = { awaited: ignore, probe: ignore }
