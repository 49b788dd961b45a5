import { readToken, type Token, unescapeEntities } from './tokens.ts'

/** Parsed mrkdwn, as a page or a transcript renders it. Its text is what people see, with entities decoded. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike' | 'quote'; readonly nodes: readonly Node[] }
  | { readonly kind: 'code' | 'pre'; readonly nodes: readonly Node[] }
  | { readonly kind: 'emoji'; readonly name: string }
  | Token

/** Parses mrkdwn: fences first, because nothing inside them is styled; then quoted lines; then the rest. */
export function parseMrkdwn(text: string): readonly Node[] {
  const nodes: Node[] = []
  text.split(/```\n?([\s\S]*?)```/).forEach((part, at) => {
    if (at % 2 === 1) nodes.push({ kind: 'pre', nodes: parseTokens(part.replace(/\n$/, '')) })
    else if (part !== '') nodes.push(...withQuotes(part))
  })
  return nodes
}

function withQuotes(text: string): Node[] {
  const nodes: Node[] = []
  let quoted: string[] = []
  let plain: string[] = []
  function flush(): void {
    if (plain.length > 0) nodes.push(...inline(plain.join('\n')))
    if (quoted.length > 0) nodes.push({ kind: 'quote', nodes: inline(quoted.join('\n')) })
    plain = []
    quoted = []
  }
  for (const line of text.split('\n')) {
    const quote = /^(?:&gt;|>) ?(.*)$/.exec(line)
    if (quote ? plain.length > 0 : quoted.length > 0) flush()
    if (quote) quoted.push(quote[1] ?? '')
    else plain.push(line)
  }
  flush()
  return nodes
}

const mark = /<([^<>\n]+)>|`([^`\n]+)`|\*([^*\n]+)\*|_([^_\n]+)_|~([^~\n]+)~|:([a-z0-9_+'-]+):/g

/** Parses the styles, tokens and emoji in one stretch of text. */
function inline(text: string): Node[] {
  const nodes: Node[] = []
  let from = 0
  for (;;) {
    mark.lastIndex = from
    const found = nextMark(text)
    if (!found) break
    pushText(nodes, text.slice(from, found.index))
    nodes.push(nodeOf(found))
    from = found.index + found[0].length
  }
  pushText(nodes, text.slice(from))
  return nodes
}

/** Finds the next mark that counts: `*`, `_` and `~` style only at the edges of words. */
function nextMark(text: string): RegExpExecArray | undefined {
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const styled = found[3] ?? found[4] ?? found[5]
    if (styled === undefined) return found
    const before = text[found.index - 1] ?? ' '
    const after = text[found.index + found[0].length] ?? ' '
    if (!/\w/.test(before) && !/\w/.test(after) && styled.trim() === styled) return found
    mark.lastIndex = found.index + 1
  }
  return undefined
}

function nodeOf(found: RegExpExecArray): Node {
  const [, token, code, bold, italic, strike, emoji] = found
  if (token !== undefined) return readToken(token)
  if (code !== undefined) return { kind: 'code', nodes: parseTokens(code) }
  if (bold !== undefined) return { kind: 'bold', nodes: inline(bold) }
  if (italic !== undefined) return { kind: 'italic', nodes: inline(italic) }
  if (strike !== undefined) return { kind: 'strike', nodes: inline(strike) }
  return { kind: 'emoji', name: emoji ?? '' }
}

/** Parses only mentions, links and dates: what Slack reads in code and in unstyled text. */
export function parseTokens(text: string): Node[] {
  const nodes: Node[] = []
  text.split(/<([^<>\n]+)>/).forEach((part, at) => {
    if (at % 2 === 1) nodes.push(readToken(part))
    else pushText(nodes, part)
  })
  return nodes
}

function pushText(nodes: Node[], text: string): void {
  if (text !== '') nodes.push({ kind: 'text', text: unescapeEntities(text) })
}
