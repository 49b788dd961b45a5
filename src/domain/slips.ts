/**
 * The slips of the fingers between two words: letters missing, added, wrong, or swapped with the next one (the
 * optimal string alignment distance). Case is the caller's.
 */
export function slipsBetween(from: string, to: string): number {
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
