import type { Redis } from 'ioredis'
import type { Clock } from '../../../core/ports/services.ts'
import type { Keys } from '../connection/keys.ts'
import { scriptOn } from '../connection/script.ts'

/** Slack allows about one message a second in a channel, whatever the way, and bears short bursts. */
const burst = 5
/** Kept back for ends and questions, so that progress never makes them wait. */
const reserve = 2

/** KEYS bucket. ARGV now, tokens that must stay. Answers 0, or the ms until it may be tried again. */
const take = `
local fields = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local now, stay = tonumber(ARGV[1]), tonumber(ARGV[2])
local tokens = math.min(${burst}, (tonumber(fields[1]) or ${burst}) + math.max(0, now - (tonumber(fields[2]) or now)) / 1000)
if tokens < stay + 1 then return math.ceil((stay + 1 - tokens) * 1000) end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - 1), 'at', ARGV[1])
redis.call('PEXPIRE', KEYS[1], 60000)
return 0
`

/** One bucket a channel, shared by every process: 0 to go ahead, else the ms to wait. */
export function createPace(
  redis: Redis,
  keys: Keys,
  clock: Pick<Clock, 'now'>,
): (channel: string, urgent: boolean) => Promise<number> {
  const script = scriptOn(redis, 'lamplighterPace', take)
  return async (channel, urgent) => Number(await script([keys.pace(channel)], [clock.now(), urgent ? 0 : reserve]))
}
