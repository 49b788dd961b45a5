import { scalingTo, starting } from '../../core/commands/call.ts'
import { defineOperation } from '../../core/commands/define.ts'
import { count, endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { oneOffIn, timeIn } from '../../core/commands/phrases.ts'
import { lengthOfTime, when } from '../../core/commands/time-fields.ts'
import { currentState } from '../../core/model/endpoint.ts'
import { keyOf, startsAtOnce } from '../../core/model/records.ts'
import { isByHand } from '../../core/model/rules.ts'
import { idOf, say } from '../../core/model/words.ts'
import { readWhen, stillAhead } from '../../core/time/parse-when.ts'
import { endOfOneOff } from '../schedules/rules/describe.ts'
import { desired, segments, stopperOf } from '../schedules/rules/desired-state.ts'
import { noStopping, runAgain, stopsAlready, takeRuleAway } from '../schedules/schedule-command.ts'
import { tooMany } from './scale.ts'

export const start = defineOperation({
  name: 'start',
  also: ['up', '시작'],
  hints: 'on,turn on,switch on,run,launch,wake,켜,켤,실행,돌려,가동',
  examples: ['start my-llm', 'start my-llm for 4h', 'start my-llm until fri 18:00', 'start my-llm replicas=3'],
  // A start with an end is reversible only if the endpoint was stopped: its end is a stop. More replicas also scale.
  impact: ({ for: length, until, replicas }, { endpoint } = { endpoint: undefined }) => {
    const isStop = (length !== undefined || until !== undefined) && endpoint?.active !== false
    // At least 1, because a stopped endpoint may not show its replicas.
    const isMore = endpoint?.autoscaled !== true && (replicas ?? 0) > Math.max(1, endpoint?.replicas ?? 1)
    return isStop || isMore ? 'disruptive' : 'reversible'
  },
  fields: {
    endpoint: endpointName(),
    for: optional({ ...lengthOfTime('runFor', 'for'), led: true, hint: 'for 4h' }),
    until: optional(when('runUntil', 'until', 'fri 18:00')),
    replicas: optional(count('replicas', 'replicas', [1, 100])),
    because: optional(reasonText()),
  },
  nonsense: ({ for: length, until, replicas = 0 }, bounds) => {
    if (length !== undefined && until !== undefined) return { says: say('endpoint.forOrUntil'), field: 'until' }
    return tooMany(replicas, bounds, 'replicas')
  },
  unless: (endpoint, { replicas = 0 }, bounds) => {
    const many = tooMany(replicas, bounds, 'replicas')
    if (many !== false) return many.says
    return endpoint.active === true && say('endpoint.running', { name: endpoint.name, state: currentState(endpoint) })
  },
  steps: ({ replicas }, endpoint) => [
    starting(endpoint),
    ...(replicas === undefined || endpoint.autoscaled === true ? [] : [scalingTo(endpoint, replicas, 'restored')]),
  ],
  wants: 'up',
  inverse: (undoing) =>
    undoing.request.change === undefined
      ? { line: undoing.write('stop', { endpoint: undoing.request.endpoint?.id }) }
      : (runAgain(undoing) ?? takeRuleAway(undoing)),
  laterBy: ({ for: length, until }) => length !== undefined || until !== undefined,
  change: ({ for: length, until, replicas }, context) => {
    const end = stillAhead(readWhen(length ?? until ?? '', context.at, context.zone), context.now)
    if ('wrong' in end) return end
    const { id, by, at, endpoint } = context
    if (endpoint === undefined || context.rules === undefined) return { wrong: '' }
    const { name } = endpoint
    const fault = noStopping(context)
    if (fault !== null) return { wrong: [fault, endpoint.active === true ? '' : say('once.noEnd', { name })] }
    const already = stopsAlready(context, end.at)
    if (already !== null) return already
    const ran = endpoint.active === true && ({ ran: true } as const)
    if (ran && replicas !== undefined && replicas !== endpoint.replicas)
      return {
        wrong: [
          say('endpoint.running', { name, state: currentState(endpoint) }),
          say('once.scale', { name, replicas }),
        ],
      }
    const once = { kind: 'once', id, endpoint: endpoint.id, want: 'up', at, until: end.at, owner: by, ...ran } as const
    const { holds } = context.rules
    const byHand = holds.filter(isByHand)
    // The hold after a manual change lasts only until a person asks for something else. But a start by hand goes on if
    // the end that it gets here is undone.
    const goesOn = ran ? byHand.map((hold) => ({ ...hold, until: Math.min(hold.until, end.at) })) : []
    const kept = [...holds.filter((hold) => !isByHand(hold)), ...goesOn]
    const rules = { ...context.rules, holds: kept }
    // A freeze may have begun since it was asked for.
    const begins = desired({ ...rules, once: [...rules.once, once] }, Math.max(at, context.now))
    if (begins.want !== 'up' && !ran)
      return { wrong: say('once.pausedNow', { name, until: begins.until === null ? 'none' : { at: begins.until } }) }
    const says = endOfOneOff(rules, once, context.now)
    const isKept = idOf(says) === 'once.staysOn'
    const isSooner = idOf(says) === 'once.sooner'
    const runs = context.rules.once.filter((one) => ran && one.want === 'up' && one.at <= at)
    const last = Math.max(end.at, ...runs.map(({ until = at }) => until + 1))
    const stops = segments(context.rules, at, last).filter(({ want }) => want === 'down')
    const isLonger = stops.some(({ from }) => from < end.at)
    if (isKept && ran && !isLonger)
      return { wrong: [say('endpoint.running', { name, state: currentState(endpoint) }), says], holds: true }
    const next = stops.find(({ from }) => from > at)
    const stopper = next && stopperOf(context.rules, { ...next, since: next.from })
    const run = runs.find((one) => one === stopper)
    const isSkipped = !isSooner && next !== undefined && (next.from < end.at || run !== undefined)
    const skips = isSkipped && { at: { at: next.from }, by: run ? { person: run.owner } : 'none' }
    const drop = [...(ran ? [] : byHand), ...runs].map(keyOf)
    const means = [ran || isKept || isSooner ? says : '', skips ? say('once.skips', skips) : '']
    const alters = ran && !isSooner && isLonger && ({ alters: true } as const)
    return { change: { put: [once, ...goesOn], ...(drop.length > 0 && { drop }), ...alters }, means }
  },
  phrase: ({ for: length, until, replicas = 0 }, change) => {
    const end = oneOffIn(change)
    const ran = change?.alters === true ? 'yes' : 'no'
    // An endpoint that would run on only gets an end.
    if (end !== undefined && ran === 'no' && !startsAtOnce(change)) return { key: 'stopAt', with: end }
    if (end !== undefined) return { key: 'startUntil', with: { ...end, replicas, ran } }
    if (length !== undefined) return { key: 'startFor', with: { length, replicas } }
    return until === undefined
      ? { key: 'start', with: { replicas } }
      : { key: 'startUntil', with: { ...timeIn(until), replicas, ran } }
  },
})
