import { maskOf } from '../../core/text/redact.ts'

/** The longest sentence of the platform that is shown, in characters. */
const maxLength = 300

// Control and format characters, separators of lines and paragraphs, halves of a character; colours of terminals.
const unprintable = /(?:\p{Cc}\[[\d;]*[A-Za-z]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s])+/gu

const hide = maskOf()

/** One line of printable text with tokens masked, cut to about 300 characters; '' if nothing printable is left. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 8 * maxLength)
    .replace(unprintable, ' ')
    .trim()
  const characters = Array.from(hide(line))
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('').trimEnd()}…` : line
}

/** The readable text of a body of any shape, in one line; '' if there is none. */
export function platformWords(body: unknown): string {
  return oneLine(words(body, 0))
}

// Known shapes: a `detail` text or list, a `message` with or without `detail`, a problem object (RFC 9457), plain text.
// A page of HTML comes from a gateway, not from the platform.
function words(body: unknown, depth: number): string {
  if (typeof body === 'string') return isMarkup.test(body.slice(0, 4096)) ? '' : body
  if (typeof body !== 'object' || body === null || depth > 3) return ''
  if (Array.isArray(body)) return notBlank(body.slice(0, 10).map((item: unknown) => words(item, depth + 1))).join('; ')
  const { title, message, msg, error, detail, loc } = body as Record<string, unknown>
  const parts = notBlank([title, message, msg, error, detail].map((part) => words(part, depth + 1)))
  return notBlank([place(loc), [...new Set(parts)].join(': ')]).join(': ')
}

// Text that begins with a tag, or has a tag that only pages have.
const isMarkup = /^\s*<(?:!doctype\b|!--|\?xml\b|[a-z][a-z0-9]*[\s/>])|<\/?(?:html|head|body|title|h[1-6]|center)\b/i

function notBlank(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() !== '')
}

// FastAPI writes the place of a mistake as a path: ["body", "container_port"].
function place(loc: unknown): string {
  if (!Array.isArray(loc)) return ''
  const steps = loc.slice(0, 6).filter((step) => typeof step === 'string' || typeof step === 'number')
  return (steps.length > 1 ? steps.slice(1) : steps).join('.')
}

/** A body with the marks of our own times (`core/time/format.ts`) written out, plain ones and those escaped in JSON. */
export function withoutForgedTimes(body: string): string {
  return body.replace(
    /(?<!\\)((?:\\\\)*)\\u(e00[01])|[\ue000\ue001]/gi,
    (mark, before = '', code?: string) => `${before}\\\\u{${(code ?? mark.charCodeAt(0).toString(16)).toLowerCase()}}`,
  )
}

/** Removes a secret in every spelling of JSON. Below 8 characters it is a placeholder, and may be a word. */
export function masker(secret: string): (text: string) => string {
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw new Error('PLATFORM_API_KEY must be one word of visible ASCII characters: copy it again from the console.')
  }
  if (secret.length < 8) return (text) => text
  const quoted = JSON.stringify(secret).slice(1, -1)
  const spellings = [secret, quoted, secret.replaceAll('/', '\\/'), quoted.replaceAll('/', '\\/')]
  return (text) => spellings.reduce((masked, spelling) => masked.replaceAll(spelling, '[API key]'), text)
}
