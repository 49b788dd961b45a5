/** A text with `[masked]` in place of what is secret. */
export type Mask = (text: string) => string

/** What is known to be secret, besides what looks it. */
export interface Secrets {
  /** As they are; those under six letters are left alone, since masking them would tear up ordinary words. */
  readonly values?: readonly string[]
  /** Tells a value nobody keeps, such as by its digest. Asked of words of eight characters and more. */
  readonly known?: (word: string) => boolean
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
  return known === undefined ? hide : (text) => hide(text.replace(/\S{8,}/g, (word) => hidden(word, known)))
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** A word with every known value in it taken out, whatever stands around it without a blank: marks, a `name=`, JSON. */
function hidden(word: string, known: (word: string) => boolean): string {
  const chunks = [word, ...word.split(/["'`\\]/), ...word.split(/["'`\\=,;&()<>[\]{}]/)]
  const parts = new Set([...chunks.flatMap(peeled), ...word.split(/[^\w-]/)])
  return [...parts]
    .filter((part) => part.length >= 8 && known(part))
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, part) => text.replaceAll(part, '[masked]'), word)
}

/** How many marks are taken off either end. A value may hold some itself, and each pair of ends costs a digest. */
const deep = 4

/** A text, and what is left of it without its first and last marks and what stands outside them. */
function peeled(text: string): readonly string[] {
  const marks = [...text.matchAll(/[^\w-]/g)].map(({ index }) => index)
  const starts = [0, ...marks.slice(0, deep).map((mark) => mark + 1)]
  const ends = [text.length, ...marks.slice(-deep)]
  return starts.flatMap((start) => ends.map((end) => text.slice(start, Math.max(start, end))))
}
