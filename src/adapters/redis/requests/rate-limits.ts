import type { Redis } from 'ioredis'
import type { Row } from '../../../core/commands/define.ts'
import { isAutomatic, type Request } from '../../../core/model/request.ts'
import type { Actor } from '../../../core/model/roles.ts'
import type { Clock } from '../../../core/ports/services.ts'
import { hourMs } from '../../../core/time/calendar.ts'
import { scriptOn } from '../connection/calls.ts'
import type { Keys } from '../connection/keys.ts'

/** Limits for one person's answers and for all lines of a project, as multiples of one person's lines. */
const answersFor = 3
const projectFor = 10
/** A program's limit for proposals within an hour, as the same multiple: people have to read each. */
const proposalsFor = 1.5

/**
 * Returns the buckets to take a token from: `places`, and `args` for the script: now, then the ms of a token and of a
 * full bucket for each. Buckets of a person go by the user id alone, because on an Enterprise Grid people act from
 * several workspaces. Each program has its own, and all programs share one, so that they never lock people out.
 * `perMinute`: how many lines of one person are accepted within a minute; undefined: all. `now`: ms since 1970.
 */
export function bucketsOf(
  keys: Keys,
  { user }: Actor,
  what: 'line' | 'proposal' | 'answer' | null,
  perMinute: number | undefined,
  now: number,
  program?: string,
) {
  if (perMinute === undefined || what === null) return { places: [], args: [] }
  const own = program === undefined ? user : `${user}:${program}`
  if (what === 'answer')
    return { places: [keys.bucket(`answers:${own}`)], args: [now, ...sizeFor(perMinute * answersFor)] }
  const all = keys.bucket(program === undefined ? 'project' : 'programs')
  const places = [keys.bucket(`lines:${own}`), all]
  const args = [now, ...sizeFor(perMinute), ...sizeFor(perMinute * projectFor)]
  if (what === 'line') return { places, args }
  const hourly = sizeFor(perMinute * proposalsFor, hourMs)
  return { places: [...places, keys.bucket(`proposals:${own}`)], args: [...args, ...hourly] }
}

/** Returns what a line counts as; null for rules, which act for everybody. Answers get in however much else is sent. */
export function countedAs(request: Request, row: Row | undefined): 'line' | 'proposal' | 'answer' | null {
  if (isAutomatic(request)) return null
  if (row?.deed !== undefined && row.deed !== 'undo') return 'answer'
  return row?.kind === 'operation' && request.via === 'program' ? 'proposal' : 'line'
}

/** `count`: how many are accepted in `within` ms. */
function sizeFor(count: number, within = 60_000): readonly [token: number, all: number] {
  return [within / count, within]
}

/**
 * A bucket is stored as the time at which it is full again: one number, which expires by then. KEYS from `key`:
 * buckets; `stored`: the values of the last keys, the buckets included. ARGV from `at`: as `bucketsOf` gives them.
 * Takes a token from each bucket, or, if one is empty, takes none and answers the position of the first empty one.
 * `isStranger`: spares the second bucket, which everybody shares, so that people without a role can't empty it.
 */
export const bucketing = `
local function emptyAmong(key, at, stored, isStranger)
  local now, first, fullAt = tonumber(ARGV[at]), #stored - #KEYS, {}
  for nth = key, #KEYS do
    local token, all = tonumber(ARGV[at + 1 + 2 * (nth - key)]), tonumber(ARGV[at + 2 + 2 * (nth - key)])
    fullAt[nth] = math.max(now, tonumber(stored[nth + first] or now)) + token
    if isStranger and nth == key + 1 then fullAt[nth] = nil
    elseif fullAt[nth] - now > all + 0.01 then return nth - key + 1 end
  end
  for nth = key, #KEYS do
    if fullAt[nth] then redis.call('SET', KEYS[nth], string.format('%.3f', fullAt[nth]), 'PX', math.ceil(fullAt[nth] - now)) end
  end
end
`

/** Slack allows about one message a second in a channel, by any method, and tolerates short bursts. */
const burst = 5
/** Reserved for results and questions, so that progress never makes them wait. */
const reserve = 2

/** KEYS bucket. ARGV now, how far from full it may be, ms. Answers the ms to wait, or 0. */
const take = `
local now = tonumber(ARGV[1])
local fullAt = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))
-- The clock was set back: those of two processes differ by less than that.
if fullAt > now + ${2 * burst * 1_000} then fullAt = now end
local wait = fullAt - now - ARGV[2]
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', fullAt + 1000), 'PX', math.ceil(fullAt + 1000 - now))
return 0
`

/** Keeps one bucket per channel, shared by all processes. Returns 0 to go ahead, or the ms to wait. */
export function createPace(redis: Redis, keys: Keys, clock: Pick<Clock, 'now'>) {
  const script = scriptOn(redis, 'lamplighterPace', take)
  return async (channel: string, urgent: boolean) => {
    const most = (burst - 1 - (urgent ? 0 : reserve)) * 1_000
    return Number(await script([keys.pace(channel)], [clock.now(), most]))
  }
}
