import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Content, Message } from '../message.ts'
import { readToken, type Token } from './tokens.ts'

/** A token that Slack would read in a message, and its place: `text`, `blocks/0/text`, … */
export interface Mention {
  readonly kind: Token['kind'] | 'bare-link' | 'bare-name'
  /** As written in the text. */
  readonly raw: string
  readonly where: string
}

/**
 * Returns every mention, link, date and broadcast that Slack would read in a message. Written independently of the
 * renderer, so that a test can prove with it that outside text never becomes one.
 */
export function mentionsIn(
  message: Content & Partial<Pick<Message, 'linksNames' | 'linksAddresses'>>,
): readonly Mention[] {
  const found: Mention[] = []
  const { linksNames: names = false, linksAddresses: bare = true } = message
  readText(message.text, 'text', { names, bare }, found)
  readAny(message.blocks, 'blocks', found)
  return found
}

function readAny(value: Json | undefined, where: string, found: Mention[]): void {
  if (isObject(value)) readObject(value, where, found)
  if (!Array.isArray(value)) return
  for (const [at, one] of value.entries()) readAny(one, `${where}/${at}`, found)
}

function readObject(value: JsonObject, where: string, found: Mention[]): void {
  const { type, text } = value
  const isText = typeof text === 'string'
  if (type === 'mrkdwn' && isText) readText(text, where, { names: false, bare: value['verbatim'] !== true }, found)
  else readElement(value, where, found)
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) readAny(inner, `${where}/${key}`, found)
  }
}

/** In rich text, the type of an element says what it is. */
function readElement(value: JsonObject, where: string, found: Mention[]): void {
  const kinds = ['user', 'usergroup', 'channel', 'broadcast', 'link', 'date'] as const
  const kind = kinds.find((one) => one === value['type'])
  if (kind) found.push({ kind, raw: JSON.stringify(value), where })
}

function readText(text: string, where: string, reads: { names: boolean; bare: boolean }, found: Mention[]): void {
  const outside = text.replace(/<([^>]*)>/g, (raw, inner: string) => {
    found.push({ kind: readToken(inner).kind, raw, where })
    return ' '
  })
  if (reads.bare) {
    for (const [raw] of outside.matchAll(/\b(?:https?:\/\/|mailto:)[^\s<>|]+/gi))
      found.push({ kind: 'bare-link', raw, where })
  }
  if (reads.names) {
    for (const [raw] of outside.matchAll(/(?<![\w@#])[@#][\w.-]+/g)) found.push({ kind: 'bare-name', raw, where })
  }
}
