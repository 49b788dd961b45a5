import { nearestVerbs } from '../text/fuzzy.ts'
import { inUsualWords, koreanCount, withoutMoments } from '../text/korean-said.ts'
import { koreanSpan, koreanTimes, koreanWindow, sinceIn } from '../time/korean-when.ts'
import type { Row } from './define.ts'
import { exampleName, isExample, mostOffered, namedDays } from './examples.ts'

/** More words are no command that somebody mistyped. */
export const longest = 12

/** Said before and after a command without changing it. */
export const courtesy = new Set(['please', 'pls', 'thanks', 'now'])
/** What comes before the verb of a sentence. */
const opening = new Set([...courtesy, ...'hey can could would will you i we want need to just let lets'.split(' ')])
/** Words that begin a question, and name a command only where nothing else does. */
const vague = new Set(['how', 'what', "what's", 'whats', 'which', 'is', 'are', 'any', 'did', 'was', '얼마나'])

/** What names nothing: "undo my last change", "stop everything idle". */
export const pointing =
  /^(it|this|that|them|those|my|the|last|latest|change|one|all|everything|what|endpoints|requests?|이거|그거|방금|내|요청|변경)$/

/** What names all there is. */
export const everything = /^(all|everything|모두|전부|다|모든|전체)$/i

