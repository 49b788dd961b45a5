import { unlessItFails } from './unless-it-fails.ts'

/** Replaces secrets in a text by `[masked]`. */
type Mask = (text: string) => string

/** Secrets besides the known token shapes. */
interface Secrets {
  /** Values under six letters are not masked, because masking them would damage ordinary words. */
  readonly values?: readonly string[]
  readonly known?: IsKnownSecret
}

/** Recognizes a secret by its digest, because it is not stored. Slow, so called only for eight characters or more. */
export interface IsKnownSecret {
  (text: string): boolean
  /** Lengths of the known secrets; any length if omitted. */
  readonly lengths?: ReadonlySet<number>
}

/** Token shapes. A text that matches a shape also matches its `words`. Bounded look-behinds keep the time linear. */
const shapes: readonly (readonly [words: string, shape: string])[] = [
  // Slack, and model servers.
  ['xox|xapp|sk-', String.raw`(?<=(?<![\w-])(?:xox[a-z](?:\.xox[a-z])?|xapp|sk)-)[\w.-]{8,}`],
  // Our own tokens for programs.
  ['lamp_', String.raw`(?<=(?<![\w-])lamp_)[\w-]{22,}`],
  // GitHub, GitLab, Hugging Face, NVIDIA, npm, PyPI.
  ['gh[pousr]_|hf_|npm_', '(?<=(?<![A-Za-z0-9])(?:gh[pousr]_|hf_|npm_))[A-Za-z0-9]{16,}'],
  ['github_pat_|glpat-|nvapi-|pypi-', String.raw`(?<=(?<![A-Za-z0-9])(?:github_pat_|glpat-|nvapi-|pypi-))[\w-]{16,}`],
  // Key ids and keys of clouds.
  ['AKIA|ASIA', String.raw`(?<=\b(?:AKIA|ASIA))[A-Z0-9]{16}\b`],
  ['AIza', String.raw`(?<=\bAIza)[\w-]{30,}`],
  // A signed token in three parts.
  ['eyJ', String.raw`(?<=\beyJ)[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000}`],
  ['Bearer', String.raw`(?<=\bBearer\s{1,8})[\w.~+/=-]+`],
  ['authorization', String.raw`(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?basic\s{1,8})[\w+/=]+`],
  // A password in a URL, and a secret after its name.
  ['://', String.raw`(?<=:\/\/[^\s:@/]{0,64}:)[^\s@/]{3,200}(?=@)`],
  [
    'passw|secret|token|key',
    String.raw`(?<=(?:password|passwd|secret|token|(?:api|access|private|secret)[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?)(?!\s)[^\s"',;&\\[\]{}]{8,}`,
  ],
  ['-----BEGIN', '(?<=-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[^-]+'],
  // Slack's response addresses and socket tickets.
  [String.raw`hooks\.slack`, String.raw`(?<=\bhooks\.slack\.com/)[\w/.-]+`],
  ['ticket=', String.raw`(?<=[?&]ticket=)[\w%-]+`],
]

/** Masks the given values, both plain and as JSON writes them, plus known secrets and token shapes. */
export function maskOf({ values = [], known }: Secrets = {}): Mask {
  const long = values.filter((value) => value.length >= 6)
  const longestFirst = [...new Set(long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
  const secrets = new RegExp([...longestFirst, ...shapes.map(([, shape]) => shape)].join('|'), 'gi')
  // Few texts contain any of these words, and searching for words takes an eighth of the time.
  const words = new RegExp([...longestFirst, ...shapes.map(([word]) => word)].join('|'), 'i')
  const hide: Mask = (text) => (words.test(text) ? text.replace(secrets, '[masked]') : text)
  return known === undefined ? hide : (text) => hide(withoutKnown(text, known))
}

/** Masks only what has the shape of a token. */
export const hide = maskOf()

/** The most checks per 1,000 characters of a line. Further words are masked unchecked. */
const maxChecks = 64

/** Masks every known secret in a line, also in JSON, percent encoding and base64. */
function withoutKnown(line: string, known: IsKnownSecret): string {
  let left = maxChecks * Math.ceil(line.length / 1_000)
  const strings = quoted(line).filter((one) => /[\\\s]/.test(one) && ask(unquoted(one)) === 'yes')
  return strings.reduce(without, line).replace(/\S{8,}/g, hidden)

  function fits(length: number): boolean {
    return length >= 8 && known.lengths?.has(length) !== false
  }

  function ask(text: string): 'yes' | 'no' | 'unasked' {
    if (!fits(text.length)) return 'no'
    if (left === 0) return 'unasked'
    left -= 1
    return known(text) ? 'yes' : 'no'
  }

  /** Masks every known secret in a word, also between punctuation marks, after `name=` and in JSON. */
  function hidden(word: string): string {
    const chunks = [word, ...word.split(/["'`\\]/), ...word.split(/["'`\\=,;&()<>[\]{}]/)]
    const plain = new Set([...chunks.flatMap((chunk) => peeled(chunk, fits)), ...word.split(/[^\w-]/)])
    const written = [...plain].map((part): readonly [string, string] => [part, part])
    const readings = [...written, ...inAddresses(word), ...inBase64(word)]
    const asked = readings.map(([part, means]) => ({ part, answer: ask(means) }))
    if (asked.some(({ answer }) => answer === 'unasked')) return '[masked]'
    return asked
      .flatMap(({ part, answer }) => (answer === 'yes' ? [part] : []))
      .toSorted((a, b) => b.length - a.length)
      .reduce(without, word)
  }
}

function without(text: string, part: string): string {
  return text.replaceAll(part, '[masked]')
}

/** Returns the texts between adjacent quotation marks, because any mark may start or end a string. */
function quoted(line: string): readonly string[] {
  const found: string[] = []
  for (let at = 0, start = -1; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === '"') {
      if (start >= 0 && at - start >= 8) found.push(line.slice(start, at))
      start = at + 1
    }
  }
  return found
}

function unquoted(inner: string): string {
  return unlessItFails(() => String(JSON.parse(`"${inner}"`)), inner)
}

/** How many marks are stripped from each end. Each pair of ends costs a digest. */
const maxMarks = 4

/** Returns a text, and its parts between its first and last marks, if their length fits. */
function peeled(text: string, fits: (length: number) => boolean): readonly string[] {
  const marks = [...text.matchAll(/[^\w-]/g)].map(({ index }) => index)
  const starts = [0, ...marks.slice(0, maxMarks).map((mark) => mark + 1)]
  const ends = [text.length, ...marks.slice(-maxMarks)]
  return starts.flatMap((start) => ends.filter((end) => fits(end - start)).map((end) => text.slice(start, end)))
}

function inAddresses(word: string): readonly (readonly [string, string])[] {
  const parts = word.match(/(?:[\w.~!*'()+-]|%[0-9a-f]{2})+/gi) ?? []
  return parts
    .filter((part) => /[%+]/.test(part))
    .flatMap((part) =>
      [part, part.replaceAll('+', '%20')].flatMap((one) => decoded(part, () => decodeURIComponent(one))),
    )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function inBase64(word: string): readonly (readonly [string, string])[] {
  const parts = word.match(/[\w+/-]{11,}={0,2}/g) ?? []
  return parts.flatMap((part) =>
    decoded(part, () => {
      const bytes = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
      return utf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    }),
  )
}

function decoded(part: string, decode: () => string): readonly (readonly [string, string])[] {
  return unlessItFails(() => [[part, decode()] as const], [])
}
