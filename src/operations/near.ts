import Fuse from 'fuse.js'

/** The few that a person may have meant, best first: typing slips and beginnings both count. */
export function nearest<T extends { readonly name: string }>(word: string, all: readonly T[], most = 5): readonly T[] {
  const wanted = word.toLowerCase()
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(wanted))
  if (begins.length >= most) return begins.slice(0, most)
  const like = new Fuse(all, { keys: ['name'], threshold: 0.4, ignoreLocation: true }).search(word.slice(0, 64), {
    limit: most,
  })
  return [...new Set([...begins, ...like.map(({ item }) => item)])].slice(0, most)
}
