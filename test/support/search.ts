const isLong = process.env['SEARCH'] === 'long'

/** How often a search by chance tries: `most` in `npm run test:faults`, a tenth of that, or another part, in `npm test`. */
export function tries(most: number, part = 10): number {
  return isLong ? most : Math.ceil(most / part)
}

/** Those of a table that are tried: all in `npm run test:faults`, the ones that stand for the others in `npm test`. */
export function standing<One>(all: readonly One[], standsForOthers: (one: One) => boolean): readonly One[] {
  return isLong ? all : all.filter(standsForOthers)
}
