import { createServer } from 'node:http'
import { type Api, answerCall } from './api.ts'
import { createControl } from './control.ts'
import { createFaults } from './faults.ts'
import { createGateway } from './gateway.ts'
import { keysOf } from './keys.ts'
import { createLater } from './later.ts'
import { close, listen } from './replica.ts'
import type { PlatformOptions, PlatformSandbox } from './types.ts'
import { send } from './wire.ts'
import { createWorld } from './world.ts'

const basePath = '/external/api/v1'

/** Starts the platform on 127.0.0.1: its API and the addresses of its endpoints. */
export async function startPlatform(options: PlatformOptions = {}): Promise<PlatformSandbox> {
  const world = createWorld(options)
  const later = createLater(world.clock)
  const faults = createFaults()
  const keys = keysOf(options.keys)
  const listeners: Api['listeners'] = new Set()
  const calls: Api['calls'] = []
  const control = createControl(world, later, calls)

  const visitors = new Set<() => void>()
  const gateway = createGateway(world, () => {
    for (const listener of visitors) listener()
  })
  const serving = await listen(gateway)
  const scaleField = options.scaleField ?? 'replica_count'
  const urlOf = (id: string) => `${serving}/ac/${encodeURIComponent(id)}`
  const api: Api = { world, keys, faults, later, calls, listeners, scaleField, urlOf }

  const server = createServer((request, response) => {
    const url = request.url ?? ''
    const answering = url.startsWith(`${basePath}/`)
      ? answerCall(api, request, response, url.slice(basePath.length))
      : Promise.resolve(send(response, 404, { detail: 'Not Found' }))
    answering.catch((fault: unknown) => {
      // A caller may go away while its body is read; anything else is a bug here, so it is shown loudly.
      if (!request.destroyed) console.error('The platform sandbox broke.', fault)
      response.destroy()
    })
  })
  // Longer than clients keep their sockets, so that none of them writes into a connection that is being closed.
  server.keepAliveTimeout = 75_000
  const origin = await listen(server, options.port).catch(async (fault: unknown) => {
    await close(gateway)
    throw fault
  })
  await Promise.all((options.endpoints ?? []).map(control.add))

  return {
    ...control,
    url: origin + basePath,
    apiKey: [...keys.keys()][0] ?? '',
    faults,
    onCall(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onVisit(listener) {
      visitors.add(listener)
      return () => visitors.delete(listener)
    },
    async stop() {
      later.end()
      for (const id of world.items.keys()) control.remove(id)
      await Promise.all([close(server), close(gateway), ...world.ending])
    },
  }
}
