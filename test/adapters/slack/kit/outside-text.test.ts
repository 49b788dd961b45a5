import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../../../sandbox/slack/json.ts'
import { mentionsIn } from '../../../../sandbox/slack/mrkdwn/mentions.ts'
import { type Node, parseMrkdwn } from '../../../../sandbox/slack/mrkdwn/parse.ts'
import { type Message, shortMessage } from '../../../../src/adapters/slack/kit/blocks.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import { outsideText } from '../../../../src/core/time/format.ts'
import { tries } from '../../../support/search.ts'
import { anyText } from '../../../support/text.ts'
import { claimOf, everyRequest, membersOf, start } from '../requests.ts'
import { messagesOf } from '../showing.ts'

const about = 'https://sandbox.example/archives/C0OPS/p1'

/** Every message of a request, and the short form that is sent if Slack refuses its blocks. */
function allMessages(request: Request): readonly Message[] {
  const whole = messagesOf(claimOf(request), start + 60_000, about, membersOf).map(({ message }) => message)
  return [...whole, ...whole.map(shortMessage)]
}

interface Sent {
  readonly text: string
  readonly blocks: readonly JsonObject[]
}

function asJson({ text, blocks }: Message): Sent {
  return JSON.parse(JSON.stringify({ text, blocks })) as Sent
}

/** Tokens that an independent parser of Slack's markup finds. Bare links in `text` don't count: we forbid them. */
function tokensIn(sent: Sent): readonly string[] {
  return mentionsIn(sent)
    .filter(({ kind, where }) => kind !== 'date' && (kind !== 'bare-link' || where !== 'text'))
    .map(({ kind, where }) => `${kind} at ${where.replace(/(\/elements\/\d+\/elements)\/\d+$/, '$1')}`)
}

/** The structure of a message without its words. A date counts as words: a forged instant only names a time. */
function shapeOf(value: Json | undefined): Json {
  if (Array.isArray(value)) {
    const shapes = value.map(shapeOf)
    const isWords = (one: Json | undefined): boolean => isObject(one) && one['type'] === 'text'
    return shapes.filter((one, at) => !isWords(one) || JSON.stringify(one) !== JSON.stringify(shapes[at - 1]))
  }
  if (!isObject(value)) return value ?? null
  // A row may make a name bold, or leave it plain.
  if (isNamedRow(value)) return shapeOf({ type: 'plain_text', text: '', emoji: false })
  if (value['type'] === 'date') {
    const { style } = value
    return { type: 'text', text: '', ...(style !== undefined && { style }) }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const words = (key === 'text' || key === 'value') && typeof inner === 'string' && value['type'] !== 'mrkdwn'
      return [key, words ? '' : shapeOf(inner)]
    }),
  )
}

