import type { IncomingMessage, ServerResponse } from 'node:http'

const mostBytes = 1024 * 1024

/** Reads a request's body as text; null if it is longer than 1 MiB. */
export async function bodyOf(request: IncomingMessage): Promise<string | null> {
  if (request.method === 'GET' || request.headers['content-length'] === '0') return ''
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    if (bytes <= mostBytes) chunks.push(chunk)
  }
  return bytes > mostBytes ? null : Buffer.concat(chunks).toString('utf8')
}

/** Sends a body: text as it is, undefined as nothing, anything else as JSON. */
export function send(response: ServerResponse, status: number, body: unknown, type?: string): void {
  const [contentType, text] = written(body, type)
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text)
}

/** Sends half of what `send` would, then drops the connection. */
export function sendHalf(response: ServerResponse, status: number, body: unknown): void {
  const [contentType, text] = written(body)
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

function written(body: unknown, type?: string): [type: string, text: string] {
  if (typeof body === 'string') return [type ?? 'text/plain; charset=utf-8', body]
  return [type ?? 'application/json', body === undefined ? '' : JSON.stringify(body)]
}
