import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Misconfigured } from '../../core/ports/services.ts'

interface Place {
  /** 0 picks a free port. */
  readonly port: number
  /** All interfaces by default. */
  readonly host?: string | undefined
  /** The variable that sets the port, for error messages. */
  readonly variable: string
}

/** Returns the port once it is open. Throws Misconfigured if it cannot be opened. */
export async function listenAt(server: Server, { port, host, variable }: Place): Promise<number> {
  // Node itself would keep the connection.
  server.on('checkExpectation', (_, response: ServerResponse) => response.writeHead(417, { connection: 'close' }).end())
  try {
    // Rejects with the server's error.
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const unknown = `This machine has no address ${host}, so nothing can listen there. Set another ${variable.replace('PORT', 'HOST')}.`
    const mistakes: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} is taken. End what listens there, or set another ${variable}.`,
      EACCES: `This process may not listen on port ${port}. Set a ${variable} above 1023.`,
      EADDRNOTAVAIL: unknown,
      ENOTFOUND: unknown,
      EAI_AGAIN: unknown,
    }
    const says = mistakes[code ?? '']
    throw says === undefined ? error : new Misconfigured(says)
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Answers the calls under way, and drops connections that are still open after `patience` ms. */
export async function closeGently(server: Server, patience: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A kept connection becomes idle only after its answer.
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const force = setTimeout(() => server.closeAllConnections(), patience)
  await closed
  clearInterval(idle)
  clearTimeout(force)
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  response.end(`${JSON.stringify(body)}\n`)
}
