import fc from 'fast-check'
import { channels, deaths, endpointNames, users } from './cast.ts'
import { presses, type Stage, types } from './stage.ts'
import { step } from './step.ts'

/** A request by its position from the newest (true: of all, false: of those waiting), or an endpoint by its name. */
type Which = readonly [boolean, number] | string

function spelled(which: Which): string {
  return typeof which === 'string' ? which : `-${which[1]} of ${which[0] ? 'all' : 'what waits'}`
}

/** Returns the request's id. People mostly answer waiting requests, and sometimes any other. */
export function recent({ oracle, requests }: Stage, which: Which): string {
  if (typeof which === 'string') return which
  const [any, at] = which
  const all = any ? requests.toReversed() : oracle.waiting()
  return all[at % Math.max(1, all.length)] ?? 'r000000000000000000000'
}

const user = fc.constantFrom(...users, 'U0ANA', 'U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA', 'U0EVA')
export const which = fc.tuple(
  fc.nat(5).map((odd) => odd === 0),
  fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)),
)

const verbs = [
  'start stop stop scale scale restart patch patch destroy clear undo cancel',
  'protect protect unprotect unprotect unprotect unprotect keep schedule schedule later idle unschedule unschedule',
].flatMap((all) => all.split(' '))
export const onEndpoint = fc
  .tuple(fc.constantFrom(...verbs), endpointNames, fc.integer({ min: 1, max: 6 }))
  .map(([verb, on, n]) => {
    if (verb === 'scale') return `scale ${on} to ${n}`
    if (verb === 'patch') return `patch ${on} port=${8_000 + n}`
    if (verb === 'destroy') return `patch ${on} command="serve ${n}"`
    if (verb === 'keep') return n === 1 ? `resume ${on}` : `keep ${on} ${n}h`
    if (verb === 'schedule') return `schedule ${on} ${n % 2 === 0 ? 'up weekdays 09:00-20:00' : 'down sat-sun'}`
    if (verb === 'later') return n % 2 === 0 ? `stop ${on} at 19:00` : `start ${on} for ${n}h`
    if (verb === 'idle') return `idle ${on} ${n === 1 ? 'off' : `after ${n}h`}`
    return verb === 'clear' ? `patch ${on} clear=env` : `${verb} ${on}`
  })
export const onProject = fc.constantFrom(
  'freeze because="release"',
  'freeze until 4h because="release"',
  'thaw',
  'thaw',
)
export const absence = fc
  .tuple(fc.constantFrom('U0CLEO', 'U0DORA', 'U0FAY', 'U0ANA', 'U0EVA'), user, fc.constantFrom('1h', '2d', ''), deaths)
  .map(([who, to, until, death]) => {
    const line = until === '' ? 'back' : `away until ${until} to @${to}`
    return step(`${who} types ${line}`, death, (stage) => types(stage, who, line, 'C0OPS'))
  })
export const asking = fc
  .tuple(user, fc.oneof({ weight: 9, arbitrary: onEndpoint }, onProject), fc.constantFrom('C0OPS', ...channels), deaths)
  .map(([who, line, channel, death]) =>
    step(`${who} types ${line} in ${channel}`, death, (stage) => types(stage, who, line, channel)),
  )
const presser = fc.oneof({ weight: 2, arbitrary: fc.constantFrom('U0CLEO', 'U0DORA', 'U0EVA', 'U0FAY', 'U0IDA') }, user)
export const pressing = fc
  .tuple(
    presser,
    which,
    fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: -1, max: 1 })),
    fc.nat(5),
    fc.constantFrom('C0OPS', ...channels, 'Home'),
    deaths,
  )
  .map(([who, one, old, no, where, death]) =>
    step(`${who} presses ${no === 0 ? 'no' : 'yes'} on ${spelled(one)} (ask -${old}) in ${where}`, death, (stage) =>
      presses(stage, who, recent(stage, one), no !== 0, { old, channel: where === 'Home' ? who : where }),
    ),
  )
export const answering = fc
  .tuple(
    user,
    fc.constantFrom('approve', 'approve', 'decline', 'cancel', 'break-glass', 'break-glass'),
    fc.oneof(which, endpointNames),
    fc.constantFrom('C0OPS', ...channels),
    deaths,
  )
  .map(
    ([one0, verb, one, where, death]) =>
      [verb === 'break-glass' && one0 !== 'U0ANA' ? 'U0EVA' : one0, verb, one, where, death] as const,
  )
  .map(([who, verb, one, where, death]) =>
    step(`${who} types ${verb} ${spelled(one)} in ${where}`, death, (stage) => {
      const word = recent(stage, one)
      return types(stage, who, `${verb} ${word}${verb === 'break-glass' ? ' because="it burns"' : ''}`, where)
    }),
  )
