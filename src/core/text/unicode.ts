/**
 * Everything that leaves no mark of its own, but the one that only asks for an emoji's colours; and the two marks
 * between which our own sentences carry times (`instant.ts`).
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ue000\ue001]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu

const [esc, bell] = ['\u001b', '\u0007']
/** What terminals read as colours and movements: a control sequence, a title, or a two-letter escape. */
const terminal = new RegExp(
  String.raw`${esc}(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^${bell}${esc}]{0,400}(?:${bell}|${esc}\\)|[ -/]?[0-Z\\^-~])`,
  'g',
)

/**
 * Shows what cannot be seen: control, direction and zero-width characters can make one name look like another, so
 * they are written as \u{…}. Line breaks and tabs become blanks.
 */
export function visible(text: string): string {
  return text
    .replace(/[\n\r\t]/g, ' ')
    .normalize('NFC')
    .replace(unseen, written)
}

/** A text from outside in which nothing can be taken for a time of ours: the marks of those are written out. */
export function foreign(text: string): string {
  return text.replace(/[\ue000\ue001]/g, written)
}

function written(mark: string): string {
  return `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`
}

/**
 * What a program wrote to a terminal, as a person would have read it there: without colours, and of a line that was
 * written over itself (a progress bar) what stood there last.
 */
export function legible(written: string): string {
  const last = written
    .replace(terminal, '')
    .split('\r')
    .findLast((part) => part !== '')
  return visible(last ?? '').trimEnd()
}
