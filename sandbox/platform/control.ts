import { atConsole, patch, rename, scale, start, stop } from './changes.ts'
import type { Later } from './later.ts'
import { writeLine } from './log-file.ts'
import type { CallRecord, Control } from './types.ts'
import { endpointView } from './views.ts'
import { add, type Item, remove, spread, type World } from './world.ts'

export function createControl(world: World, later: Later, calls: readonly CallRecord[]): Control {
  function item(id: string): Item {
    later.catchUp()
    const found = world.items.get(id)
    if (!found) throw new Error(`There is no endpoint ${id} in the sandbox.`)
    return found
  }

  return {
    async add(endpoint) {
      const { id, replicas } = add(world, endpoint)
      await Promise.all(replicas.map((replica) => replica.url()))
      return id
    },
    remove: (id) => remove(world, item(id)),
    rename: (id, name) => rename(world, item(id), name),
    console: {
      start: (id) => void start(world, item(id), atConsole),
      stop: (id) => void stop(world, item(id), atConsole),
      scale: (id, count) => void scale(world, item(id), count, atConsole),
      patch: (id, settings) => patch(world, item(id), settings, atConsole),
    },
    fate(id, fate) {
      item(id).fate = fate
    },
    traffic(id, traffic) {
      const found = item(id)
      found.traffic = { ...found.traffic, ...traffic }
      spread(found)
    },
    scrapes(id, fate) {
      item(id).scrapes = fate
    },
    reach(id, replicas) {
      item(id).reached = replicas
    },
    renew(id) {
      for (const replica of item(id).replicas) replica.renew()
    },
    log(id, line) {
      for (const { file } of item(id).replicas) writeLine(file, world.clock.now(), 'stdout', line)
    },
    endpoints() {
      later.catchUp()
      return [...world.items.values()].map(endpointView)
    },
    replicas: (id) =>
      Promise.all(
        item(id).replicas.map(async (replica) => ({
          id: replica.id,
          state: replica.state(),
          url: await replica.url(),
        })),
      ),
    changes() {
      later.catchUp()
      return [...world.changes]
    },
    calls: () => [...calls],
  }
}
