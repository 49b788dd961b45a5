import { codeLife, tokenIdIn } from '../../core/model/token.ts'

/** The code from a terminal that its owner enters in Slack: `<minute>.<id><digest>`. The secret stays in the terminal. */
export interface TerminalCode {
  /** When the terminal made it, ms since 1970, in full minutes. */
  readonly at: number
  readonly id: string
  readonly digest: string
}

/** `digest` is the SHA-256 of the secret, in base64url. */
export function writeCode(secret: string, digest: string, now: number): string {
  return `${Math.floor(now / 60_000).toString(36)}.${tokenIdIn(secret) ?? ''}${digest}`
}

export function readCode(code: string): TerminalCode | null {
  const [, minute, id, digest] = /^([0-9a-z]{1,8})\.([\w-]{22})([\w-]{43})$/.exec(code) ?? []
  if (minute === undefined || id === undefined || digest === undefined) return null
  return { at: Number.parseInt(minute, 36) * 60_000, id, digest }
}

/** Whether a code is too old, or was made by a clock that is far ahead. */
export function isStaleCode({ at }: TerminalCode, now: number): boolean {
  return Math.abs(now - at) > codeLife
}
