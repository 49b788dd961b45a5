export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5)
}

/** By the nearest rank; NaN of nothing. */
export function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN
}

/** (largest - smallest) / median: how much the rounds of one variant differ. */
export function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / medianOf(values)
}

/** The same in another order each round, so that none always comes first, or always after the same one. */
export function shuffled<Item>(items: readonly Item[], round: number): readonly Item[] {
  const first = round % items.length
  const turned = [...items.slice(first), ...items.slice(0, first)]
  return round % 2 === 0 ? turned : turned.toReversed()
}
