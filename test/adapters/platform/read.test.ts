import { describe, expect, test } from 'vitest'
import { readers } from '../../../src/adapters/platform/read.ts'
import { say } from '../../../src/core/model/words.ts'
import { english } from '../../support/words.ts'

const status = {
  endpoint_id: 'my-llm',
  name: 'My LLM',
  endpoint_type: 'container',
  is_active: true,
  status: 'RUNNING',
  num_replicas: 2,
  enable_autoscaling: false,
  instance_type_name: 'RTX 5090',
  serving_endpoint_url: 'https://serving.invalid/ac/7/my-llm',
  replica_status_summary: { RUNNING: 2 },
  tags: ['prod'],
  error: null,
  created_at: '2026-01-20T10:00:00Z',
  updated_at: '2026-01-22T15:30:00.974691Z',
}
const patched = {
  endpoint_id: 'my-llm',
  name: 'My LLM',
  is_active: false,
  container_start_command: 'server -http-port 8080',
  container_env_vars: [
    { key: 'TOKEN', value: 'canary-secret' },
    { key: '', value: '' },
    { key: 'URL', value: 'x' },
  ],
  container_port: 8088,
  container_health_check_path: '/health',
  container_health_check_timeout: 600,
  health_check_timeout: 300,
  container_metric_path: null,
  updated_at: '2026-04-08T03:18:17.974691Z',
}

const readStatus = readers['get /endpoints/{endpoint_id}']
const readPage = readers['get /endpoints']
const readSettings = readers['patch /endpoints/{endpoint_id}']
const readStart = readers['post /endpoints/{endpoint_id}/start']

