import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { connectWorker, faultsOf, keeping, mastersOf } from '../../adapters/redis/connection/connect.ts'
import { redis as redisSchema, usualPrefix } from '../../config/env/address.ts'
import { parseVariable, readVariable, sealingKey } from '../../config/env/environment.ts'
import { silent } from '../../core/ports/meter.ts'
import { redisAddress } from '../../core/text/redis-address.ts'
import { asText } from '../../core/words/render.ts'
import { redisReady } from '../../start.ts'
import type { SetupDraft } from './draft.ts'

export interface RedisWishes {
  /** Docker Compose runs its own Redis. */
  readonly compose: boolean
  /** Changes Redis' settings without asking. */
  readonly setRedis: boolean
  /** Their data in Redis must have been signed with the key. */
  readonly projects: readonly { readonly name: string }[]
}

export async function takeRedis(draft: SetupDraft, wishes: RedisWishes): Promise<'tested' | 'compose'> {
  if (wishes.compose) return forCompose(draft)
  const question = {
    name: 'REDIS_URL',
    message: 'Address of Redis, or the word compose if Docker Compose runs it',
    usual: 'redis://127.0.0.1:6379',
  }
  const taken = await draft.take(question, async (url) => {
    if (url === 'compose') return forCompose(draft)
    await test(draft, url, wishes)
    return 'tested' as const
  })
  return taken ?? 'tested'
}

function forCompose(draft: SetupDraft): 'compose' {
  draft.set('REDIS_PASSWORD', readVariable(draft.env, 'REDIS_PASSWORD') ?? randomBytes(32).toString('hex'))
  for (const [name] of draft.lines())
    if (name.endsWith('_FILE')) draft.fail(`compose.yaml doesn’t pass ${name} on. Set ${name.slice(0, -5)} itself.`)
  draft.say('✓ Redis: Docker Compose runs it, with the password in REDIS_PASSWORD.')
  return 'compose'
}

async function test(draft: SetupDraft, url: string, wishes: RedisWishes): Promise<void> {
  parseVariable('REDIS_URL', url, redisSchema, 'Give the address of your Redis, or add --compose.')
  const { password } = redisAddress(url)
  if (password !== undefined) draft.hide(password)
  const redis = connectWorker(url, silent)
  try {
    const prefix = readVariable(draft.env, 'LAMPLIGHTER_PREFIX') ?? usualPrefix
    const key = sealingKey.safeParse(draft.env['LAMPLIGHTER_KEY']).data
    const { projects } = wishes
    const skew = await redisReady({ mayForget: true, isTrial: true, prefix, key, projects }, redis, silent)()
    skew.stop()
    const isFree = readVariable(draft.env, 'LAMPLIGHTER_REDIS_MAY_FORGET') === 'yes'
    if (!isFree) await settle(draft, redis, wishes.setRedis)
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    if (draft.ask === null || !/\b(NOAUTH|WRONGPASS)\b/.test(says)) throw new Error(withRemedy(says))
    draft.say(`✗ ${says}`)
    return test(draft, withPassword(url, await draft.ask.secret('Password of Redis')), wishes)
  } finally {
    redis.disconnect()
  }
  draft.set('REDIS_URL', url)
  draft.say('✓ Redis: reached.')
}

function withRemedy(says: string): string {
  if (!says.startsWith('Redis cannot be reached')) return says
  return `${says} To start one: docker run -d --name redis -p 127.0.0.1:6379:6379 -v redis:/data redis:8 --appendonly yes --maxmemory-policy noeviction`
}

function withPassword(url: string, password: string): string {
  const [, scheme = '', login = '', rest = ''] = /^(\w+(?:\+\w+)?:\/\/)(?:([^@/]*)@)?(.*)$/.exec(url) ?? []
  return `${scheme}${login.split(':')[0]}:${encodeURIComponent(password)}@${rest}`
}

/** Makes Redis keep its data. Throws a sentence that says what to do if that isn't possible here. */
async function settle(draft: SetupDraft, redis: Redis, setRedis: boolean): Promise<void> {
  const faults = await faultsOf(redis)
  if (faults === null) return draft.say(`· Redis doesn’t show its settings. ${hosted}`)
  if (faults.length === 0) return
  const says = `Redis may lose data. ${asText(faults, 'en')}`
  if (draft.ask !== null) draft.say(`✗ ${says}`)
  const isWanted = setRedis || (await draft.ask?.confirm('Set this now, with CONFIG SET?')) === true
  const byHand = keeping.map(([name, value]) => `CONFIG SET ${name} ${value}`).join(' and ')
  if (!isWanted) throw new Error(`${says} Run ${byHand}, or add --set-redis. ${toKeep}`)
  if (draft.isFailed()) return draft.fail(`${says} This was not changed, because the run has failed.`)
  try {
    for (const one of mastersOf(redis)) for (const [name, value] of keeping) await one.config('SET', name, value)
  } catch (error) {
    throw new Error(`${says} It rejects CONFIG SET (${String(error)}). ${hosted}`)
  }
  const rewritten = await Promise.allSettled(mastersOf(redis).map((one) => one.config('REWRITE')))
  const isKept = rewritten.every(({ status }) => status === 'fulfilled')
  draft.say(isKept ? '✓ Redis: set, and written to its configuration file.' : `· Redis: set. ${toKeep}`)
}

const toKeep =
  'This lasts until Redis restarts: add appendonly yes and maxmemory-policy noeviction to its configuration too.'

/** The remedy if CONFIG SET is refused. */
const hosted = 'In the console of its provider, turn on the append-only file and set maxmemory-policy to noeviction.'
