import { at, call } from '../../core/commands/call.ts'
import { defineQuery } from '../../core/commands/define.ts'
import { endpointName } from '../../core/commands/fields.ts'
import { say } from '../../core/model/words.ts'

export const replicas = defineQuery({
  name: 'replicas',
  also: ['ps', '레플리카'],
  examples: ['replicas my-llm'],
  fields: { endpoint: endpointName() },
  call: (_, endpoint) => call('get', '/endpoints/{endpoint_id}/replicas', { params: at(endpoint) }),
  show: (found, { endpoint, now }) => ({
    title: say('replicas.title', { name: endpoint?.name ?? '', count: found.length }),
    items: found.map(({ id, state, node, startedAt }) => ({
      text: say('replicas.state', { id, state }),
      detail: [
        startedAt === null ? '' : say('replicas.running', { length: { lasting: now - startedAt * 1000 } }),
        node === null ? '' : say('replicas.node', { node: node.slice(0, 12) }),
      ],
    })),
  }),
})
