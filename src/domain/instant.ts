const [open, close] = ['\u{e000}', '\u{e001}']

/** The last instant that is shown as one, ms: Slack's dates have at most eleven digits of seconds. */
export const latestInstant = 99_999_999_999_000

/** An instant (ms since 1970) inside a sentence: whoever shows the sentence writes it in the reader's own time zone. */
export function instant(ms: number): string {
  return `${open}${ms}${close}`
}

/** A sentence cut where instants stand: texts and ms, in their order. What no clock will ever show stays a number. */
export function cutAtInstants(text: string): readonly (string | number)[] {
  const parts = text.split(/\u{e000}(-?\d{1,16})\u{e001}/u)
  return parts
    .map((part, at) => (at % 2 === 1 && 0 <= Number(part) && Number(part) <= latestInstant ? Number(part) : part))
    .filter((part) => part !== '')
}

/** The sentence for where nobody's time zone is known: instants in ISO 8601, UTC. */
export function withInstants(text: string): string {
  return cutAtInstants(text)
    .map((part) => (typeof part === 'number' ? `${new Date(part).toISOString().slice(0, 16)}Z` : part))
    .join('')
}
