import { isSkipped } from '../domain/past.ts'
import { keyOf, type Rec, type Records } from '../domain/records.ts'
import { isAutomatic, type Request } from '../domain/request.ts'
import { recentOn } from './history.ts'
import type { House } from './ports.ts'

/** More than anybody lays down about one endpoint between two things that are done to it. */
const mostLooked = 10

/** What was last done to an endpoint, laid down about it or skipped; null where neither is remembered. */
export async function lastOn(house: House, endpoint: string): Promise<Request | null> {
  return newestOf(await house.store.lastDone(endpoint), await laidOn(house, endpoint))
}

/** Handed in so soon after a change, what a rule does belongs to that change. ms. */
const soon = 60_000

/** What undo is about. `either`: a person's change and what a rule did on its own later; people say which. */
export type Undoable = { readonly last: Request | null } | { readonly either: readonly [Request, Request] }

/** What `undo` is about, or the request with the id that was `named` where that can still be undone. */
export async function undoableOn(house: House, endpoint: string, named?: string): Promise<Undoable> {
  const [done, laid] = [await house.store.lastDone(endpoint), await laidOn(house, endpoint)]
  const last = newestOf(done, laid)
  if (laid === undefined || last === null || last === laid || !isAutomatic(last) || last.decision !== undefined)
    return { last }
  if (laid.change === undefined || !isAsLeft(laid, await house.store.records()) || isOver(laid, house.clock.now()))
    return { last }
  if (named !== undefined) return { last: named === laid.id ? laid : last }
  return last.receivedAt - endOf(laid) < soon ? { last: laid } : { either: [laid, last] }
}

/** Whether what a request has changed in our records is as the request left it. */
export function isAsLeft({ change }: Request, records: Records): boolean {
  const { put = [], drop = [] } = change ?? {}
  // Both were read from the texts that one write has stored.
  return put.every((one) => textOf(records.get(keyOf(one))) === textOf(one)) && !drop.some((key) => records.has(key))
}

async function laidOn(house: House, endpoint: string): Promise<Request | undefined> {
  const recent = await recentOn(house, endpoint, mostLooked)
  return recent
    .map(({ request }) => request)
    .find((one) => (one.status === 'succeeded' && one.change !== undefined) || isSkipped(one))
}

function newestOf(done: Request | null, laid: Request | undefined): Request | null {
  return laid !== undefined && endOf(laid) > (done?.ending?.at ?? 0) ? laid : done
}

function endOf({ ending }: Request): number {
  return ending?.at ?? 0
}

/** A one-off has nothing left to take away once its time has come. */
function isOver({ change }: Request, now: number): boolean {
  return change?.put?.some((one) => one.kind === 'once' && one.at <= now) === true
}

function textOf(record: Rec | undefined): string | undefined {
  return JSON.stringify(record)
}