/** Whether an independent parser of Slack's markup sees only a bold name and plain words, perhaps after a mark. */
function isNamedRow({ type, text, verbatim }: JsonObject): boolean {
  if (type !== 'mrkdwn' || typeof text !== 'string' || verbatim !== true || /[&<>`~]/.test(text)) return false
  const [name, ...rest] = parseMrkdwn(text.replace(/^(🟢|⚪|🟠|🔴|⚠️|💤|✅|❌|🚫) /u, ''))
  const isText = (one: Node): boolean => one.kind === 'text' && !/[*]/.test(one.text)
  return name?.kind === 'bold' && name.nodes.length === 1 && name.nodes.every(isText) && rest.every(isText)
}

function collect(value: Json | undefined, found: JsonObject[] = []): readonly JsonObject[] {
  if (Array.isArray(value)) for (const one of value) collect(one, found)
  if (isObject(value)) {
    found.push(value)
    for (const inner of Object.values(value)) collect(inner, found)
  }
  return found
}

/** The parts of a message that don't depend on its words. */
function frameOf(sent: Sent): { readonly shape: string; readonly tokens: string } {
  return { shape: JSON.stringify(shapeOf(sent.blocks)), tokens: JSON.stringify(tokensIn(sent)) }
}

/** Returns what is wrong with a message whose harmless version has this frame. */
function problemsOf(message: Message, harmless: ReturnType<typeof frameOf>): readonly string[] {
  const sent = asJson(message)
  const { text, blocks } = sent
  const frame = frameOf(sent)
  const problems: string[] = []
  if (frame.shape !== harmless.shape) problems.push('other shape')
  if (frame.tokens !== harmless.tokens) problems.push('other tokens')
  if (parseMrkdwn(text).some(({ kind }) => kind === 'unknown')) problems.push(`raw token in ${text}`)
  for (const one of collect(blocks)) {
    const words = typeof one['text'] === 'string' ? one['text'] : ''
    if (one['type'] === 'mrkdwn' && !isOurs(words) && !isNamedRow(one)) problems.push(`markup: ${words}`)
    if (one['type'] === 'plain_text' && (one['emoji'] !== false || !isEscaped(words)))
      problems.push(`not plain: ${words}`)
    if (/[\ue000\ue001]/.test(words)) problems.push(`raw instant in ${words}`)
    if (/[\p{Cc}\p{Cf}]/u.test(words.replaceAll('\n', ''))) problems.push(`hidden: ${JSON.stringify(words)}`)
  }
  if (!isEscaped(text) || /[\p{Cc}\p{Cf}]/u.test(text)) problems.push(`not escaped: ${text}`)
  return problems
}

/** Whether markup is ours: a person who asked or decided, or the time a question expires. */
function isOurs(markup: string): boolean {
  return (
    /^<@U0(ANA|BEN)>$/.test(markup) ||
    markup.startsWith(`<!date^${start / 1000 + 1_800}^{date_short_pretty} at {time}|`)
  )
}

function isEscaped(text: string): boolean {
  return !/[<>]|&(?!(?:amp|lt|gt);)/.test(text)
}

const parts = fc.constantFrom(
  ...'<!channel> <!here> <!everyone|x> <@U0ANA> <@U0BEN|ben> <#C0OPS|ops> <!subteam^S0OPS|@ops>'.split(' '),
  ...'<https://evil.example|Click> <mailto:a@b.c> <!date^1^{date}|x> https://evil.example @channel @ana'.split(' '),
  ...'&lt;!channel&gt; &amp;lt; & < > | ``` ` * _ ~ :skull: *bold* _it_ ~gone~ • # - { " é 모델 👩‍💻'.split(' '),
  ...'[a](https://evil.example) ![a](https://evil.example/a.png) \u202e \u200b \u2066 \u0000 \u001b[31m'.split(' '),
  ...'\u3164 \ud800 \u{e0041} \ufeff'.split(' '),
  '\ue000',
  '\ue001',
  '\ue0001800000000000\ue001',
  '\ue000-1\ue001',
  '\ue0009999999999999999\ue001',
  '\n',
  '\n> ',
  '\t',
)

/** Text that somebody may use as a name, a reason or an answer of the platform; never blank. */
const hostileText = fc
  .array(fc.oneof({ weight: 3, arbitrary: parts }, { weight: 1, arbitrary: anyText(8) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((all) => all.join(''))
  // Every door cleans text like this.
  .map((text) => outsideText(text.trim() === '' ? `<!channel>${text}` : text))

/** The number of texts that `everyRequest` uses before it repeats one. */
const many = 62
const rounds = tries(1_650, 40)

const harmless = everyRequest(Array.from({ length: many }, (_, at) => `word${at}`))
  .flatMap(allMessages)
  .map(asJson)
const frames = harmless.map(frameOf)

describe('Nothing from outside becomes a mention, a link or a format', () => {
  test(`in ${(many * rounds).toLocaleString('en')} texts, wherever they are shown`, () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: many, maxLength: many }), (texts) => {
        const messages = everyRequest(texts).flatMap(allMessages)
        expect(messages).toHaveLength(frames.length)
        expect(messages.flatMap((message, at) => problemsOf(message, frames[at]!))).toEqual([])
      }),
      { numRuns: rounds, endOnFailure: true },
    )
  })

  test('and harmless texts contain only our own people, groups and links', () => {
    const found = new Set(harmless.flatMap((sent) => tokensIn(sent).map((token) => token.split(' ')[0])))
    expect(found).toEqual(new Set(['user', 'usergroup', 'link']))
  })
})
