import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

const keys = [
  { key: 'sk-sandbox-everything', id: 'key-all', user: 'ana' },
  { key: 'sk-sandbox-only-quiet', id: 'key-quiet', endpoints: ['quiet'] },
]

let sandbox: PlatformSandbox
beforeEach(async () => {
  sandbox = await startPlatform({
    keys,
    listeningReplicas: false,
    endpoints: [
      { id: 'busy', name: 'Busy', active: true, replicas: 1 },
      { id: 'quiet', name: 'Quiet one' },
      { id: 'auto', name: 'Auto', active: true, autoscaled: true, tags: ['prod'] },
    ],
  })
})
afterEach(() => sandbox.stop())

async function ask(method: string, path: string, body?: unknown, key = sandbox.apiKey): Promise<Answer> {
  const answer = await fetch(sandbox.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

function view(id: string) {
  return sandbox.endpoints().find((one) => one.id === id)
}

describe('The state table, row by row', () => {
  test('inactive, patch with a setting: the settings change, the endpoint stays inactive, updated_at is set', async () => {
    const before = Date.now()
    const { status, body } = await ask('PATCH', '/endpoints/quiet', { container_port: 8080 })
    expect(status).toBe(200)
    expect(body).toMatchObject({ endpoint_id: 'quiet', name: 'Quiet one', is_active: false, container_port: 8080 })
    expect(Object.keys(body as object)).toEqual([
      'endpoint_id',
      'name',
      'is_active',
      'container_start_command',
      'container_env_vars',
      'container_port',
      'container_health_check_path',
      'container_health_check_timeout',
      'health_check_timeout',
      'container_metric_path',
      'updated_at',
    ])
    expect(Date.parse((body as { updated_at: string }).updated_at)).toBeGreaterThanOrEqual(before)
  })

  test('inactive, start: active, with a confirmation', async () => {
    expect(await ask('POST', '/endpoints/quiet/start')).toEqual({
      status: 200,
      body: { endpoint_id: 'quiet', is_active: true, message: 'Endpoint started successfully' },
    })
    expect(view('quiet')?.active).toBe(true)
  })

  test('active, stop: inactive, with a confirmation', async () => {
    expect(await ask('POST', '/endpoints/busy/stop')).toEqual({
      status: 200,
      body: { endpoint_id: 'busy', is_active: false, message: 'Endpoint stopped successfully' },
    })
    expect(view('busy')?.active).toBe(false)
  })

  test('active, patch: refused with 409 and unchanged', async () => {
    const before = view('busy')
    expect(await ask('PATCH', '/endpoints/busy', { container_port: 8080 })).toMatchObject({ status: 409 })
    expect(view('busy')).toEqual(before)
  })

  test('active, scale: the replica count is adjusted', async () => {
    expect(await ask('POST', '/endpoints/busy/scale', { replica_count: 3 })).toEqual({
      status: 200,
      body: {
        endpoint_id: 'busy',
        previous_replicas: 1,
        current_replicas: 3,
        message: 'Successfully scaled from 1 to 3 replicas',
      },
    })
    expect(await ask('GET', '/endpoints/busy/replicas')).toMatchObject({ body: { length: 3 } })
    await ask('POST', '/endpoints/busy/scale', { replica_count: 2 })
    expect(await ask('GET', '/endpoints/busy/replicas')).toMatchObject({ body: { length: 2 } })
  })

  test('starting a running or stopping a stopped endpoint answers 200 and changes nothing', async () => {
    const already = { status: 200, body: { message: 'Endpoint is already active', is_active: true } }
    expect(await ask('POST', '/endpoints/busy/start')).toMatchObject(already)
    const stopped = { status: 200, body: { message: 'Endpoint is already stopped', is_active: false } }
    expect(await ask('POST', '/endpoints/quiet/stop')).toMatchObject(stopped)
    expect(sandbox.changes().map(({ endpointId, kind, effective }) => [endpointId, kind, effective])).toEqual([
      ['busy', 'start', false],
      ['quiet', 'stop', false],
    ])
  })

  test('scaling to the current count answers 200 and changes nothing', async () => {
    expect(await ask('POST', '/endpoints/busy/scale', { replica_count: 1 })).toMatchObject({
      status: 200,
      body: { previous_replicas: 1, current_replicas: 1, message: expect.stringContaining('No change') },
    })
    expect(sandbox.changes()).toMatchObject([{ kind: 'scale', effective: false }])
  })

  test('scaling a stopped or autoscaled endpoint is refused with 400', async () => {
    expect(await ask('POST', '/endpoints/quiet/scale', { replica_count: 2 })).toMatchObject({ status: 400 })
    expect(await ask('POST', '/endpoints/auto/scale', { replica_count: 2 })).toMatchObject({ status: 400 })
    expect(sandbox.changes()).toEqual([])
  })

  test('a restart brings back as many replicas as before', async () => {
    await ask('POST', '/endpoints/busy/scale', { replica_count: 3 })
    await ask('POST', '/endpoints/busy/stop')
    expect(await ask('GET', '/endpoints/busy/replicas')).toEqual({ status: 200, body: [] })
    await ask('POST', '/endpoints/busy/start')
    expect(await ask('GET', '/endpoints/busy/replicas')).toMatchObject({ body: { length: 3 } })
  })
})

describe('The body of a patch', () => {
  test.each([{}, { name: 'new' }, { replica_count: 3 }])('without a setting is refused with 400: %o', async (body) => {
    expect(await ask('PATCH', '/endpoints/quiet', body)).toEqual({
      status: 400,
      body: { detail: 'At least one field must be provided' },
    })
  })

  test.each([
    ['container_port', 0],
    ['container_port', 65_536],
    ['container_port', 80.5],
    ['container_port', '80'],
    ['container_health_check_timeout', 0],
    ['health_check_timeout', -1],
    ['container_start_command', 5],
    ['container_metric_path', true],
    ['container_env_vars', 'A=b'],
    ['container_env_vars', [{ key: 'A' }]],
    ['container_env_vars', [{ key: 'A', value: 5 }]],
  ])('with %s %j is refused with 422, which names the field', async (field, value) => {
    const { status, body } = await ask('PATCH', '/endpoints/quiet', { [field]: value })
    expect(status).toBe(422)
    expect(body).toEqual({
      detail: [{ loc: ['body', field], msg: expect.any(String) as string, type: expect.any(String) as string }],
    })
  })

  test.each([
    ['container_port', 1],
    ['container_port', 65_535],
    ['container_health_check_timeout', 1],
    ['health_check_timeout', 1],
    ['container_start_command', 'python app.py'],
    ['container_env_vars', [{ key: 'A', value: 'b' }]],
  ])('may set %s to %j, and null clears it again', async (field, value) => {
    expect(await ask('PATCH', '/endpoints/quiet', { [field]: value })).toMatchObject({
      status: 200,
      body: { [field]: value },
    })
    expect(await ask('PATCH', '/endpoints/quiet', { [field]: null })).toMatchObject({
      status: 200,
      body: { [field]: null },
    })
  })

  test.each(['', '{"container_port":', '[]', '"text"', 'null'])('that is no object gets a 422: %j', async (body) => {
    expect(await ask('PATCH', '/endpoints/quiet', body)).toMatchObject({ status: 422 })
  })

  test('keeps settings that it leaves out, and replaces the environment variables as a whole', async () => {
    const before = [
      { key: 'A', value: '1' },
      { key: 'B', value: '2' },
    ]
    await ask('PATCH', '/endpoints/quiet', { container_port: 8080, container_env_vars: before })
    const after = await ask('PATCH', '/endpoints/quiet', { container_env_vars: [{ key: 'B', value: '3' }] })
    expect(after.body).toMatchObject({ container_port: 8080, container_env_vars: [{ key: 'B', value: '3' }] })
  })

  test('adds to the environment variables on a platform that merges', async () => {
    const merging = await startPlatform({ envVars: 'merge', endpoints: [{ id: 'quiet', name: 'x' }], keys })
    const patch = (container_env_vars: unknown) =>
      fetch(`${merging.url}/endpoints/quiet`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${merging.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ container_env_vars }),
      })
    await patch([
      { key: 'A', value: '1' },
      { key: 'B', value: '2' },
    ])
    const answer = await patch([{ key: 'B', value: '3' }])
    expect(await answer.json()).toMatchObject({
      container_env_vars: [
        { key: 'A', value: '1' },
        { key: 'B', value: '3' },
      ],
    })
    await merging.stop()
  })

  test('cannot be read back by a GET', async () => {
    await ask('PATCH', '/endpoints/quiet', { container_start_command: 'canary' })
    expect(JSON.stringify(await ask('GET', '/endpoints/quiet'))).not.toContain('canary')
    expect(JSON.stringify(await ask('GET', '/endpoints'))).not.toContain('container_')
  })
})

