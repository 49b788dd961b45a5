import type { IncomingMessage, ServerResponse } from 'node:http'
import { authorize } from './keys.ts'
import { type Circumstances, live } from './live.ts'
import { type Ask, operations } from './operations.ts'
import { Refusal, type Reply } from './refusal.ts'
import { findRoute, type Route } from './routes.ts'
import type { CallRecord, SandboxKey } from './types.ts'
import { bodyOf, send } from './wire.ts'

export interface Api extends Circumstances, Pick<Ask, 'scaleField' | 'urlOf'> {
  readonly keys: ReadonlyMap<string, SandboxKey>
  readonly calls: CallRecord[]
}

/** Handles one call from its first byte to its answer, including faults. `path` follows the base path. */
export async function answerCall(
  api: Api,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const mark = `${path}?`.indexOf('?')
  const plain = path.slice(0, mark)
  const query = new URLSearchParams(path.slice(mark + 1))
  const found = findRoute(request.method ?? '', plain)
  const route = found && 'route' in found ? found.route : null
  const key = authorize(api.keys, request.headers.authorization)
  const record: CallRecord = {
    at: api.world.clock.now(),
    method: request.method ?? '',
    path: plain,
    operation: route?.operation ?? null,
    endpointId: route?.endpointId ?? null,
    key: typeof key === 'string' ? null : key.id,
    status: null,
  }
  api.calls.push(record)
  const raw = await bodyOf(request)
  if (route) {
    const type = request.headers['content-type']
    return live(api, response, route, record, () => perform(api, key, route, query, raw, type))
  }
  record.status = found ? 405 : 404
  if (found && 'allow' in found) response.setHeader('allow', found.allow)
  send(response, record.status, { detail: found ? 'Method Not Allowed' : 'Not Found' })
}

function perform(
  { world, scaleField, urlOf }: Api,
  key: SandboxKey | string,
  route: Route,
  query: URLSearchParams,
  raw: string | null,
  type: string | undefined,
): Reply {
  if (typeof key === 'string') return new Refusal(401, key)
  if (raw === null) return new Refusal(413, 'Request body is too large')
  try {
    const ask = { world, scaleField, urlOf, key, endpointId: route.endpointId ?? '', query, body: parsed(raw, type) }
    return { status: 200, body: operations[route.operation](ask) }
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown
    throw thrown
  }
}

// A body that is not declared as JSON stays text, which no operation accepts.
function parsed(raw: string, type = ''): unknown {
  if (raw === '') return undefined
  if (!type.startsWith('application/json')) return raw
  try {
    return JSON.parse(raw)
  } catch {
    throw new Refusal(422, [{ loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid' }])
  }
}
