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
import type { WatchedEndpoint } from '../../../src/core/ports/endpoint-use.ts'
import type { MoveOptions } from '../../../src/core/ports/services.ts'

/** A stored request. The request itself is never changed in place. */
export interface Stored {
  version: number
  request: Request
  posts: string | null
  starts: number
  /** Another worker tried to claim it while it was claimed. */
  again: boolean
  presses: string[]
  readonly events: Event[]
  lease: { readonly token: string; readonly until: number } | null
  /** Monotonic ms at which it expires. */
  forgottenAt: number
}

/** A write, reported before anything else can happen. */
export interface Written {
  readonly before: Request
  readonly after: Request
  readonly events: readonly Event[]
  readonly options: MoveOptions
}

/** Everything that Redis holds for one project. Any number of stores can share a shelf. */
export interface Shelf {
  readonly requests: Map<string, Stored>
  /** When each request is due, ms since 1970. */
  readonly wake: Map<string, number>
  readonly presses: Set<string>
  readonly replies: Map<string, string>
  readonly locks: Map<string, string>
  readonly done: Map<string, string>
  /** The end times of ended operations, ms since 1970. */
  readonly past: Map<string, number>
  readonly records: Map<string, StoredRecord>
  recordsVersion: number
  /** The version of each set of records that was returned. */
  readonly versions: WeakMap<Records, number>
  /** How many proposals of programs have been put to people. */
  proposals: number
  /** Entries are built only when they are read, which is rare. */
  readonly audit: (Head & { readonly entry: () => object })[]
  /** The last entry that was pruned. */
  start: Head
  readonly settings: Map<string, Settings>
  /** Calls that may still arrive, by endpoint id. */
  readonly late: Map<string, LateCall>
  readonly files: Map<string, string>
  names: { readonly at: number; readonly endpoints: readonly Endpoint[] } | null
  prices: Prices | null
  hint: string | null
  readonly watched: Map<string, WatchedEndpoint>
  /** The reconcile states of rules, and when each turn ends (monotonic ms). */
  readonly reconciling: {
    readonly reconcileStates: Map<string, ReconcileState>
    readonly turns: Map<string, { readonly until: number }>
  }
  /** Whether a worker is alive. */
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

/** Returns a copy of the records and notes its version for later comparison. */
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

/** Appends to the audit chain, which is a plain list here: an entry's MAC is only its number. */
export function chain(shelf: Shelf, entries: readonly (() => object)[]): void {
  for (const entry of entries) {
    const seq = (shelf.audit.at(-1) ?? shelf.start).seq + 1
    shelf.audit.push({ seq, mac: `mac-${seq}`, entry })
  }
}
