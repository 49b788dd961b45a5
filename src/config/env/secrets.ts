import * as z from 'zod'

/** A value that must be asked for: a log line, an inspection or JSON of whatever holds it shows nothing. */
export interface Secret<Value = string> {
  reveal(): Value
  toString(): string
  toJSON(): string
}

/** Wraps a value so that it can be passed around without being seen. */
export function secret<Value = string>(value: Value): Secret<Value> {
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden })
}

function hidden(): string {
  return '[secret]'
}

/** 32 bytes each. What was sealed or signed under an earlier one still holds; what is new comes under `current`. */
export interface SealingKey {
  readonly current: Secret<Uint8Array>
  /** The newest first. */
  readonly earlier: readonly Secret<Uint8Array>[]
}

const form =
  'Write 32 bytes as base64 (make them with: openssl rand -base64 32), or new,old while you change keys, older ones behind it; new,none where there was none before.'

/** `LAMPLIGHTER_KEY`: one key, or the newest and those before it with commas between; `none` is what there was without one. */
export const sealingKey: z.ZodType<SealingKey, string> = z.string().transform((text, context) => {
  const [newest = '', ...older] = text.split(',')
  const current = bytesOf(newest)
  const earlier = older.flatMap((old) => (old.trim() === 'none' ? new Uint8Array() : (bytesOf(old) ?? [])))
  if (current && earlier.length === older.length) return { current: secret(current), earlier: earlier.map(secret) }
  context.addIssue({ code: 'custom', message: `is not a key. ${form}` })
  return z.NEVER
})

function bytesOf(text: string): Uint8Array | null {
  const plain = text.trim()
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : Buffer.alloc(0)
  return bytes.length === 32 ? new Uint8Array(bytes) : null
}
