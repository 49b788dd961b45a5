import { textAs } from './environment.ts'

/** A value that only `reveal` shows: logs, inspections and JSON hide it. */
export interface Secret<Value = string> {
  reveal(): Value
  toString(): string
  toJSON(): string
}

export function secret<Value = string>(value: Value): Secret<Value> {
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden })
}

export const secretText = textAs((text) => ({ value: secret(text) }))

function hidden(): string {
  return '[secret]'
}

/** 32 bytes each. `current` seals and signs; earlier ones still open and verify. */
export interface SealingKey {
  readonly current: Secret<Uint8Array>
  /** Newest first. An empty one verifies texts from before there was a key. */
  readonly earlier: readonly Secret<Uint8Array>[]
}

const form =
  'Write 32 bytes as base64 (make them with: openssl rand -base64 32), or new,old while you change keys, older ones behind it; new,none where there was none before.'

/** `LAMPLIGHTER_KEY`: one key, or several with commas, newest first; `none` if there was no key before. */
export const sealingKey = textAs<SealingKey>((text) => {
  const [newest = '', ...older] = text.split(',')
  const current = bytesOf(newest)
  const earlier = older.flatMap((old) => (old.trim() === 'none' ? new Uint8Array() : (bytesOf(old) ?? [])))
  return current && earlier.length === older.length
    ? { value: { current: secret(current), earlier: earlier.map(secret) } }
    : { wrong: `is not a key. ${form}` }
})

function bytesOf(text: string): Uint8Array | null {
  const plain = text.trim()
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : Buffer.alloc(0)
  return bytes.length === 32 ? new Uint8Array(bytes) : null
}
