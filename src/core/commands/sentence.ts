import { nearestVerbs } from '../text/fuzzy.ts'
import { inUsualWords, koreanCount, withoutMoments } from '../text/usual-words.ts'
import { koreanSpan, koreanTimes, koreanWindow, sinceIn } from '../time/korean-when.ts'
import type { Row } from './define.ts'
import { exampleLike, exampleName, isExample, isInverted, mostOffered, stateWords } from './examples.ts'
import { saidFor, spoken } from './field-of-word.ts'

/** More words are no command that somebody mistyped. */
export const longest = 12
/** Nor are more characters, which would take their time to read. */
const longestSentence = 240

/** Said before and after a command without changing it. */
export const courtesy = new Set(['please', 'pls', 'thanks', 'now'])
/** What comes before the verb of a sentence. */
const opening = new Set([...courtesy, ...'hey can could would you i we want need to just let lets'.split(' ')])
/** Words that begin a question, and name a command only where nothing else does. */
const vague = new Set(['how', 'what', "what's", 'whats', 'which', 'is', 'are', 'any', 'did', 'was', '얼마나'])

/** What nobody can do from here. */
export const beyond = /^(rename|delete|create|deploy)$/

/** What names nothing: "undo my last change", "stop everything idle". */
export const pointing =
  /^(it|this|that|them|those|my|the|last|latest|change|one|all|everything|what|endpoints|requests?|이거|그거|방금|내|요청|변경)$/

/** What names all there is. */
export const everything = /^(all|everything|모두|전부|다|모든|전체)$/i

/**
 * Lines that may be meant by words of which the first is no verb, the likeliest first: what people say instead of the
 * verb, or its near misses, with what follows it if that makes a line; else whatever the other words name.
 */
export function linesNear(
  words: readonly string[],
  rows: readonly Row[],
  linesOf: (line: string) => readonly string[],
): readonly string[] {
  if (words.join(' ').length > longestSentence) return []
  const begin = words.findIndex((word) => !opening.has(spoken(word)))
  const typed = inUsualWords(words.slice(Math.max(0, begin), longest))
  const [verb = '', ...rest] = withoutMoments(typed).map(spoken)
  if (beyond.test(verb) && saidIn(rows, rest).length === 0) return []
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
    const on = 'endpoint' in row.fields ? `${row.name} ${exampleName}` : row.name
    const whole = addedTo(row, typed, rows)
      .filter((more) => more !== '')
      .flatMap((more) => linesOf(`${row.kind === 'query' ? like : on} ${more}`))
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
  // "what ben did" asks what was done.
  const past = words.filter((word) => /^(did|was)$/.test(word))
  const said = asked.length > 0 ? asked : (past.length > 0 ? past : words).flatMap((word) => saidFor(rows, word))
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
    const over = 'over' in row.fields ? sinceIn(typed.join(' ')).replace('since=', '') : ''
    const who = 'who' in row.fields ? whoIn(typed.join(' ')) : ''
    const said = [...new Set(meant)].filter((word) => choices.includes(word))
    return [[...said, since, over, who].filter((word) => word !== '').join(' ')]
  }
  const text = typed.join(' ')
  if ('window' in row.fields) return [koreanWindow(text)]
  if (row.fields['to']?.kind === 'number') return [koreanCount(text)]
  if ('after' in row.fields) return [koreanSpan(text)].flatMap((span) => (span === '' ? [] : [`after ${span}`]))
  if (row.wants === undefined && !('until' in row.fields)) return []
  const lead = typed.findIndex((word) => /^(at|until|for|by)$/i.test(word))
  const times = koreanTimes(text, row.wants === 'down')
  return times.length > 0 || lead === -1 ? times : [typed.slice(lead).join(' ').replace(/^by /i, 'for ')]
}

const deeds = [
  /\b(?:did|has) (@?[\p{L}\w.-]+) (?:do|done)\b/iu,
  /\b(?:everything|all|anything|things|what) (?:that )?(@?[\p{L}\w.-]+) (?:did|has done)\b/iu,
  /(?:^| )(@?[\p{L}\w.-]+?)(?: ?님)?[이가은는] (?:\S+ )?(?:뭐|뭘|무엇을) ?(?:했|바꿨|요청|변경)/u,
]

/** Whose deeds a sentence asks for, as lines have it: "what did ben do" is "who=ben"; '' if it names nobody. */
function whoIn(text: string): string {
  const [name = ''] = deeds.flatMap((one) => one.exec(text)?.[1] ?? [])
  if (name === '' || /^(it|we|you|they|anybody|anyone|nobody|누)$/i.test(name)) return ''
  return `who=${/^([i내제]|me)$/i.test(name) ? 'me' : name}`
}