describe('An endpoint', () => {
  test('is read completely', () => {
    expect(readStatus(status, 'my-llm')).toEqual({
      id: 'my-llm',
      name: 'My LLM',
      active: true,
      status: 'RUNNING',
      replicas: 2,
      autoscaled: false,
      gpu: 'RTX 5090',
      url: 'https://serving.invalid/ac/7/my-llm',
      replicasByState: { RUNNING: 2 },
      tags: ['prod'],
      updatedAt: '2026-01-22T15:30:00.974691Z',
    })
  })

  test('has the same shape in a list, where its id is called id', () => {
    const { endpoint_id, ...rest } = status
    const page = readPage({ items: [{ id: endpoint_id, ...rest }], total: 1, page: 1, size: 50, pages: 1 }, '')
    expect(page).toEqual({ endpoints: [readStatus(status, 'my-llm')], page: 1, pages: 1, total: 1 })
  })

  test('with only an id is neither active nor inactive', () => {
    expect(readStatus({ endpoint_id: 'x' }, 'x')).toEqual({ id: 'x', name: 'x', active: null })
    expect(readStatus({ endpoint_id: 'x', is_active: null, status: 'RUNNING' }, 'x')).toMatchObject({ active: null })
  })

  test('keeps 255 letters of a name or a tag, from both ends, as patterns are about its ends', () => {
    const read = readStatus({ ...status, name: 'n'.repeat(5_000), tags: ['t'.repeat(5_000)] }, 'my-llm')
    expect([read.name, read.tags]).toEqual(['n'.repeat(255), ['t'.repeat(255)]])
    expect(readStatus({ ...status, name: `eu-${'n'.repeat(5_000)}-prod` }, 'my-llm').name).toMatch(/^eu-n{247}-prod$/)
    expect(readSettings({ ...patched, name: 'n'.repeat(5_000) }, 'my-llm').name).toHaveLength(255)
  })

  test('keeps what the platform says even if it contradicts itself', () => {
    expect(readStatus({ ...status, is_active: false }, 'my-llm')).toMatchObject({ active: false, status: 'RUNNING' })
  })

  test('gets its problem as one sentence from a problem object in a 200', () => {
    const error = { title: 'Upstream timeout', detail: 'Ray did not answer', status: 504 }
    expect(readStatus({ ...status, error }, 'my-llm').problem).toBe('Upstream timeout: Ray did not answer')
    expect(english(readStatus({ ...status, error: {} }, 'my-llm').problem ?? '')).toMatch(
      /couldn’t read the live state/,
    )
    expect(readStatus(status, 'my-llm')).not.toHaveProperty('problem')
  })

  test.each(Object.keys(status))(
    'with a strange or missing %s is read or rejected, but never becomes inactive',
    (field) => {
      for (const value of [undefined, null, 17.5, 'text', '', [], {}, { a: 'b' }, [1], true]) {
        let read: { active: boolean | null } | undefined
        try {
          read = readStatus({ ...status, [field]: value }, 'my-llm')
        } catch (fault) {
          expect(fault).toBeInstanceOf(Error)
        }
        expect([undefined, true, null]).toContain(read?.active)
      }
    },
  )

  test.each([['prod'], [['prod', null]], [[{ name: 'prod' }]], [{ prod: true }]])(
    'is only half read, without a state, when its tags are %j, because tags can protect it',
    (tags) => {
      const read = readStatus({ ...status, tags }, 'my-llm')
      expect(read).toMatchObject({ active: null, problem: say('platform.halfRead') })
      expect(read).not.toHaveProperty('tags')
    },
  )

  test.each(['true', 1, {}, []])('is rejected when is_active is %o', (is_active) => {
    expect(() => readStatus({ ...status, is_active }, 'my-llm')).toThrow()
  })

  test('cannot smuggle in a prototype', () => {
    const hostile = JSON.parse(
      '{"endpoint_id":"x","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"replica_status_summary":{"__proto__":7,"RUNNING":1}}',
    ) as object
    const read = readStatus(hostile, 'x')
    expect(Object.keys(read)).toEqual(['id', 'name', 'active', 'replicasByState'])
    expect(read.replicasByState).toEqual({ RUNNING: 1 })
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe('A list', () => {
  test('computes its number of pages if only their size is given', () => {
    expect(readPage({ items: [], total: 4001, size: 2000 }, '').pages).toBe(3)
  })

  test.each([
    ['has no items', { total: 0, pages: 1 }],
    ['does not say how long it is', { items: [] }],
    ['does not say how many pages it has', { items: [], total: 4 }],
    ['has an endpoint without an id', { items: [{ name: 'x', is_active: true }], total: 1, pages: 1 }],
    ['claims to be endless', { items: [], total: 1e12, pages: 1e9 }],
    ['works out to be endless', { items: [], total: 1e12, size: 1 }],
    ['is bare', [status]],
  ])('that %s is rejected', (_, body) => {
    expect(() => readPage(body, '')).toThrow()
  })
})

describe('The answer to a patch', () => {
  test('keeps the names of environment variables and never their values', () => {
    const read = readSettings(patched, 'my-llm')
    expect(read.env_keys).toEqual(['TOKEN', 'URL'])
    expect(JSON.stringify(read)).not.toContain('canary-secret')
    expect(read).toMatchObject({ id: 'my-llm', active: false, container_port: 8088, container_metric_path: null })
  })

  test('may leave settings out', () => {
    expect(readSettings({ is_active: false }, 'my-llm')).toMatchObject({
      id: 'my-llm',
      env_keys: null,
      container_port: null,
    })
  })
})

describe('The answer to a start or stop', () => {
  test('has its message in one line', () => {
    const body = { endpoint_id: 'x', is_active: true, message: 'Endpoint\n started\u0000 successfully' }
    expect(readStart(body, 'x')).toEqual({ id: 'x', active: true, message: 'Endpoint started successfully' })
  })

  test('may be only a message or only a state', () => {
    expect(readStart({ message: 'ok' }, 'x')).toEqual({ id: 'x', active: null, message: 'ok' })
    expect(readStart({ is_active: false }, 'x')).toEqual({ id: 'x', active: false, message: '' })
  })

  test.each([{}, [], null, 'ok', 4, { ok: true }, { is_active: 'yes' }])('is rejected if it is %o', (body) => {
    expect(() => readStart(body, 'x')).toThrow()
  })
})

test.each([
  ['get /endpoints/{endpoint_id}', status],
  ['patch /endpoints/{endpoint_id}', patched],
  ['post /endpoints/{endpoint_id}/start', { endpoint_id: 'my-llm', is_active: true, message: 'Started' }],
  ['post /endpoints/{endpoint_id}/stop', { endpoint_id: 'my-llm', is_active: false, message: 'Stopped' }],
  ['post /endpoints/{endpoint_id}/scale', { endpoint_id: 'my-llm', message: 'Scaled' }],
] as const)('An answer to %s about another endpoint is rejected', (call, body) => {
  expect(() => readers[call](body, 'my-llm')).not.toThrow()
  expect(() => readers[call](body, 'my-tts')).toThrow('about another endpoint')
})

describe('The other answers', () => {
  test('include the message of a scale', () => {
    const read = readers['post /endpoints/{endpoint_id}/scale']
    const body = { endpoint_id: 'x', previous_replicas: 1, current_replicas: 3, message: 'Scaled' }
    expect(read(body, 'x')).toEqual({ message: 'Scaled' })
    expect(() => read({}, 'x')).toThrow()
  })

  test('include the organization and project of a key', () => {
    const body = { organization_id: 'org', project_id: 'proj', api_key_id: null, authenticated_via: 'api_key' }
    expect(readers['get /me'](body, '')).toEqual({
      organization: 'org',
      project: 'proj',
      key: null,
      user: null,
    })
  })

  test('accept replicas and log files bare or wrapped', () => {
    const replica = { replica_id: 'r', state: 'RUNNING', start_time_s: 1775452417.236, pid: 4 }
    const readReplicas = readers['get /endpoints/{endpoint_id}/replicas']
    const expected = [{ id: 'r', state: 'RUNNING', node: null, startedAt: 1775452417.236 }]
    expect(readReplicas([replica], 'x')).toEqual(expected)
    expect(readReplicas({ items: [replica] }, 'x')).toEqual(expected)
    expect(() => readReplicas({ replicas: [] }, 'x')).toThrow()
    const file = { node_id: 'n', replica_id: 'r', filename: 'a/b.log', is_historical: true, start_time: null }
    expect(readers['get /endpoints/{endpoint_id}/logs']([file], 'x')).toEqual([
      { node: 'n', replica: 'r', filename: 'a/b.log', historical: true, start: null, end: null },
    ])
  })
})
