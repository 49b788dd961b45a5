import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../../../src/adapters/slack/receivers/socket-session.ts'
import { startTunnels } from '../../../support/tunnels.ts'
import { heard } from './support.ts'

/** A Slack that says hello and then reads nothing more, not even a close frame. */
async function startDeaf(host: string) {
  const sockets: Socket[] = []
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ok: true, url: `ws://${host || `127.0.0.1:${port}`}/link` }))
  })
  server.on('upgrade', ({ headers }: IncomingMessage, socket: Socket) => {
    const accept = hash('sha1', `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64')
    const upgrade = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}`
    const hello = JSON.stringify({ type: 'hello' })
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n\r\n`)
    socket.write(Buffer.concat([Buffer.from([0x81, hello.length]), Buffer.from(hello)]))
    socket.pause()
    sockets.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  return { port, sockets }
}

test.each(['', 'slack.test'])(
  'a socket to a peer that reads nothing is closed, directly and through a proxy: %j',
  async (host) => {
    const { port, sockets } = await startDeaf(host)
    const proxy = await startTunnels({ 'slack.test:80': port }, 'lamp:secret')
    onTestFinished(() => proxy.stop())
    const httpProxy = `http://lamp:secret@127.0.0.1:${proxy.port}`
    const session = await openSession(
      {
        appToken: 'xapp-1',
        apiUrl: `http://${host || `127.0.0.1:${port}`}/api/`,
        logger: heard().logger,
        proxy: host === '' ? undefined : { httpProxy, httpsProxy: httpProxy, noProxy: '' },
        onEnvelope: () => undefined,
      },
      new AbortController().signal,
    )
    expect(proxy.asked).toEqual(host === '' ? [] : ['slack.test:80', 'slack.test:80'])
    await session.close()
    await session.closed
    const [socket] = sockets
    // A ping to a closed socket gets an error.
    let fault: NodeJS.ErrnoException | undefined
    socket?.on('error', (error) => {
      fault ??= error
    })
    await expect
      .poll(() => socket?.write(Buffer.from([0x89, 0])) !== undefined && fault?.code)
      .toMatch(/EPIPE|ECONNRESET/)
  },
)
