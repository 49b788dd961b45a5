import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { say } from '../../../core/model/words.ts'
import type { AuditLink, Head } from '../../../core/ports/audit.ts'
import { Tampered } from '../../../core/ports/services.ts'
import { unlessItFails } from '../../../core/text/unless-it-fails.ts'
import usualText from './usual-text.json' with { type: 'json' }

/** The kind of a text ('request', …), its owner, a request's version. With another label, it is not believed. */
export type Label = readonly [kind: string, ...(string | number)[]]

/** The configured key, and earlier ones. */
export interface Keyed {
  readonly key?: { readonly current: Revealed; readonly earlier: readonly Revealed[] } | undefined
}

interface Revealed {
  reveal(): Uint8Array
}

/** HMAC-SHA-256 in base64url. */
export const macLength = 43

export type Signer = ReturnType<typeof signerFor>

/**
 * Puts a MAC before every stored text, so that access to Redis is not enough to forge one; the root and the audit
 * reveal a replayed one. `scope`: a project's hash tag, for projects with the same key. Earlier keys are believed too,
 * and must stay as long as entries of the audit do (400 days). Without any key it keeps out only mistakes, not people.
 */
export function signerFor({ key }: Keyed, scope: string) {
  const signing = keysFor('lamplighter mac')
  const linking = keysFor('lamplighter audit')

  function keysFor(use: string) {
    // Signs faster than a buffer.
    const keyOf = (master: Uint8Array) => createSecretKey(derived(master, use))
    const newest = keyOf(key?.current.reveal() ?? new Uint8Array())
    return { newest, all: [newest, ...(key?.earlier ?? []).map((one) => keyOf(one.reveal()))] }
  }

  function isSigned(keys: readonly KeyObject[], label: Label, stored: string): boolean {
    const [mac, text] = [stored.slice(0, macLength), stored.slice(macLength)]
    return keys.some((one) => isSame(mac, macOf(one, [scope, ...label], text)))
  }

  return {
    sign: (label: Label, text: string): string => macOf(signing.newest, [scope, ...label], text) + text,
    /** Returns the text without its MAC. Throws Tampered. `of`: whether the text is the project's. */
    read(label: Label, stored: string, of?: Tampered['of']): string {
      if (isSigned(signing.all, label, stored)) return stored.slice(macLength)
      throw new Tampered(say('lockdown.changed', { what: label.slice(0, 2).join(' ').trim() }), of)
    },
    isOurs: (label: Label, stored: string): boolean => isSigned(signing.all, label, stored),
    /** Whether an earlier key signed it, so that it would not be believed without that key. */
    isOld: (label: Label, stored: string): boolean =>
      signing.all.length > 1 && !isSigned([signing.newest], label, stored),
    /** Links a text to the head before it: its MAC covers that head's MAC. */
    link({ seq, mac }: Head, text: string): AuditLink {
      return { seq: seq + 1, mac: macOf(linking.newest, [scope, mac, seq + 1], text), text }
    },
    follows: ({ seq, mac, text }: AuditLink, before: Head): boolean =>
      seq === before.seq + 1 && linking.all.some((one) => isSame(mac, macOf(one, [scope, before.mac, seq], text))),
  }
}

/** Checks that there is a key and that texts without one are not believed, and counts earlier keys. */
export function signingCheck({ key }: Keyed): Check {
  const { earlier } = key ?? { earlier: [] }
  const isOpen = earlier.some((one) => one.reveal().length === 0)
  const fault = key === undefined ? say('secrets.noKey') : isOpen ? say('secrets.open') : null
  const more = earlier.length === 0 ? '' : say('secrets.earlier', { count: earlier.length })
  return checkOf(say('check.secrets'), fault, [say('secrets.key'), more])
}

export function derived(master: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', use, 32))
}

/** A label is one line of JSON, so label and text can be split in only one way. */
function macOf(key: KeyObject, label: readonly (string | number)[], text: string): string {
  return createHmac('sha256', key)
    .update(`${JSON.stringify(label)}\n${text}`)
    .digest('base64url')
}

/** For all comparisons, because two new buffers for each would be a tenth of the time of a check. */
const [one, other] = [Buffer.alloc(macLength), Buffer.alloc(macLength)]

/** `computed` is as long as a MAC is, so nothing of an earlier comparison is left in the buffers. */
function isSame(mac: string, computed: string): boolean {
  return mac.length === macLength && one.write(mac) === other.write(computed) && timingSafeEqual(one, other)
}

/** The usual text of what is packed, commonest parts last. After a change of one letter, nothing packed can be read. */
const usual = Buffer.from(usualText.join(''))

/** An older process reads this as a format that it does not know. */
const packedIn = /^\{"format":"~([\w-]+)"\}$/

/** Buffers for texts of the usual size; by default zlib would clear a quarter of a megabyte each time. */
const room = { dictionary: usual, windowBits: 14, memLevel: 5, chunkSize: 1_024 }
/** More bytes than any text has, because a forged one must not fill the memory. */
const longest = 32 * 1024 * 1024

/** Packs a text to a third of its length. */
export function deflated(text: string): string {
  return `{"format":"~${deflateRawSync(text, room).toString('base64url')}"}`
}

/** Unpacks a text. One that was not packed, or cannot be unpacked, stays as it is. */
export function inflated(stored: string): string {
  const [, packed] = packedIn.exec(stored) ?? []
  if (packed === undefined) return stored
  const limits = { dictionary: usual, maxOutputLength: longest }
  return unlessItFails(() => inflateRawSync(Buffer.from(packed, 'base64url'), limits).toString(), stored)
}
