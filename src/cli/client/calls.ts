import { say } from '../../core/model/words.ts'
import { asText } from '../../core/words/render.ts'
import type { ClientTerminal } from './given.ts'
import type { Access } from './login-file.ts'

/** How long a call is tried again while the API cannot be reached or is busy, and how long one try may take, ms. */
const [patience, longestTry] = [120_000, 90_000]

export interface ApiProblem {
  /** Ends the address in `type`: `not-allowed`. */
  readonly type: string
  readonly status: number
  readonly says: Readonly<Record<ClientTerminal['language'], string>>
  readonly perhaps?: readonly string[]
}

/**
 * `body`: as the API has described it; `at`: by its clock, ms since 1970. `unreached`: nobody knows whether the call
 * arrived.
 */
export type ClientReply<Body> =
  | { readonly kind: 'ok'; readonly body: Body }
  | { readonly kind: 'problem'; readonly problem: ApiProblem; readonly at: number }
  | { readonly kind: 'unreached'; readonly why: string }

export interface ProposedLine {
  readonly key: string
  readonly body: object
}

/**
 * Calls the API, again with the same key while it is busy or cannot be reached, but for `tries: 'one'`. Never throws for
 * what the network or the API does.
 */
export async function callApi<Body>(
  access: Access,
  path: string,
  terminal: Pick<ClientTerminal, 'now' | 'wait' | 'err' | 'language'>,
  { proposal, tries }: { readonly proposal?: ProposedLine; readonly tries?: 'one' } = {},
): Promise<ClientReply<Body>> {
  const end = terminal.now() + patience
  for (let pause = 1_000; ; pause = Math.min(pause * 2, 15_000)) {
    const { reply, after = pause } = await callOnce<Body>(access, path, proposal)
    const isBusy = reply.kind === 'problem' && [429, 502, 503, 504].includes(reply.problem.status)
    if (tries === 'one' || (reply.kind !== 'unreached' && !isBusy) || terminal.now() + after > end) return reply
    const { language } = terminal
    const why = reply.kind === 'unreached' ? reply.why : reply.kind === 'problem' ? reply.problem.says[language] : ''
    const told = { why, busy: isBusy ? 'yes' : 'no', wait: { lasting: after } }
    terminal.err(asText(say('terminal.again', told), language))
    await terminal.wait(after)
  }
}

/** One call, of `ms` at most. Throws as `fetch` does, and a SyntaxError where no object of JSON is answered. */
export async function fetchApi({ url, token }: Access, path: string, ms: number, proposal?: ProposedLine) {
  const response = await fetch(new URL(path, `${url.replace(/\/*$/, '')}/`), {
    method: proposal === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(proposal !== undefined && { 'idempotency-key': proposal.key, 'content-type': 'application/json' }),
    },
    ...(proposal !== undefined && { body: JSON.stringify(proposal.body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(ms),
  })
  const body: unknown = JSON.parse(await response.text())
  if (typeof body !== 'object' || body === null) throw new SyntaxError('no object')
  return { response, body }
}

async function callOnce<Body>(
  access: Access,
  path: string,
  proposal: ProposedLine | undefined,
): Promise<{ readonly reply: ClientReply<Body>; readonly after?: number }> {
  try {
    const { response, body } = await fetchApi(access, path, longestTry, proposal)
    const seconds = Number(response.headers.get('retry-after'))
    if (response.ok) return { reply: { kind: 'ok', body: body as Body } }
    const { type, status, says, perhaps } = body as Partial<ApiProblem>
    if (type?.startsWith('urn:lamplighter:') !== true || status === undefined || says === undefined)
      throw new SyntaxError('no problem')
    const problem = { type: type.slice(16), status, says, ...(perhaps !== undefined && { perhaps }) }
    const at = Date.parse(response.headers.get('date') ?? '')
    return { reply: { kind: 'problem', problem, at }, ...(seconds > 0 && { after: seconds * 1_000 }) }
  } catch (error) {
    return { reply: { kind: 'unreached', why: whyOf(error) } }
  }
}

/** fetch hides what happened in its cause. */
function whyOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'no API of Lamplighter'
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? String((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message
}
