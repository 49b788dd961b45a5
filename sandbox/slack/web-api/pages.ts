import type { JsonObject } from '../json.ts'
import type { Args } from './args.ts'
import { Refusal } from './refusal.ts'

/** Returns one page of a list by `cursor` and `limit`, and where the next one begins ('' if there is none). */
export function page<Item>(
  items: readonly Item[],
  args: Args,
  defaultLimit: number,
): { items: readonly Item[]; next: string } {
  const limit = args.number('limit') ?? defaultLimit
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw new Refusal('invalid_limit')
  const from = readCursor(args.text('cursor'))
  const until = from + limit
  return { items: items.slice(from, until), next: until < items.length ? writeCursor(until) : '' }
}

export function nextCursor(next: string): JsonObject {
  return { response_metadata: { next_cursor: next } }
}

function writeCursor(from: number): string {
  return Buffer.from(`from:${from}`).toString('base64')
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const from = /^from:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())
  if (!from?.[1]) throw new Refusal('invalid_cursor')
  return Number(from[1])
}
