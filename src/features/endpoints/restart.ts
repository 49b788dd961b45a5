import { startingAgain, stopping } from '../../core/commands/call.ts'
import { defineOperation } from '../../core/commands/define.ts'
import { endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { buttonTo } from '../../core/commands/phrases.ts'
import { say } from '../../core/model/words.ts'

export const restart = defineOperation({
  name: 'restart',
  also: ['재시작'],
  hints: 'reboot,bounce,재부팅,리스타트,껐다 켜,다시 시작',
  examples: ['restart my-llm', 'restart my-llm reason="it hangs"'],
  impact: () => 'disruptive',
  fields: { endpoint: endpointName(), because: optional(reasonText()) },
  unless: ({ active, name }) => active === false && say('endpoint.restartStopped', { name }),
  instead: (endpoint) => (endpoint.active === false ? [buttonTo('start', endpoint)] : []),
  steps: (_, endpoint) => [stopping(endpoint), ...startingAgain(endpoint)],
})
