import Fuse from 'fuse.js'

interface Named {
  readonly name: string
  readonly also?: readonly string[]
}

/** Finds the endpoints whose names start with a word or resemble it, best first. */
export function nearest<T extends Named>(word: string, all: readonly T[], most = 5): readonly T[] {
  const wanted = word.toLowerCase()
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(wanted))
  if (begins.length >= most) return begins.slice(0, most)
  const like = new Fuse(all, { keys: ['name'], threshold: 0.4, ignoreLocation: true }).search(word.slice(0, 64), {
    limit: most,
  })
  return [...new Set([...begins, ...like.map(({ item }) => item)])].slice(0, most)
}

/** Finds the verbs closest to a word, best first: `stp` is one letter from `stop` and two from `start`. */
export function nearestVerbs<T extends Named>(word: string, all: readonly T[], most: number): readonly T[] {
  const wanted = word.toLowerCase().slice(0, 64)
  // In "is", or in two Korean syllables, one wrong letter would be half the word.
  const allowed = wanted.length < 3 ? 0.5 : Math.floor(wanted.length / 3)
  return all
    .map((one) => ({
      one,
      slips: Math.min(...[one.name, ...(one.also ?? [])].map((name) => slipsTo(wanted, name, allowed))),
    }))
    .filter(({ slips }) => slips <= allowed && slips < wanted.length)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ one }) => one)
}

/** A prefix of at least two letters counts as half an edit. */
function slipsTo(word: string, verb: string, allowed: number): number {
  if (word.length - verb.length > allowed) return Number.POSITIVE_INFINITY
  return word.length > 1 && verb.startsWith(word) ? 0.5 : editDistance(word, verb)
}

/** The optimal string alignment distance: letters missing, added, wrong, or swapped with their neighbor. */
function editDistance(from: string, to: string): number {
  const counts: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => counts[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next.push(
        Math.min(
          at(row - 1, column) + 1,
          (next[column - 1] ?? 0) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    counts.push(next)
  }
  return at(from.length, to.length)
}

/** Returns the closest known word; undefined if none is close enough. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  return known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length * 0.4))
    .sort((a, b) => a.distance - b.distance)[0]?.candidate
}
