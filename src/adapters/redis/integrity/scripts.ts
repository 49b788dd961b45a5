/**
 * What is written together with its proof (proof.ts): entries of the audit and changes of records, unless the root is
 * no longer the one it was made for. From `at`: expected root ('-' when there is nothing to prove), next root, how many
 * links, records and keys, then those. From `key`: root, audit, records. XADD comes first: only it can still be refused.
 */
export const proving = `
local function behind(at, key)
  local root = ARGV[at] ~= '-' and (redis.call('GET', KEYS[key]) or '')
  return root and root ~= ARGV[at] and {'behind', root}
end
local function prove(at, key)
  if ARGV[at] == '-' then return at + 1 end
  local links, puts, drops, last = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), at + 5
  for _ = 1, links do
    redis.call('XADD', KEYS[key + 1], ARGV[last] .. '-0', 'mac', ARGV[last + 1], 'text', ARGV[last + 2])
    last = last + 3
  end
  for _ = 1, drops do
    redis.call('HDEL', KEYS[key + 2], ARGV[last])
    last = last + 1
  end
  for _ = 1, puts do
    redis.call('HSET', KEYS[key + 2], ARGV[last], ARGV[last + 1])
    last = last + 2
  end
  redis.call('SET', KEYS[key], ARGV[at + 1])
  return last
end
`

/** KEYS root, audit, records. ARGV a proof. */
export const write = `
${proving}
local late = behind(1, 1)
if late then return late end
prove(1, 1)
return {'moved'}
`

/** KEYS root, records. ARGV expected root, next root, then all records by key. */
export const mend = `
local root = redis.call('GET', KEYS[1]) or ''
if root ~= ARGV[1] then return {'behind', root} end
redis.call('DEL', KEYS[2])
for at = 3, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1]) end
redis.call('SET', KEYS[1], ARGV[2])
return {'moved'}
`

/** KEYS beginning, audit. ARGV beginning as it was, next beginning, id of the first entry that stays. */
export const cut = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[3])
return 1
`
