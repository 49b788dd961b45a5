import { proving } from '../integrity/proof.ts'
import { bucketing } from './rate-limits.ts'

// Every change of a request is one of these scripts. ioredis may repeat a command whose reply was lost, so each takes a
// token of its caller and gives the same answer to the same token.

/**
 * Stores nothing after the caller's deadline, because the caller then says "nothing was done". The deadline is compared
 * with Redis' own clock, but only after checking whether the request was stored before.
 */
const unlessLate = `
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[1]) then return {'late', 0} end
`

/** KEYS request, wake, reply, heartbeat, buckets. ARGV deadline, id, text, due, reply url, its life, bucket args. */
export const storeRequest = `
${bucketing}
local stored = redis.call('MGET', unpack(KEYS, 4))
local workers = stored[1] and 1 or 0
if redis.call('EXISTS', KEYS[1]) == 1 then return {'known', workers} end
${unlessLate}
local empty = emptyAmong(5, 7, stored)
if empty then return {'refused', empty} end
redis.call('HSET', KEYS[1], 'version', 1, 'text', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[2])
if ARGV[5] ~= '' then redis.call('SET', KEYS[3], ARGV[5], 'PX', ARGV[6]) end
return {'stored', workers}
`

/**
 * KEYS request, presses, wake, reply, press, heartbeat, bucket. ARGV deadline, request id, text, due, reply url,
 * reply's life, memory of presses in ms, bucket args. Tells the holder of the request to check again, and wakes the
 * others.
 */
export const storePress = `
${bucketing}
local stored = redis.call('MGET', unpack(KEYS, 5))
local workers = stored[2] and 1 or 0
if stored[1] then return {'known', workers} end
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone', workers} end
${unlessLate}
local empty = emptyAmong(7, 8, stored)
if empty then return {'refused', empty} end
redis.call('SET', KEYS[5], 1, 'PX', ARGV[7])
redis.call('RPUSH', KEYS[2], ARGV[3])
redis.call('HSET', KEYS[1], 'again', 1)
redis.call('ZADD', KEYS[3], 'LT', ARGV[4], ARGV[2])
if ARGV[5] ~= '' then redis.call('SET', KEYS[4], ARGV[5], 'PX', ARGV[6]) end
return {'stored', workers}
`

/**
 * KEYS request, lease, presses, wake, root. ARGV token, lease in ms, id, due when the lease has lapsed. Answers the
 * request with the root at that moment.
 */
export const claim = `
local version, text, posts, starts, again = unpack(redis.call('HMGET', KEYS[1], 'version', 'text', 'posts', 'starts', 'again'))
if not version and not text then
  redis.call('ZREM', KEYS[4], ARGV[3])
  return {'gone'}
end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
  starts = redis.call('HINCRBY', KEYS[1], 'starts', 1)
elseif redis.call('GET', KEYS[2]) == ARGV[1] then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
else
  if not again then redis.call('HSET', KEYS[1], 'again', 1) end
  return {'held'}
end
if again then redis.call('HDEL', KEYS[1], 'again') end
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[3])
local presses, root = redis.call('LRANGE', KEYS[3], 0, -1), redis.call('GET', KEYS[5]) or ''
return {'yours', version, text, posts or '', starts or '0', presses, root}
`

