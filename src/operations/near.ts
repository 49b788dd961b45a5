import Fuse from 'fuse.js'
import { slipsBetween } from '../domain/slips.ts'

interface Named {
  readonly name: string
  readonly also?: readonly string[]
}

/** The few endpoints that a person may have meant, best first: typing slips and beginnings both count. */
export function nearest<T extends Named>(word: string, all: readonly T[], most = 5): readonly T[] {
  const wanted = word.toLowerCase()
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(wanted))
  if (begins.length >= most) return begins.slice(0, most)
  const like = new Fuse(all, { keys: ['name'], threshold: 0.4, ignoreLocation: true }).search(word.slice(0, 64), {
    limit: most,
  })
  return [...new Set([...begins, ...like.map(({ item }) => item)])].slice(0, most)
}

/**
 * The verbs that a person may have meant, best first. Verbs are short and few, so slips are counted one by one: `stp` is
 * one letter from `stop` and two from `start`.
 */
export function nearestVerbs<T extends Named>(word: string, all: readonly T[], most: number): readonly T[] {
  const wanted = word.toLowerCase().slice(0, 64)
  const allowed = Math.max(1, Math.floor(wanted.length / 3))
  return all
    .map((one) => ({ one, slips: Math.min(...[one.name, ...(one.also ?? [])].map((name) => slipsTo(wanted, name))) }))
    .filter(({ slips }) => slips <= allowed && slips < wanted.length)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ one }) => one)
}

/** A beginning of at least two letters is hardly a slip. */
function slipsTo(word: string, verb: string): number {
  return word.length > 1 && verb.startsWith(word) ? 0.5 : slipsBetween(word, verb)
}