/** Said where "off" is about an endpoint, or is not wanted. */
const denying = /^((no|not|nobody|nothing|never|don'?t|unused|leave)$|안|놀고|끄지|멈추지|중지하지)/

/**
 * Lines that may be meant by words of which the first is no verb, the likeliest first: what people say instead of the
 * verb, or its near misses, with what follows it if that makes a line; else whatever the other words name.
 */
export function linesNear(
  words: readonly string[],
  rows: readonly Row[],
  linesOf: (line: string) => readonly string[],
): readonly string[] {
  const begin = words.findIndex((word) => !opening.has(spoken(word)))
  const typed = inUsualWords(words.slice(Math.max(0, begin), longest))
  const [verb = '', ...rest] = withoutMoments(typed).map(spoken)
  const asked = vague.has(verb)
  const pair = saidFor(rows, `${verb} ${rest[0]}`)
  const beginning = pair.length > 0 || asked ? pair : saidFor(rows, verb)
  const near = beginning.length > 0 || asked ? beginning : nearestVerbs(verb, rows, mostOffered)
  const lines = (near.length > 0 ? near : saidIn(rows, [verb, ...rest])).flatMap((row) => {
    const line = [row.name, ...typed.slice(pair.length > 0 && /^[가-힣]/.test(verb) ? 2 : 1)]
      .join(' ')
      .replace(/[?!]+$/, '')
    const isWhole = near.length > 0 && words.length <= longest
    const kept = isWhole ? linesOf(line).filter((one) => !isInverted(one, [verb, ...rest])) : []
    if (kept.length > 0) return kept
    const like = (row.examples.some(isExample) && exampleLike(row, [verb, ...rest], rows)) || row.name
    const whole = addedTo(row, typed, rows)
      .filter((more) => more !== '')
      .flatMap((more) => linesOf(`${row.kind === 'query' ? like : `${row.name} ${exampleName}`} ${more}`))
    return whole.length > 0 ? whole : [like]
  })
  return [...new Set(lines)].slice(0, mostOffered)
}

/** The rows of which a sentence speaks. Whoever asks something wants an answer; a night or a weekday is no stop now. */
function saidIn(rows: readonly Row[], words: readonly string[]): readonly Row[] {
  // "on" means a start only where nothing else is said.
  const isAsked = words[0] !== 'how' && vague.has(words[0] ?? '')
  // Nor is a wish a question: "ben wants my-llm off".
  const isWeak = (word: string) => vague.has(word) || /^[a-z]{1,2}$/.test(word) || (!isAsked && /^wants?$/.test(word))
  const strong = saidWhole(
    words.filter((word) => !isWeak(word)),
    rows,
  )
  const isAnswer = (row: Row) => row.kind === 'query' || row.deed !== undefined
  const asked = isAsked ? strong.filter(isAnswer) : strong
  const said = asked.length > 0 ? asked : words.flatMap((word) => saidFor(rows, word))
  const queries = said.filter(({ kind }) => kind === 'query')
  if (queries.length > 0) return queries
  const rules = said.filter((row) => row.kind === 'operation' && row.wants === undefined)
  return rules.length > 0 ? rules : said
}

/** What words stand for: of "nobody uses" what both do together, and not what "nobody" does alone. */
function saidWhole(words: readonly string[], rows: readonly Row[]): readonly Row[] {
  const pairs = words.map((word, at) => saidFor(rows, `${word} ${words[at + 1]}`))
  const alone = words.filter((_, at) => !pairs[at]?.length && !pairs[at - 1]?.length)
  return [...pairs.flat(), ...alone.flatMap((word) => saidFor(rows, word))]
}

/** "nobody uses it" is said in two words. */
export function withPairs(words: readonly string[]): readonly string[] {
  return [...words.map((word, at) => `${word} ${words[at + 1]}`), ...words]
}

const stateWords = { up: ['started', 'running'], down: ['stopped'] }

/** What a sentence says beside its verb: a choice of a question, or when something is to start or stop. */
function addedTo(row: Row, typed: readonly string[], rows: readonly Row[]): readonly string[] {
  const choices = Object.values(row.fields).flatMap(({ of = [], also = {}, key }) =>
    key === undefined ? [...of, ...Object.keys(also)] : [],
  )
  if (row.kind === 'query') {
    // "why did it stop" asks for what was stopped, and "why is it running" for what was started.
    const ends = (word: string) =>
      saidFor(rows, word === 'running' ? 'on' : word).flatMap((one) =>
        one.kind === 'operation' && one.wants ? stateWords[one.wants] : [],
      )
    const meant = typed.map(spoken).flatMap((word) => [word, ...ends(word)])
    const since = 'since' in row.fields ? sinceIn(typed.join(' ')) : ''
    return [
      [...new Set(meant), since]
        .filter((word) => word === since || choices.includes(word))
        .join(' ')
        .trim(),
    ]
  }
  const text = typed.join(' ')
  if ('window' in row.fields) return [koreanWindow(text)]
  if (row.fields['to']?.kind === 'number') return [koreanCount(text)]
  if ('after' in row.fields) return [koreanSpan(text)].flatMap((span) => (span === '' ? [] : [`after ${span}`]))
  if (row.wants === undefined && !('until' in row.fields)) return []
  const lead = typed.findIndex((word) => /^(at|until|for)$/i.test(word))
  const times = koreanTimes(text, row.wants === 'down')
  return times.length > 0 || lead === -1 ? times : [typed.slice(lead).join(' ')]
}

export function spoken(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[?!.,]+$/, '')
}

/** Whether people say this word for a command. */
export function isSaid(word: string, rows: readonly Row[]): boolean {
  return saidFor(rows, spoken(word)).length > 0
}

/** The rows that a word or two stand for: of "끄지" those that it begins with, not those of "끄" as well. */
export function saidFor(rows: readonly Row[], word: string): readonly Row[] {
  const lengths = rows.map((row) => saidLength(row, word))
  const longestSaid = Math.max(0, ...lengths)
  return longestSaid === 0 ? [] : rows.filter((_, at) => lengths[at] === longestSaid)
}

/** Endings are glued to Korean words, so one of those is a beginning. 0: the word does not stand for this row. */
function saidLength({ name, also = [], hints = [] }: Row, word: string): number {
  const all = [name, ...also, ...hints]
  if (all.includes(word)) return word.length
  if (!/^[가-힣]/.test(word)) return 0
  const isBegun = (one: string) =>
    /^[가-힣]/.test(one) && word.startsWith(one) && one.includes(' ') === word.includes(' ')
  return Math.max(0, ...all.filter(isBegun).map((one) => one.length))
}

/** Whether a line turns off a rule or a pause where "off what nobody uses" is said. */
function isInverted(line: string, said: readonly string[]): boolean {
  return line.endsWith(' off') && said.some((word) => denying.test(word))
}

/** The example about an endpoint that shares most with what was said: "off at night" is not "up weekdays". */
export function exampleLike({ examples }: Row, said: readonly string[], rows: readonly Row[]): string | undefined {
  const wanted = said
    .flatMap((word) => saidFor(rows, word))
    .flatMap((row) => (row.kind === 'operation' ? (row.wants ?? []) : []))
  const days = said.flatMap((word) => namedDays.find(([ours]) => word.startsWith(ours))?.[1] ?? [])
  const meant: ReadonlySet<string> = new Set([...said.filter((word) => word.length > 2), ...wanted, ...days])
  const shared = (line: string) => line.split(' ').filter((word) => meant.has(word)).length
  return (
    examples
      .filter((line) => isExample(line) && !isInverted(line, said))
      .toSorted((a, b) => shared(b) - shared(a))[0] ?? examples[0]
  )
}
