const isLong = process.env['SEARCH'] === 'long'

/** Returns the number of random tries: `most` in `npm run test:faults`, `most / part` in `npm test`. */
export function tries(most: number, part = 10): number {
  return isLong ? most : Math.ceil(most / part)
}

/** Returns the rows of a table to try: all in `npm run test:faults`, the representative ones in `npm test`. */
export function sampleOf<One>(all: readonly One[], standsForOthers: (one: One) => boolean): readonly One[] {
  return isLong ? all : all.filter(standsForOthers)
}
