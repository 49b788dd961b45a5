import { defineChange, replaced } from '../../core/commands/define.ts'
import { endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import { endpointKey, keyOf, type Records, recordOn } from '../../core/model/records.ts'
import { isSame } from '../../core/model/roles.ts'
import type { OneOff } from '../../core/model/rules.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { endpointStanding, evaluatePolicy } from '../../core/policy/requirement.ts'

/** Says what protects an endpoint, such as "🔒 Stopping it needs 2 approvals."; empty if nothing does. */
export function guardText(endpoint: Endpoint, policy: Policy, records: Records): Words {
  const standing = endpointStanding(endpoint, policy, records)
  const { requirement, asking } = evaluatePolicy(policy, 'disruptive', standing, endpoint)
  const guard = standing === 'protected' ? 'yes' : 'no'
  if (guard === 'no' && requirement !== 'approval' && requirement !== 'refusal') return ''
  return say('status.guard', { guard, requirement, count: asking.needed })
}

/** Returns the planned stops that a protection ends. They would come late once it is removed. */
export function stopsEnded(once: readonly OneOff[], { active }: Partial<Endpoint>, now: number): readonly OneOff[] {
  return once.filter(({ at, until = at }) => now < until || active !== false)
}

export function noStop({ at, until = at }: OneOff): Sentence {
  return say('end.noStop', { until: { at: until } })
}

export const protect = defineChange({
  name: 'protect',
  also: ['보호'],
  // "Nothing must stop my-llm" asks for the opposite of a stop.
  hints: 'never stop,never restart',
  examples: ['protect my-llm', 'protect my-llm reason="customers use it"'],
  fields: { endpoint: endpointName(), because: optional(reasonText()) },
  safe: true,
  impact: () => 'reversible',
  change: ({ because }, { endpoint, protectedBy, records, rules, by, at }) => {
    const { id = '', name = '' } = endpoint ?? {}
    if (protectedBy !== null) return { wrong: say('protect.byPolicy', { name, entry: protectedBy }), holds: true }
    if (recordOn(records, 'protection', id) !== undefined)
      return { wrong: say('protect.already', { name }), holds: true }
    const put = { kind: 'protection', endpoint: id, by, at, ...(because !== undefined && { because }) } as const
    const stops = stopsEnded(rules?.once ?? [], endpoint ?? {}, at)
    const ended = stops.map((stop) =>
      isSame(stop.owner, by)
        ? noStop(stop)
        : say('protect.noStop', { by: { person: stop.owner }, until: { at: stop.until ?? stop.at } }),
    )
    return { change: { put: [put], drop: stops.map(keyOf) }, means: [say('protect.means'), ...ended] }
  },
  inverse: ({ request: { endpoint }, write }) => ({ line: write('unprotect', { endpoint: endpoint?.id }) }),
})

export const unprotect = defineChange({
  name: 'unprotect',
  also: ['보호해제'],
  hints: 'never protect,remove protection,보호 해제,보호 풀,보호 취소,보호 없애',
  examples: ['unprotect my-llm', 'unprotect my-llm reason="it is retired"'],
  fields: { endpoint: endpointName(), because: optional(reasonText()) },
  impact: () => 'loosening',
  change: (_, { endpoint, protectedBy, records }) => {
    const { id = '', name = '' } = endpoint ?? {}
    if (recordOn(records, 'protection', id) !== undefined)
      return {
        change: { drop: [endpointKey('protection', id)] },
        means: protectedBy === null ? '' : say('protect.still', { name, entry: protectedBy }),
      }
    return protectedBy === null
      ? { wrong: say('protect.not', { name }), holds: true }
      : { wrong: say('protect.fixed', { name, entry: protectedBy }) }
  },
  inverse: ({ request, write }) => ({
    line: write('protect', { endpoint: request.endpoint?.id, because: replaced(request, 'protection')?.because }),
  }),
})
