import type { SandboxKey } from './types.ts'

const all: SandboxKey = { key: 'sk-sandbox-00000000000000000000000000000000', id: 'key-sandbox', user: 'user-sandbox' }

/** The keys of a sandbox; unless given, one that may touch everything. */
export function keysOf(given: readonly SandboxKey[] | undefined): ReadonlyMap<string, SandboxKey> {
  return new Map((given ?? [all]).map((key) => [key.key, key]))
}

/** The key of an `Authorization` header, or what to answer without one. */
export function authorize(keys: ReadonlyMap<string, SandboxKey>, header: string | undefined): SandboxKey | string {
  const bearer = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  if (bearer === undefined) return 'Not authenticated'
  return keys.get(bearer) ?? 'Invalid API key'
}
