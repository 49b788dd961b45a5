import { type Event, mayMove, type Status } from './request.ts'

/** Throws for a fault of ours. A change of status is an event, so that the audit knows of it. */
export function assertMove(from: Status, to: Status, events: readonly Event[]): void {
  if (!mayMove(from, to)) throw new Error(`A request that is ${from} cannot become ${to}.`)
  if (from !== to && events.length === 0) throw new Error(`A request that becomes ${to} needs an event that says so.`)
}
