import { scalingTo, starting } from '../../core/commands/call.ts'
import { type Changing, defineOperation } from '../../core/commands/define.ts'
import { count, endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { buttonTo, oneOffIn, timeIn } from '../../core/commands/phrases.ts'
import { lengthOfTime, when } from '../../core/commands/time-fields.ts'
import { currentState } from '../../core/model/endpoint.ts'
import { keyOf, startsAtOnce } from '../../core/model/records.ts'
import { isByHand, type OneOff, pauseUnder, type Rules } from '../../core/model/rules.ts'
import { idOf, say, type Words } from '../../core/model/words.ts'
import { readWhen, stillAhead } from '../../core/time/parse-when.ts'
import { endsAgain, endsKept } from '../schedules/end-one-offs.ts'
import { endOfOneOff, runsEnded } from '../schedules/rules/describe.ts'
import { desired, segments, stopperOf } from '../schedules/rules/desired-state.ts'
import { endedBy, noStopping, stopsAlready, undoneBy } from '../schedules/schedule-command.ts'
import { tooMany } from './scale.ts'

export const start = defineOperation({
  name: 'start',
  also: ['up', '시작'],
  hints: 'on,turn on,switch on,back on,bring back,online,run,launch,wake,켜,켤,실행,돌려,가동',
  examples: ['start my-llm', 'start my-llm for 4h', 'start my-llm until fri 18:00', 'start my-llm replicas=3'],
  // A start with an end is reversible only if the endpoint was stopped: its end is a stop. More replicas are a scale too.
  impact: ({ for: length, until, replicas }, { endpoint } = { endpoint: undefined }) => {
    const isStop = (length !== undefined || until !== undefined) && endpoint?.active !== false
    // At least 1, because a stopped endpoint may not show its replicas.
    const isMore = endpoint?.autoscaled !== true && (replicas ?? 0) > Math.max(1, endpoint?.replicas ?? 1)
    return isStop ? 'disruptive' : isMore ? ['reversible', 'disruptive'] : 'reversible'
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
  instead: (endpoint) => (currentState(endpoint) === 'failed' ? [buttonTo('restart', endpoint)] : []),
  steps: ({ replicas }, endpoint) => [
    starting(endpoint),
    ...(replicas === undefined || endpoint.autoscaled === true ? [] : [scalingTo(endpoint, replicas, 'restored')]),
  ],
  wants: 'up',
  inverse: (undoing) => undoneBy('stop', undoing),
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
    if (already !== null && !rules.once.some((one) => isBetween(one, at, end.at))) return already
    const run = { kind: 'once', id, endpoint: endpoint.id, want: 'up', at, until: end.at, owner: by } as const
    if (active !== true) return startUntil(run, rules, name, now)
    const running = say('endpoint.running', { name, state: currentState(endpoint) })
    if (replicas !== undefined && replicas !== endpoint.replicas)
      return { wrong: [running, say('once.scale', { name, replicas })] }
    return endFor({ ...run, ran: true }, { rules, again: endsAgain(context, end.at) }, running, now)
  },
  phrase: ({ for: length, until, replicas = 0 }, change) => {
    const end = oneOffIn(change)
    const ran = change?.alters !== true ? 'no' : startsAtOnce(change) ? 'on' : 'yes'
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
  if (want === 'down') return { wrong: say('once.stoppedSince', { name }) }
  if (want !== 'up') return { wrong: say('once.pausedNow', { name, until: until === null ? 'none' : { at: until } }) }
  const says = endOfOneOff(left, run, now)
  const isSooner = idOf(says) === 'once.sooner'
  const isLonger = idOf(says) === 'once.staysOn'
  // It may have been asked for before a stop that has come since.
  const since = Math.max(run.at, now)
  const skipped = stopsIn(rules, since, run.until).find(({ from }) => from > since)
  const skips = isSooner || skipped === undefined ? '' : say('once.skips', { at: { at: skipped.from }, by: 'none' })
  const means = [isSooner || isLonger ? says : '', skips]
  const drop = byHand.map(keyOf).filter((key) => !pauses.map(keyOf).includes(key))
  const alters = isLonger && ({ alters: true } as const)
  return { change: { put: [run, ...pauses], ...(drop.length > 0 && { drop }), ...alters }, means }
}

/** `again`: ends that an undo plans again. */
interface Ends {
  readonly rules: Rules
  readonly again: readonly OneOff[]
}

/** Gives an endpoint that is `running` an end. It may come later than the stop that would have come. */
function endFor(run: Run, { rules, again }: Ends, running: Words, now: number): Changing {
  // A start by hand goes on if the end that it gets here is undone.
  const byHand = rules.holds.filter(isByHand).map((hold) => endedBy(hold, run.until))
  const runs = rules.once.filter((one) => one.want === 'up')
  const planned = rules.once.filter((one) => isBetween(one, run.at, run.until))
  const ended = [...runs, ...planned]
  const once = [...rules.once.filter((one) => !ended.includes(one)), ...again]
  const holds = [...rules.holds.filter((hold) => !isByHand(hold)), ...byHand]
  const says = endOfOneOff({ ...rules, once, holds }, run, now)
  const stops = stopsIn(rules, run.at, Math.max(run.until, ...runs.map(({ at, until = at }) => until + 1)))
  const isStopped = stops.some(({ from }) => from < run.until)
  if (idOf(says) === 'once.staysOn' && !isStopped) return { wrong: [running, says], holds: true }
  const alters = (isStopped || ended.some(({ at, until = at }) => until < run.until)) && ({ alters: true } as const)
  const change = { put: [run, ...again, ...byHand], ...(ended.length > 0 && { drop: ended.map(keyOf) }), ...alters }
  const next = stops.find(({ from }) => from > run.at)
  const stopper = next && stopperOf(rules, { ...next, since: next.from })
  const replaced = runs.find((one) => one === stopper)
  const skips = next && { at: { at: next.from }, by: replaced ? { person: replaced.owner } : 'none' }
  if (skips && replaced && !alters) return { change, means: [say('endRun.instead', skips), says, ...endsKept(again)] }
  const isNamed = planned.some((one) => one === stopper)
  return {
    change,
    means: [
      says,
      skips && next.from < run.until && !isNamed ? say('once.skips', skips) : '',
      ...planned.map(({ at, owner }) => say('once.skips', { at: { at }, by: { person: owner } })),
      ...runsEnded(rules, run.until),
      ...endsKept(again),
    ],
  }
}

/** Whether it is a planned stop between two instants (ms). */
function isBetween({ want, at }: OneOff, from: number, until: number): boolean {
  return want === 'down' && from < at && at < until
}

function stopsIn(rules: Rules, from: number, until: number) {
  return segments(rules, from, until).filter(({ want }) => want === 'down')
}
