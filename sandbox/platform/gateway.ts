import { createServer, type Server } from 'node:http'
import type { World } from './world.ts'

/** The path of an endpoint's own address; the rest goes to its replicas. */
const servingPath = /^\/ac\/([^/?]+)(\/[^?]*)?(\?.*)?$/

/** Serves every endpoint at its public address, by its running replicas in turn. Calls `visited` for each request. */
export function createGateway(world: World, visited: () => void): Server {
  const turns = new Map<string, number>()
  return createServer((request, response) => {
    visited()
    const [, id = '', path = '/', query = ''] = servingPath.exec(request.url ?? '') ?? []
    const item = world.items.get(decoded(id))
    if (!item) return void response.writeHead(404).end('No such endpoint')
    if (item.servingKey !== null && request.headers.authorization !== `Bearer ${item.servingKey}`) {
      return void response.writeHead(401).end('invalid api key')
    }
    const reached = item.replicas.slice(0, item.reached ?? item.replicas.length)
    const running = reached.filter((replica) => replica.state() === 'RUNNING')
    const turn = turns.get(item.id) ?? 0
    turns.set(item.id, turn + 1)
    const replica = running[turn % running.length]
    if (!replica) return void response.writeHead(503).end('No replica is running')
    request.url = path + query
    replica.answer(request, response)
  })
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return ''
  }
}
