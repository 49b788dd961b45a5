import type { ApiReply } from '../adapters/api/calls.ts'
import type { McpDoor } from '../adapters/api/mcp.ts'
import { manualOf } from '../core/commands/help.ts'
import { say } from '../core/model/words.ts'
import { inEach, plainText } from '../core/words/plain.ts'
import { asText } from '../core/words/render.ts'
import { rows } from '../features/command-table.ts'
import { type Access, fetchApi, type ProposedLine } from './client/call-api.ts'
import { accessOf } from './client/login.ts'
import type { ClientTerminal } from './command-line.ts'

/** Longer than any answer of the API takes, ms. */
const patience = 30_000

/** Serves MCP on standard input and output by calling the API. Returns the exit code. */
export async function mcp({ env, language, err }: ClientTerminal): Promise<number> {
  const { LAMPLIGHTER_API_URL: url, LAMPLIGHTER_TOKEN: token } = env
  if (!url?.trim() || !token?.trim()) {
    err('Set LAMPLIGHTER_API_URL to the address of the API, and LAMPLIGHTER_TOKEN to a token from /endpoint token new.')
    return 2
  }
  const access = await accessOf(env)
  if ('wrong' in access) {
    err(asText(access.wrong, language))
    return 2
  }
  const { serveMcp } = await import('../adapters/api/mcp.ts')
  await serveMcp(doorAt(access), { manual: manualOf(rows, 'programs'), language, write: plainText })
  return 0
}

function doorAt(access: Access): McpDoor {
  async function call(path: string, proposal?: ProposedLine): Promise<ApiReply> {
    try {
      const { response, body } = await fetchApi(access, path, patience, proposal)
      return { status: response.status, body }
    } catch {
      // The error's own message may contain the token's header.
      const { origin } = new URL(access.url)
      return { status: 503, body: { says: inEach(say('program.unreachable', { address: origin })) } }
    }
  }
  return {
    query: (line) => call(`v1/queries?line=${encodeURIComponent(line)}`),
    propose: ({ key, ...body }) => call('v1/lines', { key: String(key), body }),
    request: (id) => call(`v1/requests/${encodeURIComponent(id)}`),
  }
}
