/** The content of `<…>` in Slack's text: a mention, a link, a date. */
export type Token =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'channel'; readonly id: string; readonly label: string | undefined }
  | { readonly kind: 'usergroup'; readonly id: string; readonly label: string | undefined }
  | { readonly kind: 'broadcast'; readonly range: 'here' | 'channel' | 'everyone' }
  | {
      readonly kind: 'date'
      /** Seconds since 1970. */
      readonly unix: number
      readonly format: string
      readonly url: string | undefined
      readonly fallback: string
    }
  | { readonly kind: 'link'; readonly url: string; readonly label: string | undefined }
  /** Something without meaning to Slack: outside text that was not escaped. */
  | { readonly kind: 'unknown'; readonly inner: string }

/** Parses the inside of `<…>`. */
export function readToken(inner: string): Token {
  const [head = '', ...rest] = inner.split('|')
  const label = rest.length > 0 ? rest.join('|') : undefined
  if (/^@[UW][A-Z0-9]+$/.test(head)) return { kind: 'user', id: head.slice(1) }
  if (/^#[CG][A-Z0-9]+$/.test(head)) return { kind: 'channel', id: head.slice(1), label }
  if (head.startsWith('!')) return readSpecial(head.slice(1), label, inner)
  if (/^(https?:\/\/|mailto:|tel:)/i.test(head)) return { kind: 'link', url: head, label }
  return { kind: 'unknown', inner }
}

function readSpecial(head: string, label: string | undefined, inner: string): Token {
  if (head === 'here' || head === 'channel' || head === 'everyone') return { kind: 'broadcast', range: head }
  const group = /^subteam\^(S[A-Z0-9]+)/.exec(head)
  if (group?.[1]) return { kind: 'usergroup', id: group[1], label }
  const date = /^date\^(-?\d+)\^([^^]+)(?:\^(.+))?$/.exec(head)
  if (date?.[1] && date[2])
    return { kind: 'date', unix: Number(date[1]), format: date[2], url: date[3], fallback: label ?? '' }
  return { kind: 'unknown', inner }
}

/** Decodes the three entities that Slack knows. */
export function unescapeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Escapes the three characters that would otherwise begin a token or an entity. */
export function escapeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
