import { defineChange, replaced } from '../../core/commands/define.ts'
import { choice, endpointName, optional, text } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/parse.ts'
import { lengthOfTime } from '../../core/commands/time-fields.ts'
import { recordOn } from '../../core/model/records.ts'
import { lasting, spanOf } from '../../core/time/format.ts'
import { lineWatching } from '../schedules/rule-lines.ts'
import { noStopping } from '../schedules/schedule-command.ts'

export const idle = defineChange({
  name: 'idle',
  examples: [
    'idle my-llm after 60m',
    'idle my-llm try after 45m warn=15m',
    'idle my-llm after 60m autoscaled=yes',
    'idle my-llm off',
  ],
  fields: {
    endpoint: endpointName(),
    mode: optional(choice('Mode', ['on', 'try', 'off'])),
    after: optional({ ...lengthOfTime('After', 'after'), led: true, hint: 'after 60m' }),
    warn: optional({
      ...lengthOfTime('Warn', 'warn'),
      key: 'warn',
      hint: 'warn=10m',
      example: 'A length of time such as 10m or 1h; left empty, as long as the policy says.',
    }),
    autoscaled: optional({ ...choice('Even when autoscaled', ['yes']), key: 'autoscaled', hint: 'autoscaled=yes' }),
    because: optional(text('Because', 'because')),
  },
  // Only `on` stops anything later.
  impact: ({ mode }) => (mode === 'off' || mode === 'try' ? 'reversible' : 'disruptive'),
  nonsense: ({ mode, after, warn, autoscaled }) => {
    if (mode === undefined && after === undefined) return 'Say after how long, for example: idle my-llm after 60m'
    const more = after ?? warn ?? autoscaled
    return mode === 'off' && more !== undefined && 'Off takes no lengths and no more words: idle my-llm off'
  },
  change: ({ mode = 'on', after, warn, autoscaled }, ground) => {
    const { endpoint, by, at, automation } = ground
    const { usual, least, most } = automation.idle
    const length = after === undefined ? usual : (spanOf(after) ?? usual)
    const notice = warn === undefined ? automation.notice : (spanOf(warn) ?? automation.notice)
    if (length < least || length > most)
      return { wrong: `The policy allows idle times from ${lasting(least)} to ${lasting(most)}.` }
    if (notice < 5 * 60_000 || notice > 120 * 60_000) return { wrong: 'People are warned 5 to 120 minutes before.' }
    const fault = mode === 'off' ? null : noStopping(ground)
    if (fault !== null || endpoint === undefined) return { wrong: fault ?? '' }
    if (mode !== 'off' && endpoint.autoscaled === true && autoscaled === undefined) return { wrong: leftToPlatform }
    const settings = { mode, after: length, warn: notice, ...(autoscaled === 'yes' && { autoscaled: true }) }
    const rule = { kind: 'idle', endpoint: endpoint.id, ...settings, owner: by, at } as const
    if (mode === 'off') {
      const known = recordOn(ground.records, 'idle', endpoint.id)
      if (known?.mode === 'off') return { wrong: 'It is not watched.' }
      return { change: { put: [rule] }, means: 'It is never stopped for idleness.' }
    }
    const quiet = `after ${lasting(length)} of known quiet`
    const means =
      mode === 'try'
        ? `It stays up: ${quiet} people only read that it would be stopped.`
        : `It is stopped ${quiet}, and people are told ${lasting(notice)} before.`
    return { change: { put: [rule] }, means }
  },
  inverse: ({ request, values, write }) => {
    const { id, name = '' } = request.endpoint ?? {}
    const rule = replaced(request, 'idle')
    if (rule !== undefined) return { line: lineWatching(rule, write) }
    return values.mode === 'off'
      ? { why: `It was not watched before, as far as is known; idle ${writeWord(name)} after 60m has it watched.` }
      : { line: write('idle', { endpoint: id, mode: 'off' }) }
  },
  phrase: ({ mode, after }) => {
    if (mode === 'off') return 'idleOff'
    return after === undefined ? 'idleOn' : { key: mode === 'try' ? 'idleTry' : 'idle', with: { after } }
  },
})

const leftToPlatform =
  'The platform scales it by itself and is left to that; asking how it is used could even keep it up. To have it watched and stopped all the same, add autoscaled=yes.'
