export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5)
}

/** Uses the nearest rank. Returns NaN if there are no values. */
export function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN
}

/** Returns (max - min) / median: how much the rounds of one variant differ. */
export function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / medianOf(values)
}

/** Reorders the items in each round, so that none always comes first or always follows the same one. */
export function shuffled<Item>(items: readonly Item[], round: number): readonly Item[] {
  const first = round % items.length
  const turned = [...items.slice(first), ...items.slice(0, first)]
  return round % 2 === 0 ? turned : turned.toReversed()
}
