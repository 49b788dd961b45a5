import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from './json.ts'

/** Larger than any real payload; a larger body is cut off. */
const largestBody = 20 * 1024 * 1024

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > largestBody) request.destroy()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

export function sendText(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(body)
}
