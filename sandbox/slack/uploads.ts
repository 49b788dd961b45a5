import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, sendText } from './http.ts'
import type { Workspace } from './workspace.ts'

/** Receives a file at the address issued for it, as bare bytes or as the only part of a form. */
export async function takeUpload(
  workspace: Workspace,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  const body = await readBody(request)
  const file = workspace.files.get(id)
  if (!file || file.content) return sendText(response, 404, 'There is no upload waiting here.')
  const content = contentOf(body, request.headers['content-type'] ?? '')
  if (content.length !== file.length) {
    return sendText(response, 400, `The file has ${content.length} bytes; ${file.length} were announced.`)
  }
  workspace.files.set(id, { ...file, content })
  sendText(response, 200, `OK - ${content.length}`)
}

function contentOf(body: Buffer, type: string): Buffer {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/.exec(type)?.[1]
  if (boundary === undefined) return body
  const begin = body.indexOf('\r\n\r\n') + 4
  return body.subarray(begin, body.indexOf(`\r\n--${boundary}`, begin))
}