/** KEYS lease. ARGV token, lease in ms. */
export const renew = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`

/**
 * KEYS request, lease, strangers, presses, lock, the endpoint's last finished operation, index of ended operations,
 * root, audit, records, the endpoint's last requests, count of proposals. ARGV lease token, move token, version, text,
 * lock ('take', 'drop' or ''), id, presses answered, 'done', 'planned' or '', time of its end or '', time before which
 * ended ones are forgotten, numbers of its entries, expected count of proposals or '', the proof, events of strangers.
 * Changes all or nothing.
 */
export const move = `
${proving}
local fields = redis.call('HMGET', KEYS[1], 'version', 'move', 'entries')
if fields[2] == ARGV[2] then return {'moved'} end
local lease, holder, root = unpack(redis.call('MGET', KEYS[2], KEYS[5], KEYS[8]))
if lease ~= ARGV[1] or fields[1] ~= ARGV[3] then return {'stale'} end
if ARGV[5] == 'take' and holder and holder ~= ARGV[6] then return {'taken', holder} end
if ARGV[12] ~= '' and (redis.call('GET', KEYS[12]) or '0') ~= ARGV[12] then return {'outdated'} end
local late = behind(13, root)
if late then return late end
local event = prove(13, 8)
if ARGV[12] ~= '' then redis.call('INCR', KEYS[12]) end
if ARGV[5] == 'take' and not holder then redis.call('SET', KEYS[5], ARGV[6]) end
if ARGV[5] == 'drop' and holder == ARGV[6] then redis.call('DEL', KEYS[5]) end
if ARGV[8] == 'done' then redis.call('SET', KEYS[6], ARGV[6]) end
if ARGV[8] ~= '' and redis.call('LPUSH', KEYS[11], ARGV[6]) >= 20 then redis.call('LTRIM', KEYS[11], 0, 9) end
local entries = ARGV[11] ~= '' and {'entries', (fields[3] and fields[3] .. ',' or '') .. ARGV[11]} or {}
redis.call('HSET', KEYS[1], 'version', ARGV[3] + 1, 'move', ARGV[2], 'text', ARGV[4], 'starts', 0, unpack(entries))
if ARGV[9] ~= '' then
  redis.call('ZADD', KEYS[7], ARGV[9], ARGV[6])
  redis.call('ZREMRANGEBYSCORE', KEYS[7], '-inf', '(' .. ARGV[10])
end
for at = event, #ARGV do redis.call('RPUSH', KEYS[3], ARGV[at]) end
if tonumber(ARGV[7]) > 0 then redis.call('LTRIM', KEYS[4], ARGV[7], -1) end
return {'moved'}
`

/** KEYS request, lease, wake, where it goes, lock. ARGV lease token, id, how long it is kept in ms. */
export const setAside = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('RENAME', KEYS[1], KEYS[4])
redis.call('PEXPIRE', KEYS[4], ARGV[3])
redis.call('ZREM', KEYS[3], ARGV[2])
if redis.call('GET', KEYS[5]) == ARGV[2] then redis.call('DEL', KEYS[5]) end
return redis.call('DEL', KEYS[2])
`

/** KEYS request, lease. ARGV lease token, posts. */
export const savePosts = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'posts', ARGV[2])
return 1
`

/**
 * KEYS request, lease, wake, presses. ARGV lease token, release token, lease in ms, id, due or '', life in ms or '',
 * how many presses are left, posts or ''. Answers 0, and keeps the lease, if something came in meanwhile.
 */
export const release = `
local holder = redis.call('GET', KEYS[2])
if holder ~= ARGV[1] then return holder and -1 or 1 end
if ARGV[8] ~= '' then redis.call('HSET', KEYS[1], 'posts', ARGV[8]) end
local again, kept = unpack(redis.call('HMGET', KEYS[1], 'again', 'kept'))
if again or kept == ARGV[2] then
  if again then redis.call('HDEL', KEYS[1], 'again') end
  redis.call('HSET', KEYS[1], 'kept', ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
  return 0
end
redis.call('DEL', KEYS[2])
if ARGV[5] == '' then redis.call('ZREM', KEYS[3], ARGV[4]) else redis.call('ZADD', KEYS[3], ARGV[5], ARGV[4]) end
if ARGV[6] == '' then
  redis.call('HDEL', KEYS[1], 'starts')
  return 1
end
redis.call('HDEL', KEYS[1], 'starts', 'move', 'kept')
redis.call('PEXPIRE', KEYS[1], ARGV[6])
if ARGV[7] ~= '0' then redis.call('PEXPIRE', KEYS[4], ARGV[6]) end
return 1
`

/** KEYS lease, request, wake. ARGV lease token, id, due. Nothing was tried, so it does not count as a start. */
export const leave = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('HINCRBY', KEYS[2], 'starts', -1) end
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
return redis.call('DEL', KEYS[1])
`
