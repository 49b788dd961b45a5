import { outsideText } from '../../../core/text/unicode.ts'

/** Whether a channel is a direct message: their ids begin with D. */
export function isDirect(channel: string): boolean {
  return channel.startsWith('D')
}

/** Escapes what Slack reads as control characters of its markup; nothing else, or names would look wrong. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (mark) => (mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : '&gt;'))
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * At most `most` UTF-16 units, cut between what people see as characters, with an ellipsis where something is gone.
 * What has to be `written` in another way is measured as it is written, so that no entity is cut in two.
 */
export function truncate(text: string, most: number, written: (text: string) => string = String): string {
  const whole = written(text)
  if (whole.length <= most) return whole
  let kept = ''
  // Where a character ends is decided by the one after it, so one unit more is looked at and never a whole long text.
  const head = text.slice(0, most + 1)
  // Among printable ASCII each unit is a character, which need not be found out slowly.
  const characters = /^[ -~]*$/.test(head) ? head : Array.from(graphemes.segment(head), ({ segment }) => segment)
  for (const character of characters) {
    const more = written(character)
    if (kept.length + more.length > most - 1) break
    kept += more
  }
  return `${kept}…`
}

/**
 * What a person typed, out of what Slack made of it (`should_escape`): `<@U1|ana>` is @U1, `<#C1|ops>` is #C1,
 * a link is what was typed, entities are their characters. One pass, so nothing is undone twice.
 */
export function typedText(text: string): string {
  return outsideText(text).replace(
    /<([^<>|]*)(?:\|([^<>]*))?>|&(amp|lt|gt);/g,
    (whole, inner?: string, label?: string, entity?: string) => {
      if (entity !== undefined) return entity === 'amp' ? '&' : entity === 'lt' ? '<' : '>'
      if (inner === undefined) return whole
      if (/^[@#!]/.test(inner)) return inner
      return typedText(label === undefined || label === '' ? inner : label)
    },
  )
}
