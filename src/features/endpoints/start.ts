import { scalingTo, starting } from '../../core/commands/call.ts'
import { type Changing, defineOperation } from '../../core/commands/define.ts'
import { count, endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { oneOffIn, timeIn } from '../../core/commands/phrases.ts'
import { lengthOfTime, when } from '../../core/commands/time-fields.ts'
import { currentState } from '../../core/model/endpoint.ts'
import { keyOf, startsAtOnce } from '../../core/model/records.ts'
import { isByHand, type OneOff, pauseUnder, type Rules } from '../../core/model/rules.ts'
import { idOf, say, type Words } from '../../core/model/words.ts'
import { readWhen, stillAhead } from '../../core/time/parse-when.ts'
import { endOfOneOff } from '../schedules/rules/describe.ts'
import { desired, segments, stopperOf } from '../schedules/rules/desired-state.ts'
import { endedBy, lastsAgain, noStopping, stopsAlready, takeRuleAway } from '../schedules/schedule-command.ts'
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
      : (lastsAgain('start', undoing) ?? takeRuleAway(undoing)),
  laterBy: ({ for: length, until }) => length !== undefined || until !== undefined,
  change: ({ for: length, until, replicas }, context) => {
    const end = stillAhead(readWhen(length ?? until ?? '', context.at, context.zone), context.now)
    if ('wrong' in end) return end
    const { id, by, at, endpoint, rules, now } = context
    if (endpoint === undefined || rules === undefined) return { wrong: '' }
    const { name, active } = endpoint
    const fault = noStopping(context)
    if (fault !== null) return { wrong: [fault, active === true ? '' : say('once.noEnd', { name })] }
    const already = stopsAlready(context, end.at)
    if (already !== null) return already
    const run = { kind: 'once', id, endpoint: endpoint.id, want: 'up', at, until: end.at, owner: by } as const
    if (active !== true) return startUntil(run, rules, name, now)
    const running = say('endpoint.running', { name, state: currentState(endpoint) })
    if (replicas !== undefined && replicas !== endpoint.replicas)
      return { wrong: [running, say('once.scale', { name, replicas })] }
    return endFor({ ...run, ran: true }, rules, running, now)
  },
  phrase: ({ for: length, until, replicas = 0 }, change) => {
    const end = oneOffIn(change)
    const ran = change?.alters === true ? 'yes' : 'no'
    // An endpoint that would run on only gets an end.
    if (end !== undefined && ran === 'no' && !startsAtOnce(change))
      return { key: change?.drop === undefined ? 'stopAt' : 'endRun', with: end }
    if (end !== undefined) return { key: 'startUntil', with: { ...end, replicas, ran } }
    if (length !== undefined) return { key: 'startFor', with: { length, replicas } }
    return until === undefined
      ? { key: 'start', with: { replicas } }
      : { key: 'startUntil', with: { ...timeIn(until), replicas, ran } }
  },
})

type Run = OneOff & { readonly until: number }

function startUntil(run: Run, rules: Rules, name: string, now: number): Changing {
  // The hold after a change by hand lasts only until a person asks for something else.
  const byHand = rules.holds.filter(isByHand)
  const pauses = byHand.flatMap((hold) => pauseUnder(hold, { id: run.id, at: hold.at }, now) ?? [])
  const left = { ...rules, holds: [...rules.holds.filter((hold) => !isByHand(hold)), ...pauses] }
  // A freeze may have begun since it was asked for.
  const { want, until } = desired({ ...left, once: [...left.once, run] }, Math.max(run.at, now))
  if (want !== 'up') return { wrong: say('once.pausedNow', { name, until: until === null ? 'none' : { at: until } }) }
  const says = endOfOneOff(left, run, now)
  const isSooner = idOf(says) === 'once.sooner'
  const skipped = stopsIn(rules, run.at, run.until).find(({ from }) => from > run.at)
  const skips = isSooner || skipped === undefined ? '' : say('once.skips', { at: { at: skipped.from }, by: 'none' })
  const means = [isSooner || idOf(says) === 'once.staysOn' ? says : '', skips]
  const drop = byHand.map(keyOf).filter((key) => !pauses.map(keyOf).includes(key))
  return { change: { put: [run, ...pauses], ...(drop.length > 0 && { drop }) }, means }
}

/** Gives an endpoint that is `running` an end. It may come later than the stop that would have come. */
function endFor(run: Run, rules: Rules, running: Words, now: number): Changing {
  // A start by hand goes on if the end that it gets here is undone.
  const byHand = rules.holds.filter(isByHand).map((hold) => endedBy(hold, run.until))
  const left = { ...rules, holds: [...rules.holds.filter((hold) => !isByHand(hold)), ...byHand] }
  const says = endOfOneOff(left, run, now)
  const isSooner = idOf(says) === 'once.sooner'
  const runs = rules.once.filter((one) => one.want === 'up' && one.at <= run.at)
  const stops = stopsIn(rules, run.at, Math.max(run.until, ...runs.map(({ at, until = at }) => until + 1)))
  const isLonger = stops.some(({ from }) => from < run.until)
  if (idOf(says) === 'once.staysOn' && !isLonger) return { wrong: [running, says], holds: true }
  const next = stops.find(({ from }) => from > run.at)
  const stopper = next && stopperOf(rules, { ...next, since: next.from })
  const ended = runs.find((one) => one === stopper)
  const isSkipped = !isSooner && next !== undefined && (next.from < run.until || ended !== undefined)
  const skips = isSkipped && { at: { at: next.from }, by: ended ? { person: ended.owner } : 'none' }
  const alters = !isSooner && isLonger && ({ alters: true } as const)
  const change = { put: [run, ...byHand], ...(runs.length > 0 && { drop: runs.map(keyOf) }), ...alters }
  if (skips && ended && !isLonger) return { change, means: [say('endRun.instead', skips), says] }
  return { change, means: [says, skips ? say('once.skips', skips) : ''] }
}

function stopsIn(rules: Rules, from: number, until: number) {
  return segments(rules, from, until).filter(({ want }) => want === 'down')
}
