import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Tampered } from '../../../core/ports/services.ts'

/**
 * What a text is ('request', 'record', …), then whose it is; for a request its version too. A text that was signed as
 * something else, or for something else, is not believed.
 */
type Label = readonly [kind: string, ...(string | number)[]]

/**
 * Every text that is stored and later believed stands behind its MAC, so that writing to Redis is not enough to make
 * it say something. A replayed old text also has a valid signature: the root and the audit tell.
 */
export interface Signer {
  /** The text as it is stored. */
  sign(label: Label, text: string): string
  /** The text as it was before. Throws Tampered. */
  read(label: Label, stored: string): string
  /** Whether the key before the newest has signed it: it would not be believed once that key is gone. */
  isOld(label: Label, stored: string): boolean
  /** The MAC of an entry of the audit, over the one before it. */
  link(before: string, seq: number, text: string): string
  isLink(mac: string, before: string, seq: number, text: string): boolean
}

/** A configuration's key, and the ones before it. */
export interface Keyed {
  readonly key?: { readonly current: Revealed; readonly earlier: readonly Revealed[] } | undefined
}

interface Revealed {
  reveal(): Uint8Array
}

/** HMAC-SHA-256 in base64url. */
export const macLength = 43

/**
 * `scope` keeps apart what shares a key: the hash tag of a project. Signs with the newest key and believes the
 * earlier ones as well, which have to stay as long as entries of the audit do (400 days). Without any key everything
 * works the same, and only keeps mistakes out, not people.
 */
export function signerFor({ key }: Keyed, scope: string): Signer {
  const masters = key === undefined ? [new Uint8Array()] : [key.current, ...key.earlier].map((one) => one.reveal())
  const signing = masters.map((master) => derived(master, 'lamplighter mac'))
  const linking = masters.map((master) => derived(master, 'lamplighter audit'))

  return {
    sign: (label, text) => macOf(newest(signing), [scope, ...label], text) + text,
    read(label, stored) {
      const [mac, text] = [stored.slice(0, macLength), stored.slice(macLength)]
      if (signing.some((one) => isSame(mac, macOf(one, [scope, ...label], text)))) return text
      throw new Tampered(`The ${label.slice(0, 2).join(' ').trim()} in Redis is not what was stored there.`)
    },
    isOld: (label, stored) =>
      signing.length > 1 &&
      !isSame(stored.slice(0, macLength), macOf(newest(signing), [scope, ...label], stored.slice(macLength))),
    link: (before, seq, text) => macOf(newest(linking), [scope, before, seq], text),
    isLink: (mac, before, seq, text) => linking.some((one) => isSame(mac, macOf(one, [scope, before, seq], text))),
  }
}

export function derived(master: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', use, 32))
}

function newest(keys: readonly Buffer[]): Buffer {
  const [key] = keys
  if (key === undefined) throw new Error('There is no key to sign with.')
  return key
}

/** A label is one line of JSON, so no label and text can be cut in two ways. */
function macOf(key: Buffer, label: readonly (string | number)[], text: string): string {
  return createHmac('sha256', key)
    .update(`${JSON.stringify(label)}\n${text}`)
    .digest('base64url')
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
