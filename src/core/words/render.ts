import { IntlMessageFormat } from 'intl-messageformat'
import { english } from '../../words/english.ts'
import { korean } from '../../words/korean.ts'
import { retiredEnglish, retiredKorean } from '../../words/retired.ts'
import { isSame, policyFile } from '../model/roles.ts'
import { type Language, type Mention, type Sentence, type SentenceValue, say, type Words } from '../model/words.ts'
import { dateIn } from '../time/calendar.ts'
import { instant, lasting, spanOf } from '../time/format.ts'
import { asQuestion, forQuestions, inKorean, withParticles } from './korean.ts'

/** A piece of a rendered sentence. Texts contain marked instants (`core/time/format.ts`). */
export type Rendered = string | { readonly bold: string } | { readonly code: string } | Named

/** A mention that a chat shows by name. "Everyone" and the policy file are plain words instead. */
export type Named = Exclude<Mention, { readonly kind: 'everyone' }>

const catalogues: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { ...retiredEnglish, ...english },
  ko: { ...retiredKorean, ...korean },
}
const parsed = new Map<string, IntlMessageFormat>()

/** Parses a catalogue sentence once. An id that only another version knows has no words here. */
function formatOf(id: string, language: Language): IntlMessageFormat {
  const key = `${language} ${id}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const message = catalogues[language][id] ?? catalogues[language]['request.unknown'] ?? ''
  const format = new IntlMessageFormat(message, language)
  parsed.set(key, format)
  return format
}

/** Renders words as texts with mentions between them. */
export function rendered(words: Words, language: Language): readonly Rendered[] {
  const pieces = joined(piecesOf(words, language))
  return language === 'ko' ? pieces.map(particlesIn) : pieces
}

/** The policy file must not get the 님 that follows people. */
const fileInKorean = korean['people.policyFile']

function particlesIn(piece: Rendered, at: number, all: readonly Rendered[]): Rendered {
  if (typeof piece !== 'string') return 'bold' in piece ? { bold: withParticles(piece.bold, null) } : piece
  const before = all[at - 1]
  const isWords = typeof before === 'object' && ('bold' in before || 'code' in before)
  const said = withParticles(asQuestion(piece), isWords ? pieceText(before) : null)
  return said.replaceAll(`${fileInKorean} 님`, fileInKorean)
}

/** Renders words as plain text, to be read aloud, measured or compared: a mention becomes its id. */
export function asText(words: Words, language: Language): string {
  return rendered(words, language).map(pieceText).join('')
}

export function pieceText(piece: Rendered): string {
  if (typeof piece === 'string') return piece
  if ('bold' in piece) return piece.bold
  return 'code' in piece ? piece.code : `@${'person' in piece ? piece.person.user : piece.id}`
}

/** Returns the mention if a chat can show it by name, otherwise words for it. */
export function mentionOrWords(mention: Mention, language: Language): string | Named {
  if ('person' in mention)
    return isSame(mention.person, policyFile) ? asText(say('people.policyFile'), language) : mention
  return mention.kind === 'everyone' ? asText(say('people.everyone'), language) : mention
}

function piecesOf(words: Words, language: Language): readonly Rendered[] {
  if (typeof words === 'string') return words === '' ? [] : [words]
  if ('say' in words) return sentencePieces(words, language)
  const written = words.map((one) => piecesOf(one, language)).filter((pieces) => pieces.length > 0)
  return written.flatMap((pieces, at) => (at === 0 ? pieces : [' ', ...pieces]))
}

type Values = Record<string, string | number | Rich | ((chunks: Chunks) => Rich)>
type Chunks = readonly (string | Rich)[]

/** A stored sentence may lack a value that its message has gained since. A choice takes `none`, a text shows a gap. */
const gap = { pieces: ['…'], toString: () => 'none' }
const withGaps: ProxyHandler<Values> = {
  has: () => true,
  get: (values, name): unknown => Reflect.get(values, name) ?? gap,
}

/** What formatting returns besides texts. */
interface Rich {
  readonly pieces: readonly Rendered[]
}

function sentencePieces(sentence: Sentence, language: Language): readonly Rendered[] {
  const given = Object.entries(sentence.with ?? {})
  const values = given.map(([name, value]) => [name, richOf(spelledOut(name, value, language), language)] as const)
  const named = new Proxy<Values>({ ...Object.fromEntries(values), ...marks }, withGaps)
  const parts = formatOf(sentence.say, language).formatToParts<Rich>(named)
  return parts.flatMap(({ value }) => (typeof value === 'object' ? value.pieces : String(value)))
}

/** Formats the text inside `<b>`, `<c>` and `<q>`. */
const marks = {
  b: (chunks: Chunks): Rich => ({ pieces: [{ bold: inside(chunks) }] }),
  c: (chunks: Chunks): Rich => ({ pieces: [{ code: inside(chunks) }] }),
  q: (chunks: Chunks): Rich => ({ pieces: [forQuestions(inside(chunks))] }),
}

function inside(chunks: Chunks): string {
  const texts = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.pieces.map(pieceText).join('')))
  return asQuestion(texts.join(''))
}

/** Values that may be a length of time as typed: 60m is shown as "1 h", like any other hour. */
const typedLengths = new Set(['after', 'at', 'length', 'since'])

function spelledOut(name: string, value: SentenceValue, language: Language): SentenceValue {
  if (typeof value !== 'string') return value
  const typed = typedLengths.has(name) ? spanOf(value) : null
  if (typed !== null) return { lasting: typed }
  // Days and times as typed: weekdays 09:00-20:00, tomorrow 09:00.
  const id = name === 'at' ? 'day.word' : name === 'times' || name === 'window' ? 'week.word' : null
  if (id === null) return language === 'ko' ? inKorean(name, value) : value
  return value.replace(/[a-z]+|[-–]/g, (word) => asText(say(id, { word: word.replace(/\W/, 'to') }), language))
}

function richOf(value: SentenceValue, language: Language): string | number | Rich {
  if (typeof value === 'number') return value
  const pieces = joined(valuePieces(value, language))
  const [only = ''] = pieces
  return pieces.length <= 1 && typeof only === 'string' ? only : { pieces }
}

function valuePieces(value: Exclude<SentenceValue, number>, language: Language): readonly Rendered[] {
  if (typeof value === 'string' || isList(value)) return piecesOf(value, language)
  if ('at' in value) return [instant(value.at, language)]
  if ('lasting' in value) return [lasting(value.lasting, language)]
  if ('day' in value) return [dateIn(value.day, language, value.only)]
  if ('any' in value) return listed(value.any, 'disjunction', language)
  if ('all' in value) return listed(value.all, 'conjunction', language)
  return 'say' in value ? sentencePieces(value, language) : [mentionOrWords(value, language)]
}

function isList(value: object): value is readonly Words[] {
  return Array.isArray(value)
}

function listed(values: readonly SentenceValue[], type: 'conjunction' | 'disjunction', language: Language) {
  const rich = values.map((value) => richOf(value, language))
  const parts = new Intl.ListFormat(language, { type }).formatToParts(rich.map((_, at) => `${at}`))
  return parts.flatMap((part): readonly Rendered[] => {
    // The list format's 및 before the last element sounds like a contract.
    if (part.type !== 'element') return [language === 'ko' && type === 'conjunction' ? ', ' : part.value]
    const one = rich[Number(part.value)] ?? ''
    return typeof one === 'object' ? one.pieces : [String(one)]
  })
}

/** Merges adjacent texts. */
function joined(pieces: readonly Rendered[]): readonly Rendered[] {
  return pieces.reduce<Rendered[]>((all, piece) => {
    const last = all.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece
    else if (piece !== '') all.push(piece)
    return all
  }, [])
}