describe('The body of a scale', () => {
  test.each([{}, { replica_count: 0 }, { replica_count: 101 }, { replica_count: '3' }, { num_replicas: 3 }])(
    'with %o is refused with 422',
    async (body) => {
      expect(await ask('POST', '/endpoints/busy/scale', body)).toMatchObject({ status: 422 })
    },
  )

  test.each([1, 100])('may ask for %i replicas', async (replica_count) => {
    expect(await ask('POST', '/endpoints/busy/scale', { replica_count })).toMatchObject({ status: 200 })
  })
})

describe('Access', () => {
  test.each(['', 'Bearer', 'Bearer sk-wrong', 'Basic sk-sandbox-everything'])(
    'with the authorization %j is refused with 401',
    async (authorization) => {
      for (const [method, path] of [
        ['GET', '/me'],
        ['GET', '/endpoints'],
        ['POST', '/endpoints/busy/stop'],
      ] as const) {
        const answer = await fetch(sandbox.url + path, { method, headers: { authorization } })
        expect(answer.status).toBe(401)
      }
      expect(view('busy')?.active).toBe(true)
    },
  )

  test('with a limited key is refused with 403 for other endpoints, which are not listed', async () => {
    const key = 'sk-sandbox-only-quiet'
    expect(await ask('POST', '/endpoints/busy/stop', undefined, key)).toMatchObject({ status: 403 })
    expect(await ask('GET', '/endpoints/busy', undefined, key)).toMatchObject({ status: 403 })
    expect(await ask('GET', '/endpoints/quiet', undefined, key)).toMatchObject({ status: 200 })
    expect(await ask('GET', '/endpoints', undefined, key)).toMatchObject({
      body: { total: 1, items: [{ id: 'quiet' }] },
    })
    expect(await ask('GET', '/me', undefined, key)).toMatchObject({ body: { api_key_id: 'key-quiet', user_id: null } })
  })

  test('an unknown endpoint is 404 for every operation', async () => {
    const paths = ['', '/start', '/stop', '/scale', '/replicas', '/logs', '/logs/file?node_id=a&filename=b']
    for (const path of paths) {
      const method = /start|stop|scale/.test(path) ? 'POST' : 'GET'
      const body = path === '/scale' ? { replica_count: 1 } : undefined
      expect(await ask(method, `/endpoints/nobody${path}`, body)).toMatchObject({ status: 404 })
    }
    expect(await ask('PATCH', '/endpoints/nobody', { container_port: 1 })).toMatchObject({ status: 404 })
  })

  test.each([
    '/',
    '/nothing',
    '/endpoints/',
    '/endpoints//start',
    '/endpoints/busy/',
    '/endpoints/busy/restart',
    '/start',
    '/me/',
  ])('the path %s does not exist', async (path) => {
    expect(await ask('POST', path)).toEqual({ status: 404, body: { detail: 'Not Found' } })
  })

  test.each([
    ['POST', '/me'],
    ['DELETE', '/endpoints/busy'],
    ['GET', '/endpoints/busy/start'],
    ['PUT', '/endpoints'],
  ])('%s %s is 405', async (method, path) => {
    expect(await ask(method, path)).toEqual({ status: 405, body: { detail: 'Method Not Allowed' } })
  })
})

