import type { Actor } from '../domain/actor.ts'
import { valueAs } from '../domain/formats.ts'
import type { Change, Gap } from '../domain/records.ts'
import type { Acknowledgement, Head, Link } from '../lifecycle/audit.ts'

interface Entry {
  readonly at: number
  readonly by?: Actor
  readonly actor?: Actor
  readonly change?: Change
  readonly follows?: Head
}

/** What an entry says that it follows: to be shown by its MAC. Most say nothing of it. */
export function followedBy({ text }: Link): readonly Head[] {
  if (!text.includes('"follows"')) return []
  const { follows } = entryIn(text)
  return follows === undefined ? [] : [follows]
}

/** The gaps that an entry acknowledges, and who stands for each. Only to be asked of one that is as it was written. */
export function acknowledgementsIn({
  seq,
  text,
}: Link): readonly (Pick<Acknowledgement, 'by' | 'at' | 'seq'> & { readonly gap: Gap })[] {
  if (!text.includes('"acknowledges"')) return []
  const { at, actor, by = actor, change } = entryIn(text)
  if (by === undefined) return []
  return (change?.acknowledges?.gaps ?? []).map((gap) => ({ gap, by, at, seq }))
}

/** Whether acknowledging one gap is enough for another: nothing outside it, and nothing else that contradicts a note. */
export function covers(acknowledged: Gap, gap: Gap): boolean {
  if (gap.noted !== acknowledged.noted && gap.noted !== undefined) return false
  if (gap.to === acknowledged.to && gap.mac !== acknowledged.mac) return false
  if (gap.from === acknowledged.from && gap.before !== acknowledged.before) return false
  return acknowledged.from <= gap.from && gap.to <= acknowledged.to
}

/** Whatever it is that stands there. Throws Newer. */
function entryIn(text: string): Partial<Entry> & Pick<Entry, 'at'> {
  const found = parsed(text)
  return typeof found === 'object' && found !== null ? valueAs('entry', found) : { at: 0 }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
