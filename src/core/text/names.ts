import Fuse from 'fuse.js'

interface Named {
  readonly name: string
  readonly also?: readonly string[]
}

/** Finds the items whose names start with a word or resemble it, best first. */
export function nearest<T extends Named>(word: string, all: readonly T[], most = 5): readonly T[] {
  const wanted = word.toLowerCase()
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(wanted))
  if (begins.length >= most) return begins.slice(0, most)
  const like = new Fuse(all, { keys: ['name'], threshold: 0.4, ignoreLocation: true }).search(word.slice(0, 64), {
    limit: most,
  })
  return [...new Set([...begins, ...like.map(({ item }) => item)])].slice(0, most)
}

/** Finds the items with the fewest edits from a word, best first: `stp` is one letter from `stop`, two from `start`. */
export function nearestByEdits<T extends Named>(word: string, all: readonly T[], most: number): readonly T[] {
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
    .filter(
      ({ candidate, distance }) => distance <= Math.min(Math.max(2, candidate.length * 0.4), candidate.length - 1),
    )
    .sort((a, b) => a.distance - b.distance)[0]?.candidate
}

/** Korean titles and particles that are attached to names. */
const attached = /(님|씨)?(이랑|에게|한테|께서|께|이|가|은|는|의|도)?$/

/** Whether a word names a person who has one of these names: "@ben", "민수님이" for 김민수. */
export function isNamed(word: string, names: readonly string[]): boolean {
  const bare = word.toLowerCase().replace(/^@/, '')
  const parts = names.flatMap((name) => [name, ...name.split(/[\s._’']+/)]).map((name) => name.toLowerCase())
  // A Korean given name follows a one-syllable family name.
  const known = parts.flatMap((name) => (/^[가-힣]{3}$/.test(name) ? [name, name.slice(1)] : [name]))
  return [bare, bare.replace(attached, '')].some((one) => one !== '' && known.includes(one))
}

/** Finds the items that a text names, also with Korean particles attached. */
export function namedIn<One extends { readonly name: string }>(text: string, all: readonly One[]): readonly One[] {
  const words = text
    .split(/[\s?!,"“”]+/)
    .flatMap((word) => [word, word.replace(/(?<![가-힣])[가-힣]{1,6}$|[을를이가은는도]$|['’]s$/, '')])
  const whole = all.filter(({ name }) => words.includes(name))
  if (whole.length > 0) return whole
  // "code" names code-llm, and "speach" speech, if no other name is meant.
  const begun = all.filter(({ name }) => words.includes(name.replace(/(?<=^\w{3,})-.*/, '')))
  const misspelt = words.filter((word) => /^[\w.-]{5,}$/.test(word)).flatMap((word) => nearestByEdits(word, all, 2))
  const meant = new Set(begun.length > 0 ? begun : misspelt)
  return meant.size === 1 ? [...meant] : []
}

/** Words before a name in an English question. */
const beforeName = /^(|\/endpoint|(is|was|do|does|did|will|can|has)(n['’]t)?|[a-z]+ed|of)$/i
/** Parts of "auto-stop", "on-call" and "read-only", which are no names, nor are "e-mail" and "a100-80gb". */
const ordinary =
  /^(auto|idle|stop|start|run|on|off|ups?|down|in|out|to|by|the|end|time|day|hours?|week|call|break|only|high|low|non|pre|self|co|[a-z](\d{2,})?)$/i

/** What a question asks about an endpoint, unlike "is the error-rate high?". */
const aboutEndpoint = /\b(stop|start|restart|shut|scale|patch|run|up|down|status)|[꺼껐끄켜켰]|중지|시작|실행|상태/i

/** Finds a word like a name, with a hyphen or a digit, where a question has one. "What did ci-bot do?" names a program. */
export function nameLikeIn(text: string): string | undefined {
  if (!aboutEndpoint.test(text)) return undefined
  const words = text.split(/[\s?!,"“”]+/).map((word) => word.replace(/[가-힣]+$|['’]s$/, ''))
  const isLike = (word: string, at: number) =>
    /^[a-z][\w.]*(-[\w.]+)+$|^[a-z]{4,}[\d.]*\d$/.test(word) &&
    !word.split('-').some((part) => ordinary.test(part)) &&
    (/[가-힣]/.test(text) || beforeName.test(words[at - 1] ?? '')) &&
    !/^(do|ask)/i.test(words[at + 1] ?? '')
  return words.find(isLike)
}

/** Whether a text lists several items: "stop rerank, embeddings", unlike "stop rerank and start embeddings". */
export function isListIn<One extends { readonly name: string }>(text: string, named: readonly One[]): boolean {
  const words = text.split(/[\s,&+]+/).slice(1)
  const isName = (word: string) => namedIn(word, named).length > 0
  const between = words.slice(words.findIndex(isName), words.findLastIndex(isName))
  return (
    named.length > 1 && between.every((word) => isName(word) || /^(and|or|both|와|과|랑|이랑|하고|및)$/i.test(word))
  )
}
