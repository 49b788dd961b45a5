import { sinceIn } from '../time/korean-when.ts'
import type { Row } from './define.ts'
import { rowOf, saidFor, spoken, type Word } from './field-of-word.ts'
import { courtesy, longest, pointing } from './sentence.ts'

/** Said between a question and what it is about. */
const joining = new Set([...courtesy, 'of', 'for', 'about', 'me', 'my', 'the', 'all'])
/** The command of a line's first word, and what follows it; in Korean two words may be one command, "보호 해제". */
export function beginningOf([first, ...rest]: readonly Word[], rows: readonly Row[]) {
  if (first === undefined || first.key !== undefined) return { first, verb: undefined, rest }
  const verb = rowOf(first.value.toLowerCase(), rows)
  const [second] = rest
  if (verb === undefined || second?.key !== undefined || !/^[가-힣]/.test(first.value)) return { first, verb, rest }
  const both = rowOf(`${first.value}${second?.value}`, rows)
  if (both !== undefined) return { first, verb: both, rest: rest.slice(1) }
  const said = saidFor(rows, `${first.value} ${spoken(second?.value ?? '')}`)
  return { first, verb: said.length === 0 || said.includes(verb) ? verb : undefined, rest }
}

/** The words after a verb, without those that name no request. */
export function withoutPointing(words: readonly Word[]): readonly Word[] {
  const named = words.filter(({ key, value }) => key !== undefined || !pointing.test(spoken(value)))
  return named.some(({ key }) => key === undefined) ? words : named
}

/** Whose request a Korean sentence is about: "ben 요청 승인해 줘", "벤이 요청한 것"; '' where it names nobody. */
export function askerIn(typed: string): string {
  const asker = /(?:^|\s)(@?[a-z][\w.-]*|[가-힣]+?)(?:\s?[님씨])?(?:[이가은는의]|께서)?\s+요청/i
  const [, name = ''] = asker.exec(typed) ?? []
  return /^([내제누이그저]|모든|다른|전체|중인?|대기|승인|변경|중지|시작|남은|들어온|올라온|최근|방금|지금)$/.test(name)
    ? ''
    : name
}

/** The words of a line without those that only make it polite: "status of my-llm please" is `status my-llm`. */
export function withoutCourtesy(words: readonly Word[], rows: readonly Row[]): readonly Word[] {
  if (words.length > longest) return words
  const isOf = (some: ReadonlySet<string>, { key, value }: Word) => key === undefined && some.has(spoken(value))
  const bare = words.slice(
    words.findIndex((word) => !isOf(courtesy, word)),
    words.findLastIndex((word) => !isOf(courtesy, word)) + 1,
  )
  // "up to 3" is "to 3".
  const to = bare.filter(({ value }, at) => !/^(up|down)$/i.test(value) || bare[at + 1]?.value !== 'to')
  const begun = asCommand(to, rows)
  const core = /^keep$/i.test(begun[0]?.value ?? '') ? withoutKept(begun) : begun
  const [verb, ...rest] = core
  if (verb === undefined) return words
  const row = rowOf(verb.value.toLowerCase(), rows)
  if (row?.kind === 'query') return [verb, ...withSince(rest.filter((word) => !isOf(joining, word)))]
  return row !== undefined && Object.values(row.fields).some(({ kind }) => kind === 'window') ? asWindow(core) : core
}

/** "can I stop my-llm" is `explain stop my-llm`: a row's hint of three words or more, or one that ends in "I", begins a line. */
function asCommand(words: readonly Word[], rows: readonly Row[]): readonly Word[] {
  const said = `${words.map(({ key, value }) => (key === undefined ? spoken(value) : '=')).join(' ')} `
  for (const { name, hints = [] } of rows)
    for (const hint of hints) {
      const { length } = hint.split(' ')
      if ((length < 3 && !hint.endsWith(' i')) || !said.startsWith(`${hint} `)) continue
      return [
        { value: name },
        ...words.slice(length).map((word) => ({ ...word, value: word.value.replace(/[?!]+$/, '') })),
      ]
    }
  return words
}

/** "down on weekdays from 19:00 to 7:00" is `down weekdays 19:00-7:00`. */
function asWindow(words: readonly Word[]): readonly Word[] {
  const few = words.filter(
    ({ key, value }, at) => at < 3 || key !== undefined || !/^(on|from|every|each)$/i.test(value),
  )
  const to = few.findIndex(({ value }) => /^(to|until|till)$/i.test(value))
  const [from, end] = [few[to - 1]?.value ?? '', few[to + 1]?.value ?? '']
  return /^\d/.test(from) && /^\d/.test(end)
    ? [...few.slice(0, to - 1), { value: `${from}-${end}` }, ...few.slice(to + 2)]
    : few
}

/** "my-llm in the last week" is `my-llm since=7d`. */
function withSince(words: readonly Word[]): readonly Word[] {
  for (const count of [1, 2, 3])
    for (let at = 0; at + count <= words.length; at += 1) {
      const said = words.slice(at, at + count)
      const since = said.some(({ key }) => key !== undefined) ? '' : sinceIn(said.map(({ value }) => value).join(' '))
      if (since === '') continue
      const before = words
        .slice(0, at)
        .filter(({ value }, one) => one < at - 1 || !/^(in|over|from|since)$/i.test(value))
      return [...before, { key: 'since', value: since.slice('since='.length) }, ...words.slice(at + count)]
    }
  return words
}

/** "keep my-llm up until I'm back on monday" is until monday. */
function withoutKept(words: readonly Word[]): readonly Word[] {
  const isSaid = (one: RegExp, { key, value }: Word) => key === undefined && one.test(value)
  const up = words.filter((word, at) => at !== 2 || !isSaid(/^(up|on|running|alive)$/i, word))
  const until = up.findIndex((word) => isSaid(/^until$/i, word))
  const back = up.findIndex((word, at) => until > 0 && at > until && isSaid(/^back$/i, word))
  const end = up.findIndex((word, at) => back > 0 && at > back && !isSaid(/^(on|at)$/i, word))
  return end === -1 ? up : [...up.slice(0, until + 1), ...up.slice(end)]
}
