import { at, call } from '../../core/commands/call.ts'
import { defineQuery } from '../../core/commands/define.ts'
import { endpointName } from '../../core/commands/fields.ts'
import { lasting } from '../../core/time/format.ts'

export const replicas = defineQuery({
  name: 'replicas',
  also: ['ps'],
  summary: 'Show the replicas of an active endpoint.',
  examples: ['replicas my-llm'],
  fields: { endpoint: endpointName() },
  call: (_, endpoint) => call('get', '/endpoints/{endpoint_id}/replicas', { params: at(endpoint) }),
  show: (found, { endpoint, now }) => ({
    title: `${endpoint?.name ?? 'It'} has ${found.length === 0 ? 'no replicas' : found.length === 1 ? '1 replica' : `${found.length} replicas`}`,
    items: found.map(({ id, state, node, startedAt }) => ({
      text: `${id} · ${state}`,
      detail: [
        startedAt === null ? undefined : `up for ${lasting(now - startedAt * 1000)}`,
        node === null ? undefined : `on ${node.slice(0, 12)}`,
      ]
        .filter((part) => part !== undefined)
        .join(' · '),
    })),
  }),
})
