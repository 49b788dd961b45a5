import type { problemBody } from '../../adapters/api/problem.ts'
import { say } from '../../core/model/words.ts'
import { asText } from '../../core/words/render.ts'
import type { ClientTerminal } from '../command-line.ts'

/** How long a call is retried while the API can't be reached, and the time limit of one try. ms. */
const [patience, longestTry] = [120_000, 90_000]

export interface Access {
  readonly url: string
  readonly token: string
}

/** The API's problem, but with only the last part of its type: `not-allowed`. */
export type ApiProblem = Pick<ReturnType<typeof problemBody>, 'type' | 'status' | 'says' | 'perhaps'>

/**
 * `body` is the API's answer, `at` its clock in ms since 1970, and `lost` means that an earlier try may have been
 * accepted. `unreached` means that nobody knows whether the call arrived.
 */
export type ClientReply<Body> =
  | { readonly kind: 'ok'; readonly body: Body }
  | { readonly kind: 'problem'; readonly problem: ApiProblem; readonly at: number; readonly lost?: boolean }
  | { readonly kind: 'unreached'; readonly why: string }

export interface ProposedLine {
  readonly key: string
  readonly body: object
}

/**
 * When a call is retried: never; when its answer was `lost`; or for `all` reasons, including an API that is busy or
 * can't be reached. A wrong address is never retried.
 */
export type Tries = 'one' | 'lost' | 'all'

/** Calls the API and retries with the same key; while it is busy, until `until`. Never throws. */
export async function callApi<Body>(
  access: Access,
  path: string,
  terminal: Pick<ClientTerminal, 'now' | 'wait' | 'err' | 'language'>,
  { proposal, tries, until }: { readonly proposal?: ProposedLine; readonly tries: Tries; readonly until?: number },
): Promise<ClientReply<Body>> {
  let end = terminal.now() + patience
  let lost = false
  for (let pause = 1_000; ; pause = Math.min(pause * 2, 15_000)) {
    const { reply, again, after = pause } = await callOnce<Body>(access, path, proposal)
    // A line that storage has not confirmed may have been stored.
    lost ||= again === 'lost' || (reply.kind === 'problem' && reply.problem.type === 'storage')
    const isOver = tries === 'one' || again === undefined || (tries === 'lost' && again === 'all')
    const isBusy = reply.kind === 'problem' && reply.problem.status === 429
    if (isBusy && until !== undefined) end = terminal.now() + patience
    if (isOver || terminal.now() + after > (isBusy ? (until ?? end) : end))
      return reply.kind === 'problem' ? { ...reply, lost } : reply
    const { language } = terminal
    const why = reply.kind === 'unreached' ? reply.why : reply.kind === 'problem' ? reply.problem.says[language] : ''
    const told = { why, busy: reply.kind === 'problem' ? 'yes' : 'no', wait: { lasting: after } }
    terminal.err(asText(say('terminal.again', told), language))
    await terminal.wait(after)
  }
}

/** Makes one call of at most `ms`. Throws as `fetch` does, and a SyntaxError if the answer is not a JSON object. */
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
  const text = await response.text()
  // From a proxy whose API is down.
  if ([502, 503, 504].includes(response.status) && !text.includes('urn:lamplighter:'))
    throw new Error(`HTTP ${response.status}`)
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null) throw new SyntaxError('no object')
  return { response, body }
}

/** Makes one call; `again` says which kind of retry may repeat it. */
async function callOnce<Body>(
  access: Access,
  path: string,
  proposal: ProposedLine | undefined,
): Promise<{ readonly reply: ClientReply<Body>; readonly again?: Tries | undefined; readonly after?: number }> {
  try {
    const { response, body } = await fetchApi(access, path, longestTry, proposal)
    if (response.ok) return { reply: { kind: 'ok', body: body as Body } }
    const { type, status, says, perhaps } = body as Partial<ApiProblem>
    if (type?.startsWith('urn:lamplighter:') !== true || status === undefined || says === undefined)
      throw new SyntaxError('no problem')
    const problem = { type: type.slice(16), status, says, ...(perhaps !== undefined && { perhaps }) }
    const at = Date.parse(response.headers.get('date') ?? '')
    const seconds = Number(response.headers.get('retry-after'))
    const again = status === 429 || status === 503 ? 'all' : undefined
    return { reply: { kind: 'problem', problem, at }, again, ...(seconds > 0 && { after: seconds * 1_000 }) }
  } catch (error) {
    const why = whyOf(error)
    const isWrong = /^(ENOTFOUND|bad port|unexpected redirect|not the Lamplighter API)$/.test(why)
    const isLost =
      /^(ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT)|HTTP 50[24])$|timeout/.test(why)
    return { reply: { kind: 'unreached', why }, again: isWrong ? undefined : isLost ? 'lost' : 'all' }
  }
}

/** Returns the reason, which fetch hides in its cause. */
function whyOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'not the Lamplighter API'
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? String((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message
}
