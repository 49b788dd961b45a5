import { describe, expect, test } from 'vitest'
import { type Call, call } from '../src/core/commands/call.ts'
import type { EndpointPage, KeyContext, Settings, StartStopAnswer } from '../src/core/model/endpoint.ts'

const at = { path: { endpoint_id: 'my-llm' } }

// The compiler checks this file: `npm run check:types` fails if the line after a `@ts-expect-error` compiles.
describe('The types of calls', () => {
  test('make a call a plain value that can be stored', () => {
    const list: Call<EndpointPage> = call('get', '/endpoints', { params: { query: { page: 1 } } })
    const scale = call('post', '/endpoints/{endpoint_id}/scale', { params: at, body: { replica_count: 3 } })
    expect(list).toEqual({ method: 'get', path: '/endpoints', params: { query: { page: 1 } } })
    expect(JSON.parse(JSON.stringify(scale))).toEqual(scale)
  })

  test('let optional parameters be left out', () => {
    const me: Call<KeyContext> = call('get', '/me')
    const list: Call<EndpointPage> = call('get', '/endpoints')
    expect([me, list]).toEqual([
      { method: 'get', path: '/me' },
      { method: 'get', path: '/endpoints' },
    ])
  })

  test('give each call the type of its response', () => {
    const start: Call<StartStopAnswer> = call('post', '/endpoints/{endpoint_id}/start', { params: at })
    const patch: Call<Settings> = call('patch', '/endpoints/{endpoint_id}', {
      params: at,
      body: { container_port: 8080, container_metric_path: null },
    })
    // @ts-expect-error a stop does not return the context of a key
    const wrong: Call<KeyContext> = call('post', '/endpoints/{endpoint_id}/stop', { params: at })
    expect([start.method, patch.method, wrong.method]).toEqual(['post', 'patch', 'post'])
  })

  test('reject wrong paths, methods, parameters and bodies', () => {
    const wrong = [
      // @ts-expect-error there is no such path
      call('get', '/endpoint'),
      // @ts-expect-error an id belongs in the parameters, not in the path
      call('get', '/endpoints/my-llm', {}),
      // @ts-expect-error endpoints cannot be created
      call('post', '/endpoints'),
      // @ts-expect-error there is no such method
      call('delete', '/endpoints/{endpoint_id}', { params: at }),
      // @ts-expect-error start is a POST
      call('get', '/endpoints/{endpoint_id}/start', { params: at }),
      // @ts-expect-error the parameters are missing
      call('post', '/endpoints/{endpoint_id}/stop'),
      // @ts-expect-error the id is missing
      call('post', '/endpoints/{endpoint_id}/stop', { params: { path: {} } }),
      // @ts-expect-error the id has another name
      call('post', '/endpoints/{endpoint_id}/stop', { params: { path: { id: 'my-llm' } } }),
      // @ts-expect-error pages are numbers
      call('get', '/endpoints', { params: { query: { page: 'first' } } }),
      // @ts-expect-error there is no such query parameter
      call('get', '/endpoints', { params: { query: { sort: 'name' } } }),
      // @ts-expect-error a log file needs its node and its name
      call('get', '/endpoints/{endpoint_id}/logs/file', { params: at }),
      // @ts-expect-error start takes no body
      call('post', '/endpoints/{endpoint_id}/start', { params: at, body: {} }),
      // @ts-expect-error scale needs a body
      call('post', '/endpoints/{endpoint_id}/scale', { params: at }),
      // @ts-expect-error the count is a number
      call('post', '/endpoints/{endpoint_id}/scale', { params: at, body: { replica_count: '3' } }),
      // @ts-expect-error the count has another name
      call('post', '/endpoints/{endpoint_id}/scale', { params: at, body: { replicas: 3 } }),
      // @ts-expect-error ports are numbers
      call('patch', '/endpoints/{endpoint_id}', { params: at, body: { container_port: '8080' } }),
      // @ts-expect-error the name is not a setting
      call('patch', '/endpoints/{endpoint_id}', { params: at, body: { name: 'other' } }),
    ]
    expect(wrong).toHaveLength(17)
  })
})
