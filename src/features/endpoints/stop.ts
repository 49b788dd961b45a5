import { stopping } from '../../core/commands/call.ts'
import { defineOperation } from '../../core/commands/define.ts'
import { endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { oneOffIn, timeIn } from '../../core/commands/phrases.ts'
import { when } from '../../core/commands/time-fields.ts'
import { keyOf } from '../../core/model/records.ts'
import { isByHand } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import { readWhen, stillAhead } from '../../core/time/parse-when.ts'
import { endsAgain, endsKept } from '../schedules/end-one-offs.ts'
import { endOfOneOff, runsEnded } from '../schedules/rules/describe.ts'
import { endedBy, noStopping, stopsAlready, undoneBy } from '../schedules/schedule-command.ts'

export const stop = defineOperation({
  name: 'stop',
  also: ['down', '중지'],
  hints:
    "stopping,free,free up,don't need,not needed,no longer,off,turn off,switch off,shut,shut down,kill,shutdown,sleep,꺼,끄,끌,멈추,멈춰,종료",
  examples: ['stop my-llm', 'stop my-llm at 19:00', 'stop my-llm reason="moving to v2"'],
  impact: () => 'disruptive',
  fields: {
    endpoint: endpointName(),
    at: optional(when('stopAt', 'at', '19:00')),
    because: optional(reasonText()),
  },
  unless: ({ active, name }) => active === false && say('endpoint.stopped', { name }),
  steps: (_, endpoint) => [stopping(endpoint)],
  wants: 'down',
  inverse: (undoing) => undoneBy('start', undoing),
  laterBy: ({ at }) => at !== undefined,
  change: ({ at: typed }, context) => {
    const at = stillAhead(readWhen(typed ?? '', context.at, context.zone), context.now)
    if ('wrong' in at) return at
    const fault = noStopping(context)
    if (fault !== null || context.endpoint === undefined || context.rules === undefined) return { wrong: fault ?? '' }
    const already = stopsAlready(context, at.at)
    if (already !== null) return already
    const { id, by, endpoint, now, rules, undone } = context
    const once = { kind: 'once', id, endpoint: endpoint.id, want: 'down', at: at.at, owner: by } as const
    // An undo takes back the new end of a run together with this.
    const ended = rules.once.filter((one) => undone?.change?.put?.some((put) => keyOf(put) === keyOf(one)))
    const again = endsAgain(context, at.at)
    const { holds } = rules
    const shortened = holds.filter((hold) => isByHand(hold) && hold.until > at.at).map((hold) => endedBy(hold, at.at))
    const others = holds.filter((hold) => !isByHand(hold))
    const left = [...rules.once.filter((one) => !ended.includes(one)), ...again]
    const says = endOfOneOff({ ...rules, once: left, holds: [...others, ...shortened] }, once, now)
    return {
      change: { put: [once, ...again, ...shortened], ...(ended.length > 0 && { drop: ended.map(keyOf) }) },
      means: [says, ...runsEnded(rules, at.at), ...endsKept(again)],
    }
  },
  phrase: ({ at }, change) => (at === undefined ? 'stop' : { key: 'stopAt', with: oneOffIn(change) ?? timeIn(at) }),
})
