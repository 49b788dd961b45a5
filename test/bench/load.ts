import { performance } from 'node:perf_hooks'
import { requestFor } from './command.ts'
import { type Connection, openConnection } from './connection.ts'
import { medianOf, quantileOf } from './statistics.ts'

export interface Slice {
  readonly port: number
  readonly secret: string
  readonly connections: number
  readonly ms: number
  /** The number of channels that the commands are spread over, each with its endpoint. */
  readonly spread: number
}

export interface SliceResult {
  readonly answers: number
  /** The number of responses other than 200. */
  readonly refused: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Sends commands over `connections` for `ms`, each as soon as the previous one is answered. */
async function run({ port, secret, connections, ms, spread }: Slice): Promise<SliceResult> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const latencies: number[] = []
  let refused = 0
  let turn = 0
  const begin = performance.now()

  async function keepAsking(connection: Connection): Promise<void> {
    while (performance.now() - begin < ms) {
      turn = (turn + 1) % spread
      const request = requestFor({ text: `start llm-${turn}`, channel: `C0BENCH${turn}` }, secret, port)
      const sent = performance.now()
      const status = await connection.ask(request)
      latencies.push(performance.now() - sent)
      if (status !== 200) refused += 1
    }
  }

  await Promise.all(open.map(keepAsking))
  const took = performance.now() - begin
  for (const connection of open) connection.close()
  return {
    answers: latencies.length,
    refused,
    perSecond: (latencies.length / took) * 1_000,
    p50Ms: medianOf(latencies),
    p99Ms: quantileOf(latencies, 0.99),
  }
}

process.on('message', (slice: Slice) => {
  run(slice).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.send?.({ ready: true })
