/** Invisible characters but the one that colours an emoji, and the marks of our instants (`core/time/format.ts`). */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ue000\ue001]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu

const [esc, bell] = ['\u001b', '\u0007']
/** Escape sequences of terminals: a control sequence, a title, or a two-letter escape. */
const terminal = new RegExp(
  String.raw`${esc}(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^${bell}${esc}]{0,400}(?:${bell}|${esc}\\)|[ -/]?[0-Z\\^-~])`,
  'g',
)

/** Writes invisible characters as \u{…}, since they can make one name look like another, and line breaks as blanks. */
export function visible(text: string): string {
  return text
    .replace(/[\n\r\t]/g, ' ')
    .normalize('NFC')
    .replace(invisible, escapedMark)
}

/** A text from outside, with the marks of our own times written out. */
export function outsideText(text: string): string {
  return text.replace(/[\ue000\ue001]/g, escapedMark)
}

function escapedMark(mark: string): string {
  return `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`
}

/** The text that a terminal would show: without colours, and the last state of a line that overwrites itself. */
export function terminalText(output: string): string {
  const last = output
    .replace(terminal, '')
    .split('\r')
    .findLast((part) => part !== '')
  return visible(last ?? '').trimEnd()
}
