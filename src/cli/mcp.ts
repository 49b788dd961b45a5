import type { ApiReply } from '../adapters/api/calls.ts'
import type { McpDoor } from '../adapters/api/mcp.ts'
import { manualOf } from '../core/commands/help.ts'
import { say } from '../core/model/words.ts'
import { inEach } from '../core/words/plain.ts'
import { rows } from '../features/command-table.ts'

/** Longer than the API takes for any answer, ms. */
const patience = 30_000

/** Serves MCP on standard input and output, with what the API answers. Returns the exit code. */
export async function mcp(
  env: Readonly<Record<string, string | undefined>>,
  err: (line: string) => void,
): Promise<number> {
  const { LAMPLIGHTER_API_URL: address = '', LAMPLIGHTER_TOKEN: token = '' } = env
  if (!URL.canParse(address) || token === '') {
    err('Set LAMPLIGHTER_API_URL to the address of the API, and LAMPLIGHTER_TOKEN to a token from /endpoint token new.')
    return 2
  }
  const language = /^ko/i.test(env['LC_ALL'] ?? env['LANG'] ?? '') ? 'ko' : 'en'
  const { serveMcp } = await import('../adapters/api/mcp.ts')
  await serveMcp(doorAt(address, token), { manual: manualOf(rows), language })
  return 0
}

function doorAt(address: string, token: string): McpDoor {
  async function call(path: string, init: { headers?: Record<string, string>; body?: string } = {}): Promise<ApiReply> {
    try {
      const response = await fetch(new URL(path, address), {
        method: init.body === undefined ? 'GET' : 'POST',
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      })
      return { status: response.status, body: (await response.json()) as object }
    } catch {
      // Its own message may name the token's header.
      return { status: 503, body: { says: inEach(say('program.unreachable', { address: new URL(address).origin })) } }
    }
  }
  return {
    query: (line) => call(`/v1/queries?line=${encodeURIComponent(line)}`),
    propose: ({ key, ...proposal }) =>
      call('/v1/lines', { headers: { 'idempotency-key': String(key) }, body: JSON.stringify(proposal) }),
    request: (id) => call(`/v1/requests/${encodeURIComponent(id)}`),
  }
}
