import { proving } from '../integrity/proof.ts'
import { bucketing } from './rate-limits.ts'

// Every change of a request is one of these scripts. ioredis may repeat a command whose reply was lost, so each takes a
// token of its caller and gives the same answer to the same token.

/** Stores nothing after the caller's deadline, by Redis' own clock, unless it was stored before. */
const unlessLate = `
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(deadline) then return {'late', 0} end
`

/** KEYS 4: the heartbeat of workers; 5: the mark of a stranger; from 6: buckets, with their ARGV from 7. */
export const storeRequest = `
${bucketing}
local request, wake, reply = unpack(KEYS)
local deadline, id, text, due, url, urlLife = unpack(ARGV)
local stored = redis.call('MGET', unpack(KEYS, 4))
local workers = stored[1] and 1 or 0
if redis.call('EXISTS', request) == 1 then return {'known', workers} end
${unlessLate}
local empty = emptyAmong(6, 7, stored, stored[2])
if empty then return {'refused', empty} end
redis.call('HSET', request, 'version', 1, 'text', text)
redis.call('ZADD', wake, due, id)
if url ~= '' then redis.call('SET', reply, url, 'PX', urlLife) end
return {'stored', workers}
`

/** Tells the holder to check again, and wakes the others. KEYS 6: the heartbeat; 7: a bucket, with its ARGV from 8. */
export const storePress = `
${bucketing}
local request, presses, wake, reply, press = unpack(KEYS)
local deadline, id, text, due, url, urlLife, pressLife = unpack(ARGV)
local stored = redis.call('MGET', unpack(KEYS, 5))
local workers = stored[2] and 1 or 0
if stored[1] then return {'known', workers} end
if redis.call('EXISTS', request) == 0 then return {'gone', workers} end
${unlessLate}
local empty = emptyAmong(7, 8, stored)
if empty then return {'refused', empty} end
redis.call('SET', press, 1, 'PX', pressLife)
redis.call('RPUSH', presses, text)
redis.call('HSET', request, 'again', 1)
redis.call('ZADD', wake, 'LT', due, id)
if url ~= '' then redis.call('SET', reply, url, 'PX', urlLife) end
return {'stored', workers}
`

/** Answers the request with the root at that moment. `due`: when the lease will have lapsed. */
export const claim = `
local request, lease, presses, wake, root = unpack(KEYS)
local token, leaseMs, id, due = unpack(ARGV)
local version, text, posts, starts, again = unpack(redis.call('HMGET', request, 'version', 'text', 'posts', 'starts', 'again'))
if not version and not text then
  redis.call('ZREM', wake, id)
  return {'gone'}
end
if redis.call('SET', lease, token, 'NX', 'PX', leaseMs) then
  starts = redis.call('HINCRBY', request, 'starts', 1)
elseif redis.call('GET', lease) == token then
  redis.call('PEXPIRE', lease, leaseMs)
else
  if not again then redis.call('HSET', request, 'again', 1) end
  return {'claimed'}
end
if again then redis.call('HDEL', request, 'again') end
redis.call('ZADD', wake, due, id)
local pressed = redis.call('LRANGE', presses, 0, -1)
return {'yours', version, text, posts or '', starts or '0', pressed, redis.call('GET', root) or ''}
`

export const renew = `
local lease, token, leaseMs = KEYS[1], ARGV[1], ARGV[2]
if redis.call('GET', lease) ~= token then return 0 end
return redis.call('PEXPIRE', lease, leaseMs)
`

/**
 * Changes all or nothing. `done` is the endpoint's last finished operation, `past` the index of ended operations,
 * `recent` the endpoint's last requests. `locking` is 'take', 'drop', 'free' or ''; `ended` 'done', 'planned' or '';
 * `endedAt` the time of its end or ''; operations that ended before `forgotten` leave the index; `proposed` is the
 * expected count of proposals or ''. ARGV from 13: the proof, then events of strangers. KEYS 13, only with those: the
 * stranger's mark. For ten minutes the rate limits take that person for one.
 */
