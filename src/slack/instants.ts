import { cutAtInstants, instant } from '../domain/instant.ts'
import { visible } from '../domain/visible.ts'
import { cut } from './text.ts'

/** Letters that a date takes up in a message, with its format and what is shown in its place. */
const size = 100

const utc = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A sentence cut where instants stand, in about `most` letters: what can be seen of its texts, and ms since 1970. */
export function partsOf(text: string, most: number): readonly (string | number)[] {
  let left = most
  const parts: (string | number)[] = []
  for (const part of seenParts(text)) {
    const length = typeof part === 'number' ? size : part.length
    if (length > left) {
      parts.push(typeof part === 'string' && left > 0 ? cut(part, left) : '…')
      break
    }
    parts.push(part)
    left -= length
  }
  return parts
}

/** The same sentence in about `most` letters, its instants whole. */
export function shortened(text: string, most: number): string {
  return partsOf(text, most)
    .map((part) => (typeof part === 'number' ? instant(part) : part))
    .join('')
}

/** Whether a sentence tells a time. */
export function hasInstant(text: string): boolean {
  return cutAtInstants(text).some((part) => typeof part === 'number')
}

/** The sentence for plain text, where nobody's time zone is known: "20 Nov 2026, 09:30 UTC". */
export function inUtc(text: string): string {
  return seenParts(text)
    .map((part) => (typeof part === 'number' ? written(part) : part))
    .join('')
}

/** An instant for people whose time zone is not known. */
export function written(ms: number): string {
  return `${utc.format(ms)} UTC`
}

/** Marks that frame no instant came from outside. */
function seenParts(text: string): readonly (string | number)[] {
  return cutAtInstants(text).map((part) => (typeof part === 'number' ? part : visible(part)))
}
