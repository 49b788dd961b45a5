/** A text with `[masked]` in place of what is secret. */
export type Mask = (text: string) => string

/** What is known to be secret, besides what looks it. */
export interface Secrets {
  /** As they are; those under six letters are left alone, since masking them would tear up ordinary words. */
  readonly values?: readonly string[]
  readonly known?: Known
}

/** Tells a value nobody keeps, such as by its digest. Asked of texts of eight characters and more, since it is costly. */
export interface Known {
  (text: string): boolean
  /** Lengths of those values; any length where nothing is said. */
  readonly lengths?: ReadonlySet<number>
}

/**
 * Shapes that are secret whoever made them. What stands before the secret part is kept, so that a reader sees what was
 * there. Every repetition in a look-behind is bounded, or a long line of blanks would take quadratic time.
 */
const shapes = [
  // Slack, and what model servers hand out.
  String.raw`(?<=(?<![\w-])(?:xox[a-z](?:\.xox[a-z])?|xapp|sk)-)[\w.-]{8,}`,
  // GitHub, GitLab, Hugging Face, NVIDIA, npm, PyPI.
  '(?<=(?<![A-Za-z0-9])(?:gh[pousr]_|hf_|npm_))[A-Za-z0-9]{16,}',
  String.raw`(?<=(?<![A-Za-z0-9])(?:github_pat_|glpat-|nvapi-|pypi-))[\w-]{16,}`,
  // Key ids and keys of clouds.
  String.raw`(?<=\b(?:AKIA|ASIA))[A-Z0-9]{16}\b`,
  String.raw`(?<=\bAIza)[\w-]{30,}`,
  // A signed token in three parts.
  String.raw`(?<=\beyJ)[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000}`,
  String.raw`(?<=\bBearer\s{1,8})[\w.~+/=-]+`,
  String.raw`(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?basic\s{1,8})[\w+/=]+`,
  // A password in an address, and one named as such.
  String.raw`(?<=:\/\/[^\s:@/]{0,64}:)[^\s@/]{3,200}(?=@)`,
  String.raw`(?<=(?:password|passwd|secret|token|(?:api|access|private|secret)[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?)(?!\s)[^\s"',;&\\[\]{}]{8,}`,
  '(?<=-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[^-]+',
  // Slack's response addresses and socket tickets.
  String.raw`(?<=\bhooks\.slack\.com/)[\w/.-]+`,
  String.raw`(?<=[?&]ticket=)[\w%-]+`,
]

/** Puts `[masked]` in place of given values, as they are and as JSON writes them, of known ones, and of token shapes. */
export function maskOf({ values = [], known }: Secrets = {}): Mask {
  const written = values
    .filter((value) => value.length >= 6)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
  const longestFirst = [...new Set(written)].sort((a, b) => b.length - a.length).map(literally)
  const secrets = new RegExp([...longestFirst, ...shapes].join('|'), 'gi')
  const hide: Mask = (text) => text.replace(secrets, '[masked]')
  return known === undefined ? hide : (text) => hide(withoutKnown(text, known))
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** How many texts may be asked about for each 1,000 characters of a line. What is beyond that is hidden unasked. */
const mostAsked = 64

/** One line's questions: `yes`, `no`, or `unasked` when there were too many before. */
type Ask = (text: string) => 'yes' | 'no' | 'unasked'

function asking(known: Known, length: number): { readonly ask: Ask; readonly fits: (length: number) => boolean } {
  let left = mostAsked * Math.ceil(length / 1_000)
  const fits = (size: number) => size >= 8 && known.lengths?.has(size) !== false
  function ask(text: string): ReturnType<Ask> {
    if (!fits(text.length)) return 'no'
    if (left === 0) return 'unasked'
    left -= 1
    return known(text) ? 'yes' : 'no'
  }
  return { ask, fits }
}

/** A line with every known value in it taken out, also as JSON, an address or base64 writes it. */
function withoutKnown(line: string, known: Known): string {
  const { ask, fits } = asking(known, line.length)
  const strings = quoted(line).filter((one) => /[\\\s]/.test(one) && ask(asRead(one)) === 'yes')
  return strings.reduce(without, line).replace(/\S{8,}/g, (word) => hidden(word, ask, fits))
}

function without(text: string, part: string): string {
  return text.replaceAll(part, '[masked]')
}

/** What stands between two quotation marks, each of which may be the first or the last of a string. */
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

/** What a JSON string means; as it stands where it is none. */
function asRead(inner: string): string {
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}

/** A word with every known value in it taken out, whatever stands around it without a blank: marks, a `name=`, JSON. */
function hidden(word: string, ask: Ask, fits: (length: number) => boolean): string {
  const chunks = [word, ...word.split(/["'`\\]/), ...word.split(/["'`\\=,;&()<>[\]{}]/)]
  const plain = new Set([...chunks.flatMap((chunk) => peeled(chunk, fits)), ...word.split(/[^\w-]/)])
  const written = [...plain].map((part): readonly [string, string] => [part, part])
  const asked = [...written, ...inAddresses(word), ...inBase64(word)].map(([part, means]) => ({
    part,
    told: ask(means),
  }))
  if (asked.some(({ told }) => told === 'unasked')) return '[masked]'
  return asked
    .flatMap(({ part, told }) => (told === 'yes' ? [part] : []))
    .toSorted((a, b) => b.length - a.length)
    .reduce(without, word)
}

/** How many marks are taken off either end. A value may hold some itself, and each pair of ends costs a digest. */
const deep = 4

/** A text, and what is left of it without its first and last marks and what stands outside them, where that fits. */
function peeled(text: string, fits: (length: number) => boolean): readonly string[] {
  const marks = [...text.matchAll(/[^\w-]/g)].map(({ index }) => index)
  const starts = [0, ...marks.slice(0, deep).map((mark) => mark + 1)]
  const ends = [text.length, ...marks.slice(-deep)]
  return starts.flatMap((start) => ends.filter((end) => fits(end - start)).map((end) => text.slice(start, end)))
}

/** Parts that are percent-encoded, and what they mean. */
function inAddresses(word: string): readonly (readonly [string, string])[] {
  const parts = word.match(/(?:[\w.~!*'()+-]|%[0-9a-f]{2})+/gi) ?? []
  return parts
    .filter((part) => /[%+]/.test(part))
    .flatMap((part) =>
      [part, part.replaceAll('+', '%20')].flatMap((one) => decoded(part, () => decodeURIComponent(one))),
    )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parts that may be base64, also as addresses have it, and what they mean. */
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
  try {
    return [[part, decode()]]
  } catch {
    return []
  }
}
