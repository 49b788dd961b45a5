import { connect } from 'node:net'

/** A kept-alive connection for one request at a time. Node's own client would cost as much as the server. */
export interface Connection {
  /** Sends the bytes of a request. Resolves with the status once the whole response has arrived. */
  ask(request: Buffer): Promise<number>
  close(): void
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  let answered: ((status: number) => void) | undefined
  let failed: ((error: Error) => void) | undefined
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const status = statusOfWhole(text)
    if (status === undefined) return
    text = ''
    answered?.(status)
  })
  const end = (error?: Error) => failed?.(error ?? new Error('The connection was closed before the answer.'))
  socket.on('error', end)
  socket.on('close', () => end())
  await new Promise<void>((resolve, reject) => {
    failed = reject
    socket.once('connect', () => resolve())
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        answered = resolve
        failed = reject
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** Returns the status once the response is complete, otherwise undefined. */
function statusOfWhole(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))
  const whole = length ? text.length >= head + 4 + Number(length[1]) : text.endsWith('0\r\n\r\n')
  return whole ? Number(text.slice(9, 12)) : undefined
}
