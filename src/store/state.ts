import type { Press, Request } from '../domain/request.ts'
import type { Signer } from './signed.ts'
import type { Texts } from './texts.ts'

/** What is stored of a request, read back as what it was. */
export interface State {
  readonly version: number
  readonly request: Request
  readonly posts: string | null
  readonly starts: number
  readonly presses: readonly Press[]
}

/** From what the script of a claim answers after `yours`. Throws Tampered. */
export function stateOf(
  id: string,
  [version, text, posts, starts, presses]: readonly unknown[],
  texts: Texts,
  signer: Signer,
): State {
  return {
    version: Number(version),
    request: texts.read(id, version, String(text)),
    posts: posts === '' ? null : signer.read(['posts', id], String(posts)),
    starts: Number(starts),
    presses: (presses as readonly string[]).map((press) => JSON.parse(signer.read(['press', id], press)) as Press),
  }
}
