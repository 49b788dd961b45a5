import type { LogLine } from '../../core/model/answer.ts'
import { visible } from '../../core/time/format.ts'

/** Characters; longer lines are cut. */
const longest = 4_000

/** The lines in one line of a log file, newest first. The platform wraps some as `{source, log, timestamp}`. */
export function* linesIn(raw: string): Generator<LogLine> {
  const { log, timestamp } = objectIn(raw)
  const isWrapped = typeof log === 'string'
  const text = (isWrapped ? log : raw).replace(/\n+$/, '')
  const at = isWrapped && typeof timestamp === 'string' ? { at: timestamp.slice(0, 40) } : {}
  for (let end = text.length; end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    yield { ...at, text: text.slice(start, Math.min(end, start + longest)) }
    end = start - 1
  }
}

/** Characters; a longer text is not parsed, since that would take too long. */
const longestRecord = 2_000_000

function objectIn(raw: string): { readonly log?: unknown; readonly timestamp?: unknown } {
  if (raw.length > longestRecord) return {}
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const [esc, bell] = ['\u001b', '\u0007']
/** Escape sequences of terminals: a control sequence, a title, or a two-letter escape. */
const terminal = new RegExp(
  String.raw`${esc}(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^${bell}${esc}]{0,400}(?:${bell}|${esc}\\)|[ -/]?[0-Z\\^-~])`,
  'g',
)

/** The text that a terminal would show: without colours, and the last state of a line that overwrites itself. */
export function terminalText(output: string): string {
  const last = output
    .replace(terminal, '')
    .split('\r')
    .findLast((part) => part !== '')
  return visible(last ?? '').trimEnd()
}
