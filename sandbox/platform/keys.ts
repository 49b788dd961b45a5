import type { SandboxKey } from './types.ts'

const all: SandboxKey = { key: 'sk-sandbox-00000000000000000000000000000000', id: 'key-sandbox', user: 'user-sandbox' }

/** Returns the keys by their text; by default, one that may access every endpoint. */
export function keysOf(given: readonly SandboxKey[] | undefined): ReadonlyMap<string, SandboxKey> {
  return new Map((given ?? [all]).map((key) => [key.key, key]))
}

/** Returns the key in an `Authorization` header, or the error to answer with. */
export function authorize(keys: ReadonlyMap<string, SandboxKey>, header: string | undefined): SandboxKey | string {
  const bearer = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (bearer === undefined) return 'Not authenticated'
  return keys.get(bearer) ?? 'Invalid API key'
}
