import type { ContextBlock, KnownBlock } from '@slack/types'
import type { Chart, QueryAnswer } from '../../../core/model/query-answer.ts'
import { type Language, type Mention, say, type Words } from '../../../core/model/words.ts'
import { membersText, votersOf } from '../../../core/requests/awaited.ts'
import { asText, mentionOrWords, type Named, pieceText, type Rendered, rendered } from '../../../core/words/render.ts'
import { type AnyBlock, paragraph, paragraphs, preformatted, row, smallWithin, undotted } from '../kit/blocks.ts'
import { buttons, marked, nameRow, offerButton, offered, offersMenu } from '../kit/buttons.ts'
import { escaped, hasInstant, inUtc, longestText, shortened } from '../kit/text.ts'

/** The characters left for the rows: Slack limits all texts of a message together to some 13,000. */
const room = 7_000
/** More rows than any answer has, but within the block limit of a message. */
const most = 40
/** Longer than any of our footers and titles, except those with a long name. A title may hold several instants. */
const [short, longTitle] = [300, 1_000]

export function answerBlocks(answer: QueryAnswer, language: Language): readonly AnyBlock[] {
  const { title, items, block, chart, foot = '', offers = [] } = answer
  const several = items.slice(0, most).map((item) => readItem(item, language))
  const left = block === undefined ? room : room / 2
  const needed = several.reduce((sum, { size }) => sum + size, 0)
  const each = needed <= left ? longestText : Math.floor(left / Math.max(3, several.length))
  const under = asText(foot, language)
  return [
    paragraph(
      ...rendered(title, language).map((piece) =>
        typeof piece === 'string' ? { bold: shortened(piece, longTitle) } : piece,
      ),
    ),
    ...(chart === undefined ? [] : [barChart(chart, language)]),
    ...several.flatMap((item) => itemBlocks(item, each, language)),
    ...(block === undefined ? [] : [preformatted(block.map((line) => asText(line, language)))]),
    ...(under === '' ? [] : [smallWithin(short, under)]),
    ...offered(offers, language),
  ]
}

function barChart({ title, across, unit, categories, series }: Chart, language: Language): AnyBlock {
  const read = (words: Words) => asText(words, language)
  const labels = categories.map(read)
  const bars = series.map(({ name, values }) => ({
    name: read(name),
    data: labels.map((label, at) => ({ label, value: values[at] ?? 0 })),
  }))
  return {
    type: 'data_visualization',
    title: read(title),
    chart: {
      type: 'bar',
      series: bars,
      axis_config: { categories: labels, x_label: read(across), y_label: read(unit) },
    },
  }
}

type Item = ReturnType<typeof readItem>

/** `small`: its detail with mentions; `size`: its length as Slack counts it. */
function readItem(item: QueryAnswer['items'][number], language: Language) {
  const { text, detail: beside = '', whom } = item
  const named = [
    ...rendered(text, language),
    ...(whom === undefined ? [] : [' ', ...rendered(say('people.list', { people: membersText(whom) }), language)]),
  ]
  const detail = asText(beside, language)
  const small = mentionsIn(beside, language)
  return { ...item, named, detail, small, size: escaped(inUtc(asText(text, language) + detail)).length }
}

/** Within `each` characters. A row with mentions or times is a paragraph, because plain text can hold neither. */
function itemBlocks(item: Item, each: number, language: Language): readonly KnownBlock[] {
  const { named, detail, small, who, offers = [], more = [], strong, mark, usages, inline } = item
  if (usages !== undefined) return [usageList(item, usages, language)]
  const menu = offersMenu(more, language)
  const pressed = [...(menu ? [menu] : []), ...offers.slice(0, 10).map((one, at) => offerButton(one, at, language))]
  const [beside, ...others] = pressed
  const half = Math.floor(each / 2)
  const words = named.filter((piece) => typeof piece === 'string')
  const below = behind(item, half, language)
  const cut = (some: readonly Rendered[]) => some.map((one) => (typeof one === 'string' ? shortened(one, half) : one))
  const pieces = cut(named)
  const isPlain = [...named, ...small].every((piece) => typeof piece === 'string')
  if (inline) {
    const by = who === undefined ? [] : [' · ', ...personOf(item, language)]
    const [first = '', ...rest] = who === undefined ? pieces : pieces.map(undotted)
    // The words in a text decide the language of its times.
    return [paragraph(`${detail} · ${pieceText(first)}`, ...rest, ...by)]
  }
  if (!isPlain || [...words, who === undefined ? detail : ''].some(hasInstant)) {
    const bold = pieces.map((piece) => (strong && typeof piece === 'string' ? { bold: piece } : piece))
    const head = [...(mark === undefined ? [] : [marked(mark, '')]), ...bold]
    const isBelow = who !== undefined || (detail !== '' && !strong)
    return [
      paragraphs(isBelow || detail === '' ? [head] : [head, cut(small)]),
      ...(isBelow ? [below] : []),
      ...(pressed.length > 0 ? [buttons(...pressed)] : []),
    ]
  }
  const under = others.length > 0 ? [buttons(...others)] : []
  // Several buttons would need a line of their own, so they become a menu.
  const all = others.length > 0 ? offersMenu([...offers, ...more], language) : beside
  const text = words.join('')
  const draw = (lines: readonly string[], one: typeof all, most: number) =>
    strong ? nameRow(text, mark, lines, one, most) : row([marked(mark, text), ...lines], one, most)
  if (who !== undefined) return [draw([], all, half), below]
  return [draw([detail], beside, each), ...under]
}

function usageList({ named }: Item, usages: NonNullable<Item['usages']>, language: Language): KnownBlock {
  const told = usages.map(({ line, about = '' }) => {
    const says = asText(about, language)
    return [{ code: line }, ...(says === '' ? [] : [`  ${says}`])]
  })
  const heading = named.map((piece) => (typeof piece === 'string' ? { bold: piece } : piece))
  return paragraphs([...(heading.length > 0 ? [heading] : []), ...told])
}

/** Renders words and mentions without bold text or code. */
export function mentionsIn(piece: Words | Mention, language: Language): readonly (string | Named)[] {
  if (typeof piece !== 'string' && ('person' in piece || 'kind' in piece)) return [mentionOrWords(piece, language)]
  return rendered(piece, language).map((one) =>
    typeof one === 'object' && ('bold' in one || 'code' in one) ? pieceText(one) : one,
  )
}

function behind(item: Item, room: number, language: Language): ContextBlock {
  const { small, decided } = item
  const voters = say('people.list', { people: votersOf(decided?.votes ?? []) })
  const by = decided === undefined ? [] : [`· ${asText(decided.says, language)}`, ...mentionsIn(voters, language)]
  return smallWithin(room, ...personOf(item, language), ...(decided ? small.map(undotted) : small), ...by)
}

/** "schedule by @ana" */
function personOf({ who, through = '' }: Item, language: Language): readonly (string | Named)[] {
  const led = asText(through, language)
  return who === undefined ? [] : [led === '' ? '' : `${led} `, mentionOrWords({ person: who }, language)]
}