describe('The list', () => {
  test('has for every endpoint what the documentation shows', async () => {
    const { body } = await ask('GET', '/endpoints?is_active=true&search=AUTO')
    expect(body).toMatchObject({
      total: 1,
      page: 1,
      size: 50,
      pages: 1,
      items: [
        {
          id: 'auto',
          name: 'Auto',
          endpoint_type: 'container',
          is_active: true,
          status: 'RUNNING',
          num_replicas: 1,
          enable_autoscaling: true,
          tags: ['prod'],
        },
      ],
    })
    expect(body).not.toHaveProperty('items.0.endpoint_id')
  })

  test('comes in pages, and is empty past the end', async () => {
    expect(await ask('GET', '/endpoints?size=2&page=2')).toMatchObject({
      body: { total: 3, pages: 2, items: [{ id: 'auto' }] },
    })
    expect(await ask('GET', '/endpoints?size=2&page=9')).toMatchObject({ status: 200, body: { items: [] } })
    expect(await ask('GET', '/endpoints?is_active=false')).toMatchObject({ body: { items: [{ id: 'quiet' }] } })
  })

  test.each(['page=0', 'page=x', 'size=0', 'size=2001', 'size=1.5', 'is_active=maybe'])(
    'with %s is refused with 422',
    async (query) => {
      const field = query.split('=')[0]
      expect(await ask('GET', `/endpoints?${query}`)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['query', field] }] },
      })
    },
  )
})

describe('The log of changes', () => {
  test('says who did what, without showing a key', async () => {
    await ask('POST', '/endpoints/quiet/start', undefined, 'sk-sandbox-only-quiet')
    sandbox.console.stop('quiet')
    await ask('PATCH', '/endpoints/quiet', { container_port: 1 })
    await ask('PATCH', '/endpoints/busy', { container_port: 1 })
    expect(sandbox.changes()).toMatchObject([
      { endpointId: 'quiet', kind: 'start', effective: true, by: 'api', key: 'key-quiet' },
      { endpointId: 'quiet', kind: 'stop', effective: true, by: 'console', key: null },
      { endpointId: 'quiet', kind: 'patch', effective: true, by: 'api', key: 'key-all' },
    ])
    const calls = sandbox.calls()
    expect(calls.map(({ operation, status, key }) => [operation, status, key])).toEqual([
      ['startEndpoint', 200, 'key-quiet'],
      ['patchEndpoint', 200, 'key-all'],
      ['patchEndpoint', 409, 'key-all'],
    ])
    expect(JSON.stringify([calls, sandbox.changes()])).not.toContain('sk-sandbox')
  })

  test('can’t be changed by its readers', () => {
    ;(sandbox.changes() as unknown[]).push('x')
    expect(sandbox.changes()).toEqual([])
  })
})
