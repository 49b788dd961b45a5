import { readAs } from '../../../core/model/formats.ts'
import type { Press, Request } from '../../../core/model/request.ts'
import type { Texts } from '../integrity/request-texts.ts'
import type { Signer } from '../integrity/sign.ts'

/** What is stored of a request, read back as what it was. */
export interface State {
  readonly version: number
  readonly request: Request
  readonly posts: string | null
  readonly starts: number
  readonly presses: readonly Press[]
}

/** Asked for before a claim is sent; reads what its script answers after `yours`. Throws Tampered, Newer. */
export function readingState(id: string, texts: Texts, signer: Signer): (fields: readonly unknown[]) => State {
  const read = texts.reading(id)
  return ([version, text, posts, starts, presses]) => ({
    version: Number(version),
    request: read(version, String(text)),
    posts: posts === '' ? null : postsIn(signer.read(['posts', id], String(posts))),
    starts: Number(starts),
    presses: (presses as readonly string[]).map((press) => readAs<Press>('press', signer.read(['press', id], press))),
  })
}

/** Nothing is done on a request whose messages this process could not bring up to date. */
function postsIn(text: string): string {
  readAs('posts', text)
  return text
}
