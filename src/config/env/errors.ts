import { editDistance } from '../../core/text/fuzzy.ts'

/** All mistakes of the configuration, a sentence each. The message lists them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    const heading =
      mistakes.length === 1 ? 'The configuration has a mistake' : `The configuration has ${mistakes.length} mistakes`
    super([`${heading}:`, ...mistakes.map((mistake) => `- ${mistake}`)].join('\n'))
    this.mistakes = mistakes
  }
}

/** ` Did you mean x?` with the nearest known word, or '' if none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known)
  return near === undefined ? '' : ` Did you mean ${near}?`
}

export function nearestWord(word: string, known: readonly string[]): string | undefined {
  return known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length * 0.4))
    .sort((a, b) => a.distance - b.distance)[0]?.candidate
}
