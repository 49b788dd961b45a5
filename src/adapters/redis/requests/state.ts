import { Newer, readAs, written } from '../../../core/model/formats.ts'
import type { Press, Request } from '../../../core/model/request.ts'
import type { StoreContext } from '../context.ts'
import type { Signer } from '../integrity/sign.ts'

/** A request as it is stored: signed as this version of it. */
export function requestText(signer: Signer, request: Request, version: number): string {
  return signer.sign(['request', request.id, version], written('request', request))
}

/** Throws Tampered, Newer. */
function requestIn(signer: Signer, id: string, version: unknown, stored: unknown): Request {
  return readAs('request', signer.read(['request', id, Number(version)], String(stored)))
}

/** Null when it is not remembered. An old text may have been put back: only `claim` proves the newest. Throws Tampered, Newer. */
export async function loadRequest(
  { redis, keys, signer }: Pick<StoreContext, 'redis' | 'keys' | 'signer'>,
  id: string,
): Promise<Request | null> {
  const [version, text] = await redis.hmget(keys.request(id), 'version', 'text')
  return typeof text === 'string' ? requestIn(signer, id, version, text) : null
}

/** The same among many requests: one of a newer format is passed over. Throws Tampered. */
export async function loadReadable(
  context: Pick<StoreContext, 'redis' | 'keys' | 'signer'>,
  id: string,
): Promise<Request | null> {
  try {
    return await loadRequest(context, id)
  } catch (error) {
    if (error instanceof Newer) return null
    throw error
  }
}

/** What is stored of a request, read back as what it was. */
export interface StoredState {
  readonly version: number
  readonly request: Request
  readonly posts: string | null
  readonly starts: number
  readonly presses: readonly Press[]
}

/** Reads what the script of a claim answers after `yours`. Throws Tampered, Newer. */
export function stateIn(signer: Signer, id: string, fields: readonly unknown[]): StoredState {
  const [version, text, posts, starts, presses] = fields
  return {
    version: Number(version),
    request: requestIn(signer, id, version, text),
    posts: posts === '' ? null : postsIn(signer.read(['posts', id], String(posts))),
    starts: Number(starts),
    presses: (presses as readonly string[]).map((press) => readAs<Press>('press', signer.read(['press', id], press))),
  }
}

/** Nothing is done on a request whose messages this process could not bring up to date. */
function postsIn(text: string): string {
  readAs('posts', text)
  return text
}
