import type { Change, Settings } from './types.ts'
import { type By, type Item, populate, release, type World } from './world.ts'

/** A person who bypasses the API. */
export const atConsole: By = { by: 'console', key: null }

/** Returns whether it changed anything. */
export function start(world: World, item: Item, by: By): boolean {
  const effective = !item.active
  if (effective) {
    item.active = true
    item.count = Math.min(item.count, world.mostAfterStart)
    touch(world, item)
    populate(world, item, world.clock.now())
  }
  note(world, item, 'start', effective, by)
  return effective
}

export function stop(world: World, item: Item, by: By): boolean {
  const effective = item.active
  if (effective) {
    item.active = false
    const stopped = world.clock.now() + world.stopDelayMs
    item.isStopping = () => world.clock.now() < stopped
    touch(world, item)
    for (const replica of item.replicas) release(world, item, replica)
    item.replicas = []
  }
  note(world, item, 'stop', effective, by)
  return effective
}

/** Returns the previous number of replicas. */
export function scale(world: World, item: Item, count: number, by: By): number {
  const previous = item.count
  if (count !== previous) {
    item.count = count
    touch(world, item)
    for (const replica of item.replicas.slice(count)) release(world, item, replica)
    item.replicas = item.replicas.slice(0, count)
    populate(world, item, world.clock.now())
  }
  note(world, item, 'scale', count !== previous, by)
  return previous
}

export function patch(world: World, item: Item, settings: Partial<Settings>, by: By): void {
  const before = item.settings.container_env_vars ?? []
  const given = settings.container_env_vars
  const kept = before.filter(({ key }) => !given?.some((pair) => pair.key === key))
  const env = world.mergesEnv && given ? { container_env_vars: [...kept, ...given] } : {}
  item.settings = { ...item.settings, ...settings, ...env }
  touch(world, item)
  note(world, item, 'patch', true, by)
}

export function rename(world: World, item: Item, name: string): void {
  item.name = name
  touch(world, item)
}

function touch(world: World, item: Item): void {
  item.updatedAt = world.clock.now()
}

function note(world: World, item: Item, kind: Change['kind'], effective: boolean, { by, key }: By): void {
  world.changes.push({ at: world.clock.now(), endpointId: item.id, kind, effective, by, key })
}