export const move = `
${proving}
local request, lease, strangers, presses, lock, done, past, root, audit, records, recent, proposals = unpack(KEYS)
local token, moveToken, version, text, locking, id, answered, ended, endedAt, forgotten, entries, proposed = unpack(ARGV, 1, 12)
local before = redis.call('HMGET', request, 'version', 'move', 'entries')
if before[2] == moveToken then return {'moved'} end
local leased, holder, rooted = unpack(redis.call('MGET', lease, lock, root))
if leased ~= token or before[1] ~= version then return {'stale'} end
if (locking == 'take' or locking == 'free') and holder and holder ~= id then return {'taken', holder} end
if proposed ~= '' and (redis.call('GET', proposals) or '0') ~= proposed then return {'outdated'} end
local late = behind(13, rooted)
if late then return late end
local event = prove(13, 8)
if proposed ~= '' then redis.call('INCR', proposals) end
if locking == 'take' and not holder then redis.call('SET', lock, id) end
if locking == 'drop' and holder == id then redis.call('DEL', lock) end
if ended == 'done' then redis.call('SET', done, id) end
if ended ~= '' and redis.call('LPUSH', recent, id) >= 20 then redis.call('LTRIM', recent, 0, 9) end
local numbers = entries ~= '' and {'entries', (before[3] and before[3] .. ',' or '') .. entries} or {}
redis.call('HSET', request, 'version', version + 1, 'move', moveToken, 'text', text, 'starts', 0, unpack(numbers))
if endedAt ~= '' then
  redis.call('ZADD', past, endedAt, id)
  redis.call('ZREMRANGEBYSCORE', past, '-inf', '(' .. forgotten)
end
for at = event, #ARGV do redis.call('RPUSH', strangers, ARGV[at]) end
if KEYS[13] then redis.call('SET', KEYS[13], 1, 'PX', 600000) end
if tonumber(answered) > 0 then redis.call('LTRIM', presses, answered, -1) end
return {'moved'}
`

/** `life`: how long the request is kept there, ms. */
export const setAside = `
local request, lease, wake, aside, lock = unpack(KEYS)
local token, id, life = unpack(ARGV)
if redis.call('GET', lease) ~= token then return 0 end
redis.call('RENAME', request, aside)
redis.call('PEXPIRE', aside, life)
redis.call('ZREM', wake, id)
if redis.call('GET', lock) == id then redis.call('DEL', lock) end
return redis.call('DEL', lease)
`

export const savePosts = `
local request, lease = unpack(KEYS)
local token, posts = unpack(ARGV)
if redis.call('GET', lease) ~= token then return 0 end
redis.call('HSET', request, 'posts', posts)
return 1
`

/** Answers 0 and keeps the lease if something came in. `due`, `life` (ms), `posts` may be ''; `left`: open presses. */
export const release = `
local request, lease, wake, presses = unpack(KEYS)
local token, releaseToken, leaseMs, id, due, life, left, posts = unpack(ARGV)
local holder = redis.call('GET', lease)
if holder ~= token then return holder and -1 or 1 end
if posts ~= '' then redis.call('HSET', request, 'posts', posts) end
local again, kept = unpack(redis.call('HMGET', request, 'again', 'kept'))
if again or kept == releaseToken then
  if again then redis.call('HDEL', request, 'again') end
  redis.call('HSET', request, 'kept', releaseToken)
  redis.call('PEXPIRE', lease, leaseMs)
  return 0
end
redis.call('DEL', lease)
if due == '' then redis.call('ZREM', wake, id) else redis.call('ZADD', wake, due, id) end
if life == '' then
  redis.call('HDEL', request, 'starts')
  return 1
end
redis.call('HDEL', request, 'starts', 'move', 'kept')
redis.call('PEXPIRE', request, life)
if left ~= '0' then redis.call('PEXPIRE', presses, life) end
return 1
`

/** Nothing was tried, so it does not count as a start. */
export const leave = `
local lease, request, wake = unpack(KEYS)
local token, id, due = unpack(ARGV)
if redis.call('GET', lease) ~= token then return 0 end
if redis.call('EXISTS', request) == 1 then redis.call('HINCRBY', request, 'starts', -1) end
redis.call('ZADD', wake, due, id)
return redis.call('DEL', lease)
`
