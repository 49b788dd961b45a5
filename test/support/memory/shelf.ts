import type { Prices } from '../../../src/core/model/automation.ts'
import type { Endpoint, Settings } from '../../../src/core/model/endpoint.ts'
import type { LateCall } from '../../../src/core/model/plan.ts'
import {
  type Change,
  keyOf,
  type ReconcileState,
  type Records,
  type StoredRecord,
} from '../../../src/core/model/records.ts'
import type { Event, Request } from '../../../src/core/model/request.ts'
import type { Head } from '../../../src/core/ports/audit.ts'
import type { WatchedEndpoint } from '../../../src/core/ports/metrics.ts'
import type { MoveOptions } from '../../../src/core/ports/services.ts'

/** A request as it lies there; nobody changes a request in place. */
export interface Stored {
  version: number
  request: Request
  posts: string | null
  starts: number
  /** Somebody came while it was held. */
  again: boolean
  presses: string[]
  readonly events: Event[]
  lease: { readonly token: string; readonly until: number } | null
  /** Monotonic ms after which nobody remembers it. */
  forgottenAt: number
}

/** What has just been written, told the moment it was, before anything else can happen. */
export interface Written {
  readonly before: Request
  readonly after: Request
  readonly events: readonly Event[]
  readonly options: MoveOptions
}

/** Everything of one project, as Redis would hold it; any number of stores work on one. */
export interface Shelf {
  readonly requests: Map<string, Stored>
  /** When to look at each, ms since 1970. */
  readonly wake: Map<string, number>
  readonly presses: Set<string>
  readonly replies: Map<string, string>
  readonly locks: Map<string, string>
  readonly done: Map<string, string>
  /** Operations that are over, by the time they ended. */
  readonly past: Map<string, number>
  readonly records: Map<string, StoredRecord>
  /** Counts the changes of records. */
  recordsVersion: number
  /** Of the records that were given out. */
  readonly versions: WeakMap<Records, number>
  /** How many people have been asked about. */
  proposals: number
  /** Entries are written out when somebody reads them, which is seldom. */
  readonly audit: (Head & { readonly entry: () => object })[]
  /** The last entry that was pruned. */
  start: Head
  readonly settings: Map<string, Settings>
  /** Calls that may still arrive, by endpoint. */
  readonly late: Map<string, LateCall>
  readonly files: Map<string, string>
  names: { readonly at: number; readonly endpoints: readonly Endpoint[] } | null
  prices: Prices | null
  hint: string | null
  readonly watched: Map<string, WatchedEndpoint>
  /** How the rules are pursued, and whose turn it is for what, until when (monotonic ms). */
  readonly reconciling: {
    readonly reconcileStates: Map<string, ReconcileState>
    readonly turns: Map<string, { readonly until: number }>
  }
  /** Whether a worker lives. */
  beating: boolean
  onMove: (written: Written) => void
}

export function createShelf(): Shelf {
  return {
    requests: new Map(),
    wake: new Map(),
    presses: new Set(),
    replies: new Map(),
    locks: new Map(),
    done: new Map(),
    past: new Map(),
    records: new Map(),
    recordsVersion: 0,
    versions: new WeakMap(),
    proposals: 0,
    audit: [],
    start: { seq: 0, mac: '' },
    settings: new Map(),
    late: new Map(),
    files: new Map(),
    names: null,
    prices: null,
    hint: null,
    watched: new Map(),
    reconciling: { reconcileStates: new Map(), turns: new Map() },
    beating: false,
    onMove: () => undefined,
  }
}

/** The records as they stand, for whoever will have to say later what they have seen. */
export function recordsOn({ records, recordsVersion, versions }: Shelf): Records {
  const given = new Map(records)
  versions.set(given, recordsVersion)
  return given
}

export function changeRecords(shelf: Shelf, { put = [], drop = [] }: Change): void {
  for (const record of put) shelf.records.set(keyOf(record), record)
  for (const key of drop) shelf.records.delete(key)
  if (put.length + drop.length > 0) shelf.recordsVersion += 1
}

/** Adds to the chain, which here is a plain list: an entry's MAC is only its number. */
export function chain(shelf: Shelf, entries: readonly (() => object)[]): void {
  for (const entry of entries) {
    const seq = (shelf.audit.at(-1) ?? shelf.start).seq + 1
    shelf.audit.push({ seq, mac: `mac-${seq}`, entry })
  }
}
