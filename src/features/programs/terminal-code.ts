import { codeLife, tokenIdIn } from '../../core/model/token.ts'

/** What a terminal shows for its person to hand in: `<minute>.<id><digest>`, of a secret that it keeps to itself. */
export interface TerminalCode {
  /** When the terminal made it, ms since 1970, to the minute. */
  readonly at: number
  readonly id: string
  readonly digest: string
}

/** `digest`: SHA-256 of the secret, in base64url. */
export function writeCode(secret: string, digest: string, now: number): string {
  return `${Math.floor(now / 60_000).toString(36)}.${tokenIdIn(secret) ?? ''}${digest}`
}

export function readCode(code: string): TerminalCode | null {
  const [, minute, id, digest] = /^([0-9a-z]{1,8})\.([\w-]{22})([\w-]{43})$/.exec(code) ?? []
  if (minute === undefined || id === undefined || digest === undefined) return null
  return { at: Number.parseInt(minute, 36) * 60_000, id, digest }
}

/** Whether a code is too old, or from a clock that is far ahead. */
export function isStaleCode({ at }: TerminalCode, now: number): boolean {
  return Math.abs(now - at) > codeLife
}
