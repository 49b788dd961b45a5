import { maskOf } from '../../core/text/redact.ts'

/** Longest sentence taken over from the platform, in characters. */
const longest = 300

// Control and format characters, line and paragraph separators, halves of a character: nothing of these is a word.
// A terminal's colours go as a whole.
const unprintable = /(?:\p{Cc}\[[\d;]*[A-Za-z]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s])+/gu

const hide = maskOf()

/** One line of printable text without what looks like a token, cut to about 300 characters; empty when nothing printable is left. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 8 * longest)
    .replace(unprintable, ' ')
    .trim()
  const characters = Array.from(hide(line))
  return characters.length > longest ? `${characters.slice(0, longest).join('').trimEnd()}…` : line
}

/** What a body says, in its own words: whatever shape it has, one line, or empty when it says nothing readable. */
export function wordsOf(body: unknown): string {
  return oneLine(words(body, 0))
}

// The shapes that platforms are known to answer with: a `detail` text or list, a `message` with or without a `detail`, a
// problem object (RFC 9457), plain text. A page of HTML comes from a gateway before them: what it says is not theirs.
function words(body: unknown, depth: number): string {
  if (typeof body === 'string') return ofText(body)
  if (typeof body !== 'object' || body === null || depth > 3) return ''
  if (Array.isArray(body)) return some(body.slice(0, 10).map((item: unknown) => words(item, depth + 1))).join('; ')
  const { title, message, msg, error, detail, loc } = body as Record<string, unknown>
  const parts = some([title, message, msg, error, detail].map((part) => words(part, depth + 1)))
  return some([place(loc), [...new Set(parts)].join(': ')]).join(': ')
}

function ofText(text: string): string {
  return isMarkup.test(text.slice(0, 4096)) ? '' : text
}

// Text that begins with a tag, or has one of a whole page.
const isMarkup = /^\s*<(?:!doctype\b|!--|\?xml\b|[a-z][a-z0-9]*[\s/>])|<\/?(?:html|head|body|title|h[1-6]|center)\b/i

function some(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() !== '')
}

// FastAPI names the place of a fault from outside in: ["body", "container_port"].
function place(loc: unknown): string {
  if (!Array.isArray(loc)) return ''
  const steps = loc.slice(0, 6).filter((step) => typeof step === 'string' || typeof step === 'number')
  return (steps.length > 1 ? steps.slice(1) : steps).join('.')
}

/**
 * A body in which nothing can be taken for a time of ours (`core/time/format.ts`): the marks of those are written out, as
 * themselves or in the spelling JSON may give them.
 */
export function unforged(body: string): string {
  return body.replace(
    /(?<!\\)((?:\\\\)*)\\u(e00[01])|[\ue000\ue001]/gi,
    (mark, before = '', code?: string) => `${before}\\\\u{${(code ?? mark.charCodeAt(0).toString(16)).toLowerCase()}}`,
  )
}

/**
 * Takes a secret out of any text, in the spellings JSON may give it. A text shorter than 8 characters is no secret but
 * a placeholder, and would take ordinary words with it.
 */
export function masker(secret: string): (text: string) => string {
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw new Error('PLATFORM_API_KEY must be one word of visible ASCII characters: copy it again from the console.')
  }
  if (secret.length < 8) return (text) => text
  const quoted = JSON.stringify(secret).slice(1, -1)
  const spellings = [secret, quoted, secret.replaceAll('/', '\\/'), quoted.replaceAll('/', '\\/')]
  return (text) => spellings.reduce((masked, spelling) => masked.replaceAll(spelling, '[API key]'), text)
}
