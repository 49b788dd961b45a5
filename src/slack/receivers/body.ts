import type { IncomingMessage } from 'node:http'
import { HTTPModuleFunctions as bolt } from '@slack/bolt'

/**
 * Slack's probe of our certificate is a form with `ssl_check=1` and no signature. Whatever has such a field, in any
 * spelling, signed or not, ends here: an unsigned body that is let through for its sake once carried a button's press.
 */
export function sslCheckIn(request: IncomingMessage, text: string): string | undefined {
  if (!/ssl_check/i.test(text)) return undefined
  if (!request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded')) return undefined
  const fields = [...new URLSearchParams(text)].filter(([name]) => /^ssl_check/i.test(name))
  return fields.length === 0 ? undefined : fields.map(([, value]) => value).join()
}

/** Bolt's reading of a body; undefined for what is not an object, which Bolt would trip over. */
export function parsed(request: Parameters<typeof bolt.parseHTTPRequestBody>[0]): Record<string, unknown> | undefined {
  try {
    const body: unknown = bolt.parseHTTPRequestBody(request)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
