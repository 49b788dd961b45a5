import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as call, createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate authority that no system trusts, and its certificate for some names. */
export interface Authority {
  /** The file for NODE_EXTRA_CA_CERTS. */
  readonly file: string
  readonly key: Buffer
  readonly cert: Buffer
  stop(): void
}

export function createAuthority(names: readonly string[]): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' })
  const newKey = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  openssl('req', '-x509', ...newKey, '-subj', '/CN=Nobody knows', '-keyout', at('ca.key'), '-out', at('ca.pem'))
  openssl('req', ...newKey.slice(0, 3), '-subj', '/CN=one', '-keyout', at('key.pem'), '-out', at('one.csr'))
  writeFileSync(at('names'), `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`)
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names')]
  openssl('x509', '-req', '-in', at('one.csr'), ...signed, '-days', '2', '-out', at('cert.pem'))
  return {
    file: at('ca.pem'),
    key: readFileSync(at('key.pem')),
    cert: readFileSync(at('cert.pem')),
    stop: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Terminates TLS for local servers, also for WebSockets. The Host header selects the server. */
export async function startFront({ key, cert }: Authority, servers: Readonly<Record<string, string>>) {
  function forwarded({ method, url, headers }: IncomingMessage) {
    const { hostname, port, host } = new URL(servers[(headers.host ?? '').replace(/:\d+$/, '')] ?? '')
    return call({ hostname, port, method, path: url, headers: { ...headers, host } })
  }
  const server = createSecureServer({ key, cert }, (request, response) => {
    const there = forwarded(request)
    there.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    there.on('error', () => response.destroy())
    request.pipe(there)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    forwarded(request)
      .on('upgrade', ({ rawHeaders }, there: Socket, first: Buffer) => {
        const lines = rawHeaders.map((one, at) => (at % 2 === 0 ? `${one}: ` : `${one}\r\n`))
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
        there.unshift(first)
        joined(socket, there)
      })
      .on('error', () => socket.destroy())
      .end()
  })
  return listening(server)
}

/** Starts a proxy that maps `host:port` to a local port and refuses everything else, for one user only. */
export async function startTunnels(ways: Readonly<Record<string, number>>, user: string) {
  const asked: string[] = []
  const refused: string[] = []
  const server = createServer((request, response) => {
    refused.push(request.url ?? '')
    response.writeHead(403).end()
  })
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    asked.push(url)
    const port = ways[url]
    const isUser = headers['proxy-authorization'] === `Basic ${Buffer.from(user).toString('base64')}`
    if (port === undefined || !isUser) {
      refused.push(url)
      return void socket.end(`HTTP/1.1 ${isUser ? 403 : 407} No\r\n\r\n`)
    }
    const there = connect(port, '127.0.0.1', () => void socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    joined(socket, there)
  })
  return { ...(await listening(server)), asked, refused }
}

function joined(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one)
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
}

async function listening(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
