import { call } from './call.ts'
import { defineQuery } from './define.ts'
import { endpointName } from './field.ts'
import { itemOf } from './history.ts'
import { stateOf, switchesOf } from './show.ts'
import { at } from './steps.ts'

export const status = defineQuery({
  name: 'status',
  also: ['info'],
  summary: 'Show one endpoint as the platform sees it now.',
  examples: ['status my-llm', 'my-llm'],
  fields: { endpoint: endpointName() },
  call: (_, endpoint) => call('get', '/endpoints/{endpoint_id}', { params: at(endpoint) }),
  recent: 3,
  show: (endpoint, { past = [], now }) => ({
    title: endpoint.name,
    items: [
      { text: stateOf(endpoint), ...(endpoint.problem !== undefined && { detail: endpoint.problem }) },
      ...Object.entries(endpoint.replicasByState ?? {}).map(([state, n]) => ({ text: `${state}: ${n}` })),
      ...(endpoint.url === undefined ? [] : [{ text: endpoint.url }]),
      ...past.map((one) => itemOf(one, null, now)),
    ],
    foot: [endpoint.id, endpoint.updatedAt && `changed ${endpoint.updatedAt}`].filter(Boolean).join(' · '),
    offers: switchesOf(endpoint),
  }),
})
