import type { Redis } from 'ioredis'
import { inflated } from '../../src/adapters/redis/integrity/sign.ts'
import { policyOf, type Town, type TownOptions } from './town.ts'

/*
 * The contents of Redis as a release stored them: `test/golden/` has a file per release, made by the product while it
 * played the story below.
 */

/** A fixed prefix and key, so that data signed in one run are valid in the next. */
export const key = Buffer.alloc(32, 7)
const prefix = 'golden'
export const tag = `{${prefix}:default}`

const policy = policyOf(`
    endpoints:
      - { match: [asks], matrix: { disruptive: { active: approval } } }
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
      admin: [user:U0BEN]
`)

export const stage: TownOptions = {
  policy,
  // At another instant the schedule would act, and other fields would be stored.
  at: '2026-11-25T10:00:00Z',
  endpoints: ['moves', 'asks', 'waits', 'runs', 'rests'].map((name) => ({
    id: `ep-${name}`,
    name,
    active: name !== 'runs' && name !== 'rests',
    replicas: 2,
  })),
  platform: { startDelayMs: 600_000 },
  env: { LAMPLIGHTER_KEY: key.toString('base64'), LAMPLIGHTER_PREFIX: prefix },
}

/** Plays requests that have ended, are running and are waiting, and makes records. Leaves the last press unanswered. */
export async function play({ slack }: Pick<Town, 'slack'>, stopWorker: () => Promise<void>): Promise<void> {
  const [ana, ben, cleo] = [slack.as('U0ANA'), slack.as('U0BEN'), slack.as('U0CLEO')]
  const ops = { in: 'ops' } as const
  async function says(line: string, seen: string | RegExp): Promise<void> {
    await ana.types('ops', `/endpoint ${line}`)
    await ana.sees(seen, ops)
  }
  await says('list', '5 endpoints')
  await says('stop moves because="moving to v2"', 'Stop moves?')
  await cleo.presses('Stop moves', ops)
  await ana.presses('Stop moves', ops)
  await ana.sees('Stopped moves', ops)
  await says('patch rests port=9000', 'Patched rests')
  await says('protect moves because="a demo"', 'Protected moves')
  await says('keep asks 2h', 'Paused automation for asks')
  await says('schedule waits up weekdays 09:00-20:00 Asia/Seoul', '[Save schedule]')
  await ana.presses('Save schedule', ops)
  await ana.sees('Scheduled waits', ops)
  await says('start runs', 'Starting runs')
  await says('stop asks', 'Stop asks?')
  await says('start rests for 2h', 'Starting rests until')
  await says('idle waits after 2h', '[Turn on idle stop]')
  await ana.presses('Turn on idle stop', ops)
  await ana.sees('later waits stops', ops)
  await ben.types('ops', '/endpoint away until 2d to @cleo')
  await ben.sees('Delegated approvals', ops)
  await says('freeze because="a demo"', 'Paused all automation')
  await stopWorker()
  await ben.presses('Approve: Stop asks', ops)
}

type Kept =
  | { readonly string: string }
  | { readonly hash: Readonly<Record<string, string>> }
  | { readonly list: readonly string[] }
  | { readonly zset: readonly string[] }
  | { readonly stream: readonly (readonly [id: string, fields: readonly string[]])[] }
/** Stored values by the part of the key after the tag. */
export type Golden = Readonly<Record<string, Kept>>

/** Leases, timestamps and BullMQ's own keys, which no later process reads. */
const passing = /^(lease|press|pace|bucket|heartbeat|changes|answers|ticks)\b|:turn\b|:ticked$/

export async function dumped(redis: Redis): Promise<Golden> {
  const names = (await redis.keys(`${tag}:*`))
    .map((one) => one.slice(tag.length + 1))
    .filter((one) => !passing.test(one))
  const kept = await Promise.all(
    names.toSorted().map(async (one) => [one, await keptAt(redis, `${tag}:${one}`)] as const),
  )
  return Object.fromEntries(kept)
}

async function keptAt(redis: Redis, at: string): Promise<Kept> {
  switch (await redis.type(at)) {
    case 'hash':
      return { hash: await redis.hgetall(at) }
    case 'list':
      return { list: await redis.lrange(at, 0, -1) }
    case 'zset':
      return { zset: await redis.zrange(at, '0', '-1', 'WITHSCORES') }
    case 'stream':
      return { stream: await redis.xrange(at, '-', '+') }
    default:
      return { string: (await redis.get(at)) ?? '' }
  }
}

/** Restores everything, and removes all other keys under the tag. */
export async function restore(redis: Redis, golden: Golden): Promise<void> {
  await forget(redis)
  for (const [name, kept] of Object.entries(golden)) {
    const at = `${tag}:${name}`
    if ('string' in kept) await redis.set(at, kept.string)
    else if ('hash' in kept) await redis.hset(at, kept.hash)
    else if ('list' in kept) await redis.rpush(at, ...kept.list)
    else if ('zset' in kept)
      for (let nth = 0; nth < kept.zset.length; nth += 2) await redis.zadd(at, kept.zset[nth + 1]!, kept.zset[nth]!)
    else for (const [id, fields] of kept.stream) await redis.xadd(at, id, ...fields)
  }
}

export async function forget(redis: Redis): Promise<void> {
  const there = await redis.keys(`${tag}:*`)
  if (there.length > 0) await redis.del(...there)
}

/** Returns the stored values of each shape, without MACs. */
export function shapesIn(golden: Golden): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>()
  function add(shape: string, text: string): void {
    const json = /^(?:[\w-]{43})?([{[].*)$/s.exec(text)?.[1]
    if (json !== undefined) found.set(shape, [...(found.get(shape) ?? []), JSON.parse(inflated(json)) as unknown])
  }
  for (const [name, kept] of Object.entries(golden)) {
    const [kind = ''] = name.split(':')
    if ('string' in kept) add(kind, kept.string)
    else if ('hash' in kept)
      for (const [field, text] of Object.entries(kept.hash)) add(field === 'posts' ? field : kind, text)
    else if ('list' in kept) for (const text of kept.list) add(kind, text)
    else if ('stream' in kept) for (const [, fields] of kept.stream) add('entry', inflated(fields[3] ?? ''))
  }
  return found
}

/** Returns the path and type of every nested field: `plan[].call.path: string`. Names that are data become `*`. */
export function fieldsOf(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, `${at}[]`))
  if (typeof value !== 'object' || value === null) return [`${at}: ${value === null ? 'null' : typeof value}`]
  const isNamed = /(byKey|params\.path|byState)$/i.test(at)
  return Object.entries(value).flatMap(([name, one]) => fieldsOf(one, `${at}.${isNamed ? '*' : name}`))
}
