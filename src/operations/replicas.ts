import { lasting } from '../domain/duration.ts'
import { call } from './call.ts'
import { defineQuery } from './define.ts'
import { endpointName } from './naming-fields.ts'
import { at } from './steps.ts'

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
