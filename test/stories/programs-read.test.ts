import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import openapi from '../../src/adapters/api/openapi.json' with { type: 'json' }
import { english } from '../../src/words/english.ts'
import { presses } from '../support/ops.ts'
import { callApi, proposeTo, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/** ana is an operator, ben an approver, cleo a viewer; these may create tokens. gus, a guest, may change nothing. */
const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN, user:U0GUS]
      approver: [user:U0BEN]
    tokens: [user:U0ANA, user:U0BEN, user:U0CLEO]
    prices: { currency: EUR, per_hour: { RTX 4090: 0.75 } }
`)

let town: Town
beforeEach(async () => {
  const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env: { LAMPLIGHTER_KEY } })
})
afterEach(() => town.stop())

interface Row {
  readonly text: string
  readonly detail?: string
  readonly lines?: readonly string[]
}
interface Looked {
  readonly title: string
  readonly items: readonly Row[]
  readonly block?: readonly string[]
  readonly foot?: string
  readonly effect?: { readonly zone?: string; readonly until?: string; readonly people?: readonly string[] }
}

/** Returns the English answer to a query. */
async function look(token: string, line: string): Promise<Looked> {
  const { body } = await callApi(town, token, `/v1/queries?line=${encodeURIComponent(line)}`)
  return (body['answer'] as { en: Looked } | undefined)?.en ?? { title: JSON.stringify(body), items: [] }
}

test('help lists every command that the program may use, with usage, effect, role and examples', async () => {
  const [mine, viewer] = [
    await tokenOf(town, 'U0BEN', 'token new agent'),
    await tokenOf(town, 'U0CLEO', 'token new dashboard'),
  ]
  const { items } = await look(mine, 'help')
  const verbs = items.map(({ text }) => text.split(' ')[0])
  expect(verbs).toEqual(expect.arrayContaining(['list', 'stop', 'scale', 'explain', 'help']))
  expect(verbs).not.toEqual(expect.arrayContaining(['approve']))
  for (const verb of 'approve decline break-glass undo away back thaw token'.split(' '))
    expect(verbs).not.toContain(verb)
  const stop = await look(mine, '/endpoint help stop')
  expect(stop.items).toMatchObject([
    { text: expect.stringMatching(/^stop <endpoint> /), detail: expect.stringMatching(/operators.*stop my-llm/s) },
  ])
  expect(stop.items[0]?.lines).toContain('stop my-llm')
  expect((await look(viewer, 'help')).items.map(({ text }) => text)).not.toContainEqual(expect.stringMatching(/^stop/))
  expect((await look(mine, 'help approve')).title).toMatch(/Only people can use approve/)
})

test('Long logs are part of the answer, and nothing is sent to the person', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  for (let n = 1; n <= 300; n += 1) town.platform.log('ep-llm', `step ${n} of a long training run`)
  const { block = [], foot } = await look(token, 'logs my-llm lines=200')
  // One name line and 200 log lines for each of three replicas.
  expect(block).toHaveLength(3 * 201)
  expect(block.at(-1)).toContain('step 300 of')
  expect(foot).not.toContain('DM')
  await town.calm()
  expect([...town.slack.workspace.files.values()]).toEqual([])
})

test('Commands for people are not offered, and an approver’s token acts as an operator', async () => {
  const token = await tokenOf(town, 'U0BEN', 'token new agent')
  const ben = town.slack.as('U0BEN')
  await ben.types('ops', '/endpoint token new other')
  await ben.sees('Created the token “other”', { in: 'ops' })
  await ben.types('ops', '/endpoint stop my-llm')
  await presses(ben, 'Stop my-llm', 'Stopped my-llm')
  for (const line of ['history', 'tokens', 'whoami']) {
    const shown = JSON.stringify(await look(token, line))
    // A token may revoke only itself.
    expect(shown).not.toMatch(/undo |token revoke other/)
  }
  for (const line of ['status nope', 'aprove', 'undoo my-llm', 'tokn new x', 'explain status aprove', 'undo x y='])
    expect(
      JSON.stringify((await callApi(town, token, `/v1/queries?line=${encodeURIComponent(line)}`)).body),
    ).not.toMatch(/(endpoint|") ?(approve|decline|undo|token) |waiting for you|Usage/)
  expect((await look(token, 'whoami')).title).toMatch(/^This program can .* in the name of @U0BEN, as an operator/)
})

test('Endpoints, times and approvals have fields of their own', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  const { body } = await callApi(town, token, '/v1/queries?line=list')
  expect(body['answer']).toMatchObject({
    en: {
      items: [
        {
          endpoint: {
            id: 'ep-llm',
            name: 'my-llm',
            state: 'running',
            replicas: 3,
            perHour: { amount: 2.25, currency: 'EUR' },
          },
        },
        { endpoint: { id: 'ep-tts', name: 'my-tts', state: 'stopped' } },
      ],
    },
  })
  const later = await proposeTo(town, token, 'stop my-llm at 23:00')
  const { zone, at } = later.body['when'] as { zone: string; at: string }
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' })
  expect(clock.format(new Date(at))).toBe('23:00')
  expect(later.body['says']).toMatchObject({ en: expect.stringContaining(`were read in ${zone}.`) })
  expect(later.body['says']).toMatchObject({ en: expect.stringContaining(`${at.slice(0, 16)}Z`) })
  const tried = await callApi(town, token, '/v1/queries?line=explain%20stop%20my-llm')
  const saves = { amount: 2.25, currency: 'EUR' }
  expect(tried.body['answer']).toMatchObject({
    en: {
      effect: {
        allowed: true,
        needs: 'confirmation',
        people: ['user:U0ANA', 'user:U0BEN'],
        expires: expect.stringMatching(/Z$/),
        endpoint: { id: 'ep-llm', perHour: saves },
        saves,
      },
      items: expect.arrayContaining([{ text: 'This saves €2.25 an hour.' }]),
    },
  })
  const once = await callApi(town, token, '/v1/queries?line=explain%20stop%20my-llm%20at%2022:00')
  expect(once.body['answer']).toMatchObject({
    en: { effect: { allowed: true, at: expect.stringMatching(/:00.000Z$/) } },
  })
  expect(JSON.stringify(once.body)).toMatch(/Stop my-llm at \d{4}-\S+Z\. A warning/)
  const asks = await proposeTo(town, token, 'ask "move to v2"')
  expect(asks.body).toMatchObject({ needs: 'approval', approvals: { needed: 1, given: 0 } })
  await town.slack.as('U0BEN').presses('Approve', { in: 'ops' })
  await town.calm()
  expect((await callApi(town, token, `/v1/requests/${String(asks.body['id'])}`)).body).toMatchObject({
    says: { en: expect.stringMatching(/ Approved by @U0BEN\.$/) },
    decided: { yes: true, by: 'U0BEN', approved: ['U0BEN'] },
  })
})

test('explain names the program and person behind an open request and behind the last change', async () => {
  const [agent, ci] = [
    await tokenOf(town, 'U0BEN', 'token new agent'),
    await tokenOf(town, 'U0ANA', 'token new ci on=my-tts'),
  ]
  const { body } = await proposeTo(town, agent, 'stop my-llm')
  const open = {
    text: expect.stringMatching(
      /^Open request: Stop my-llm\. @U0BEN or any operator can confirm\. Expires at \S+Z\. Reason: “the nightly job”$/,
    ),
    through: 'proposed by agent for',
    people: ['user:U0BEN'],
    program: 'agent',
    lines: [`history ${String(body['id'])}`],
  }
  for (const line of ['explain scale my-llm 2', 'explain my-llm'])
    expect((await look(agent, line)).items).toContainEqual(open)
  for (const line of ['explain scale my-llm 2', 'explain my-llm'])
    expect(JSON.stringify((await look(ci, line)).items)).not.toContain('agent')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint explain stop my-llm')
  await ana.sees(/Open request: Stop my-llm\. [\s\S]*proposed by agent for @ben/, { in: 'ops' })
  await ana.types('ops', '/endpoint schedule my-llm up daily 09:00-20:00')
  await ana.sees('Schedule my-llm: running', { in: 'ops' })
  const { items } = await look(agent, 'status my-llm')
  expect(items).toContainEqual(open)
  expect(items).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/^Open request: Schedule my-llm: running daily/) }),
  )
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  expect((await look(agent, 'explain my-llm')).items).toContainEqual(
    expect.objectContaining({ text: 'Stopped my-llm.', through: 'proposed by agent for', program: 'agent' }),
  )
})

test('explain says in which zone times were read, and names only people who can confirm', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  const { items, effect = {} } = await look(token, 'explain start my-tts until 23:00')
  expect(items.map(({ text }) => text)).toContain(`Times without a zone were read in ${effect.zone}.`)
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: effect.zone, timeStyle: 'short' })
  expect(clock.format(new Date(String(effect.until)))).toBe('23:00')
  expect(effect.people).toEqual(['user:U0ANA', 'user:U0BEN'])
  // A line may be copied with its /endpoint.
  expect((await look(token, '/endpoint list')).items.map(({ text }) => text)).toContain('my-llm')
  expect((await look(token, 'explain /endpoint stop my-llm')).title).toBe('stop my-llm')
})

test('Answers to a program write commands as the program would', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  const lines = [
    'status no-such',
    'explain my-llm',
    'explain stop no-such',
    'schedules',
    'stpo my-llm',
    'explain cancel',
  ]
  const answers = await Promise.all(
    lines.map((line) => callApi(town, token, `/v1/queries?line=${encodeURIComponent(line)}`)),
  )
  const said = JSON.stringify(answers.map(({ body }) => body))
  for (const part of [
    'Type list to see',
    'For example: explain stop my-llm',
    'with schedule.',
    'Did you mean stop my-llm?',
  ])
    expect(said).toContain(part)
  expect(said).toMatch(/Usage: cancel <request>.*사용법: cancel <request>/)
  expect(said).not.toContain('/endpoint')
  expect(JSON.stringify(await callApi(town, 'lamp_x', '/v1/me'))).toContain('with /endpoint token new.')
})

interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Resolves a reference into the document. */
function at<Found>(given: unknown): Found {
  const { $ref } = given as { $ref?: string }
  if ($ref === undefined) return given as Found
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], openapi)
  return at<Found>(found)
}

/** Returns the places where a value does not match its schema, including fields that the document leaves out. */
function wrongIn(given: Schema, value: unknown, path = ''): readonly string[] {
  const schema = at<Schema>(given)
  if (schema.anyOf !== undefined) {
    const tried = schema.anyOf.map((one) => wrongIn(one, value, path))
    return tried.find((wrong) => wrong.length === 0) ?? tried[0] ?? []
  }
  if (schema.enum?.includes(value) === false || (schema.const !== undefined && schema.const !== value)) return [path]
  if (Array.isArray(value)) return value.flatMap((one, n) => wrongIn(schema.items ?? {}, one, `${path}/${n}`))
  const type = schema.type === 'integer' ? 'number' : schema.type
  if (type !== undefined && type !== typeof value) return [path]
  const { properties = {}, required = [] } = schema
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return []
  const missing = required.filter((key) => !(key in value)).map((key) => `${path}/${key} is missing`)
  const each = Object.entries(value).flatMap(([key, one]) =>
    properties[key] === undefined ? [`${path}/${key} is unknown`] : wrongIn(properties[key], one, `${path}/${key}`),
  )
  return [...missing, ...each]
}

interface Described {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>
}

test('The OpenAPI document lists every type of problem', () => {
  const named = english['program.problem'].match(/\w+(?= \{)/g) ?? []
  const types = named.map((type) => `urn:lamplighter:${type === 'other' ? 'fault' : type.replaceAll('_', '-')}`)
  expect(openapi.components.schemas.Problem.properties.type.enum.toSorted()).toEqual(types.toSorted())
})

test('Real answers match the OpenAPI document', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  const { body: request } = await proposeTo(town, token, 'stop my-llm at 23:00')
  const authorization = `Bearer ${token}`
  const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { authorization, 'idempotency-key': '1', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const get = { headers: { authorization } }
  const proposal = { line: 'start my-tts', reason: 'x' }
  const asked: readonly (readonly [path: string, url: string, status: number, init: RequestInit, field?: string])[] = [
    ['/v1/lines', '', 202, post(proposal)],
    ['/v1/lines', '', 409, post({ ...proposal, line: 'stop my-llm' })],
    ['/v1/lines', '', 422, post({ line: 'start my-tts' })],
    ['/v1/lines', '', 422, post({ ...proposal, line: 'statsu my-llm' })],
    ['/v1/lines', '', 403, post({ ...proposal, line: 'approve my-llm' })],
    ['/v1/lines', '', 400, post({ ...proposal, wait: 61 }), 'wait'],
    ['/v1/lines', '', 400, post({ ...proposal, reason: 'x'.repeat(301) }), 'reason'],
    ['/v1/lines', '', 400, post({ ...proposal, line: '' }), 'line'],
    ['/v1/lines', '', 400, post({ ...proposal, line: 'x'.repeat(2_000) }), 'line'],
    ['/v1/lines', '', 400, post({ ...proposal, as: 'U0BEN' }), 'as'],
    ['/v1/lines', '', 400, post([])],
    ['/v1/lines', '', 415, post(proposal, { 'content-type': 'text/plain' })],
    ['/v1/lines', '', 401, { method: 'POST', body: '{}' }],
    ['/v1/lines', '', 405, get],
    ['/v1/requests/{id}', `/v1/requests/${String(request['id'])}`, 200, get],
    ['/v1/requests/{id}', '/v1/requests/no-such', 404, get],
    ['/v1/queries', '/v1/queries?line=help', 200, get],
    ['/v1/queries', '/v1/queries?line=list', 200, get],
    ['/v1/queries', '/v1/queries?line=history', 200, get],
    ['/v1/queries', '/v1/queries?line=explain%20stop%20my-llm', 200, get],
    ['/v1/queries', '/v1/queries?line=explain%20stop%20my-llm%20at%2023:00', 200, get],
    ['/v1/queries', '/v1/queries?line=status%20no-such', 200, get],
    ['/v1/queries', '/v1/queries?line=stop%20my-llm', 422, get],
    ['/v1/queries', '/v1/queries?lin=list', 400, get, 'lin'],
    ['/v1/me', '', 200, get],
    ['/v1/me', '', 405, post({})],
    ['/v1/openapi.json', '', 200, get],
    ['/v1/openapi.json', '', 405, post({})],
    ['/v1/calendar/{token}.ics', '/v1/calendar/lamp_x.ics', 401, {}],
    ['/v1/calendar/{token}.ics', `/v1/calendar/${token}.ics`, 403, {}],
  ]
  for (const [path, url, status, init, field] of asked) {
    const response = await fetch(`${town.api()}${url === '' ? path : url}`, init)
    const body: unknown = await response.json()
    const name = `${init.method ?? 'GET'} ${url === '' ? path : url}: ${JSON.stringify(body)}`
    expect(response.status, name).toBe(status)
    const operation = Object.values((openapi.paths as Record<string, object>)[path] ?? {})[0] as {
      responses: Record<string, unknown>
    }
    const { content, headers = {} } = at<Described>(operation.responses[status] ?? operation.responses['default'])
    const described = content[response.headers.get('content-type') ?? '']
    expect(described, name).toBeDefined()
    expect(wrongIn(described?.schema ?? {}, body), name).toEqual([])
    for (const header of ['location', 'retry-after', 'allow', 'www-authenticate'])
      if (response.headers.has(header)) expect(Object.keys(headers).map((one) => one.toLowerCase())).toContain(header)
    if (status === 405) expect(response.headers.get('allow'), name).toMatch(/^(GET, HEAD|POST)$/)
    if (field !== undefined) expect(body).toMatchObject({ field, says: { en: expect.stringContaining(`“${field}”`) } })
  }
  for (const path of ['/v1/openapi.json', '/v1/me'])
    expect((await fetch(`${town.api()}${path}`, { method: 'HEAD', ...get })).status).toBe(200)
})
