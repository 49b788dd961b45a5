import * as z from 'zod'
import { type Secret, secret } from './secret.ts'

/** 32 bytes each. What was sealed under `previous` can still be opened; new things are sealed under `current`. */
export interface SealingKey {
  readonly current: Secret<Uint8Array>
  readonly previous?: Secret<Uint8Array>
}

const form =
  'Write 32 bytes as base64 (make them with: openssl rand -base64 32), or new,old while you change keys; new,none where there was none before.'

/** `LAMPLIGHTER_KEY`: one key, or the new and the old one with a comma between; `none` is what there was without one. */
export const sealingKey: z.ZodType<SealingKey, string> = z.string().transform((text, context) => {
  const [newest = '', old, ...more] = text.split(',')
  const current = bytesOf(newest)
  const previous = old === undefined ? undefined : old.trim() === 'none' ? new Uint8Array() : bytesOf(old)
  if (current && previous !== null && more.length === 0)
    return { current: secret(current), ...(previous && { previous: secret(previous) }) }
  context.addIssue({ code: 'custom', message: `is not a key. ${form}` })
  return z.NEVER
})

function bytesOf(text: string): Uint8Array | null {
  const plain = text.trim()
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : Buffer.alloc(0)
  return bytes.length === 32 ? new Uint8Array(bytes) : null
}
