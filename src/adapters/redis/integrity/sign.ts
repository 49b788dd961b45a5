import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { say } from '../../../core/model/words.ts'
import type { AuditLink, Head } from '../../../core/ports/audit.ts'
import { Tampered } from '../../../core/ports/services.ts'

/**
 * What a text is ('request', 'record', …), then whose it is; for a request its version too. A text that was signed as
 * something else, or for something else, is not believed.
 */
type Label = readonly [kind: string, ...(string | number)[]]

/** A configuration's key, and the ones before it. */
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
 * Every text that is stored and later believed stands behind its MAC, so that writing to Redis is not enough to make
 * it say something. A replayed old text also has a valid signature: the root and the audit tell.
 *
 * `scope` keeps apart what shares a key: the hash tag of a project. Signs with the newest key and believes the
 * earlier ones as well, which have to stay as long as entries of the audit do (400 days). Without any key everything
 * works the same, and only keeps mistakes out, not people.
 */
export function signerFor({ key }: Keyed, scope: string) {
  const signing = keysFor('lamplighter mac')
  const linking = keysFor('lamplighter audit')

  function keysFor(use: string) {
    const newest = derived(key?.current.reveal() ?? new Uint8Array(), use)
    return { newest, all: [newest, ...(key?.earlier ?? []).map((one) => derived(one.reveal(), use))] }
  }

  function isSigned(keys: readonly Buffer[], label: Label, stored: string): boolean {
    const [mac, text] = [stored.slice(0, macLength), stored.slice(macLength)]
    return keys.some((one) => isSame(mac, macOf(one, [scope, ...label], text)))
  }

  return {
    /** The text as it is stored. */
    sign: (label: Label, text: string): string => macOf(signing.newest, [scope, ...label], text) + text,
    /** The text as it was before. Throws Tampered. */
    read(label: Label, stored: string): string {
      if (isSigned(signing.all, label, stored)) return stored.slice(macLength)
      throw new Tampered(say('lockdown.changed', { what: label.slice(0, 2).join(' ').trim() }))
    },
    isOurs: (label: Label, stored: string): boolean => isSigned(signing.all, label, stored),
    /** Whether an earlier key has signed it: it would not be believed once that key is gone. */
    isOld: (label: Label, stored: string): boolean =>
      signing.all.length > 1 && !isSigned([signing.newest], label, stored),
    /** The entry of the audit that a text becomes after a head: its MAC is over that one's. */
    link({ seq, mac }: Head, text: string): AuditLink {
      return { seq: seq + 1, mac: macOf(linking.newest, [scope, mac, seq + 1], text), text }
    },
    follows: ({ seq, mac, text }: AuditLink, before: Head): boolean =>
      seq === before.seq + 1 && linking.all.some((one) => isSame(mac, macOf(one, [scope, before.mac, seq], text))),
  }
}

export function derived(master: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', use, 32))
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
