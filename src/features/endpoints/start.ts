import { scalingTo, starting } from '../../core/commands/call.ts'
import { defineOperation } from '../../core/commands/define.ts'
import { count, endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { oneOffIn, timeIn } from '../../core/commands/phrases.ts'
import { lengthOfTime, when } from '../../core/commands/time-fields.ts'
import { say } from '../../core/model/words.ts'
import { readWhen } from '../../core/time/parse-when.ts'
import { noStopping, stopsAlready, takeRuleAway } from '../schedules/schedule-command.ts'

export const start = defineOperation({
  name: 'start',
  also: ['up', '시작'],
  hints: ['on', 'run', 'launch', 'wake', '켜', '실행'],
  examples: ['start my-llm', 'start my-llm for 4h', 'start my-llm until fri 18:00', 'start my-llm replicas=3'],
  // What is started for a while may be stopped again; what was active before may not. More replicas also scale.
  impact: ({ for: length, until, replicas }, { endpoint } = { endpoint: undefined }) => {
    const isStop = (length !== undefined || until !== undefined) && endpoint?.active !== false
    // At least one was there before: a stopped endpoint may not show its replicas.
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
  nonsense: ({ for: length, until }) =>
    length !== undefined && until !== undefined && { says: say('endpoint.forOrUntil'), field: 'until' },
  unless: ({ name, active }, { replicas }, bounds) => {
    if (replicas !== undefined && replicas > bounds.replicas)
      return say('endpoint.mostReplicas', { most: bounds.replicas })
    return active === true && say('endpoint.running', { name })
  },
  steps: ({ replicas }, endpoint) => [
    starting(endpoint),
    ...(replicas === undefined || endpoint.autoscaled === true ? [] : [scalingTo(endpoint, replicas, 'restored')]),
  ],
  wants: 'up',
  inverse: (undoing) =>
    undoing.request.change === undefined
      ? { line: undoing.write('stop', { endpoint: undoing.request.endpoint?.id }) }
      : takeRuleAway(undoing),
  laterBy: ({ for: length, until }) => length !== undefined || until !== undefined,
  change: ({ for: length, until }, ground) => {
    const end = readWhen(length ?? until ?? '', ground.at, ground.zone)
    if ('wrong' in end) return end
    const fault = noStopping(ground)
    if (fault !== null || ground.endpoint === undefined) return { wrong: fault ?? '' }
    const already = stopsAlready(ground, end.at)
    if (already !== null) return already
    const { id, by, at, endpoint } = ground
    const once = { kind: 'once', id, endpoint: endpoint.id, want: 'up', at, until: end.at, owner: by } as const
    const now = endpoint.active === true ? 'running' : 'starting'
    return { change: { put: [once] }, means: say('endpoint.runsOn', { now }) }
  },
  phrase: ({ for: length, until, replicas = 0 }, change) => {
    const end = oneOffIn(change)
    if (end !== undefined) return { key: 'startUntil', with: { ...end, replicas } }
    if (length !== undefined) return { key: 'startFor', with: { length, replicas } }
    return until === undefined
      ? { key: 'start', with: { replicas } }
      : { key: 'startUntil', with: { ...timeIn(until), replicas } }
  },
})
