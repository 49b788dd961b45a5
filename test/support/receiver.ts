import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received call. */
export interface Delivered {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  /** The status of our response. */
  readonly status: number
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Starts a webhook server on loopback. `answers` sets the status of its responses; 0 means that it never responds. */
export async function startReceiver() {
  const calls: Delivered[] = []
  let status = 200
  let onCall: (call: Delivered) => void = () => undefined
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const call = { headers: request.headers, text, body: JSON.parse(text) as Delivered['body'], status }
      calls.push(call)
      onCall(call)
      if (status !== 0) response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    /** Returns the ids of the accepted events, in order of arrival. */
    taken: () => calls.filter((one) => one.status === 200).map(({ body }) => String(body['id'])),
    answers(next: number) {
      status = next
    },
    /** Runs before each response. */
    onCall(listener: typeof onCall) {
      onCall = listener
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
