import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { tokensIn } from '../support/mentions.ts'
import { asks, ops, policyApplied, presses } from '../support/ops.ts'
import { callApi, proposeTo, tokenOf as tokenMadeBy } from '../support/programs.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

/** ana is an operator, ben an approver, cleo a viewer; ana and cleo may create tokens. */
const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
      admin: [user:U0BEN]
    tokens: [user:U0ANA, user:U0CLEO]
    prices: { currency: USD, per_hour: { RTX 4090: 0.75 } }
`)

let town: Town
async function begin(options: TownOptions = {}): Promise<void> {
  const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
  const endpoints = [
    { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, tags: ['prod'] },
    { id: 'ep-tts', name: 'my-tts', active: false, replicas: 1, tags: ['ci'] },
  ]
  town = await startTown({ policy, endpoints, roles: ['worker', 'bot', 'api'], env: { LAMPLIGHTER_KEY }, ...options })
}
beforeEach(() => begin())
afterEach(() => town.stop())

const tokenOf = (user: string, line: string) => tokenMadeBy(town, user, line)
const call = (token: string, path: string) => callApi(town, token, path)
const propose = (token: string, line: string, key?: string) => proposeTo(town, token, line, key)
const lookUp = (token: string, line: string) => call(token, `/v1/queries?line=${encodeURIComponent(line)}`)

test('A program proposes, its person confirms, and the program learns the outcome', async () => {
  const token = await tokenOf('U0ANA', 'token new "ci of team a"')
  const proposed = await propose(token, 'start my-tts')
  expect(proposed).toMatchObject({
    status: 202,
    body: {
      line: 'start my-tts',
      reason: 'the nightly job',
      status: 'awaiting',
      needs: 'confirmation',
      person: 'U0ANA',
    },
  })
  const ana = town.slack.as('U0ANA')
  await ana.sees(/^Start my-tts\?.*🤖 proposed by ci of team a for @ana/s, { in: 'ops' })
  await ana.sees(/Reason: “the nightly job”$/m, { in: 'ops' })
  // The secret was sent in a direct message and appears nowhere else.
  await town.calm()
  for (const place of [town.log(), town.slack.transcript('ops')]) expect(place).not.toContain(token)
  expect(town.platform.changes()).toEqual([])

  await presses(ana, 'Start my-tts', 'Started my-tts')
  const path = `/v1/requests/${String(proposed.body['id'])}`
  expect(await call(token, path)).toMatchObject({
    status: 200,
    body: { status: 'succeeded', open: false, program: 'ci of team a', decided: { yes: true, by: 'U0ANA' } },
  })
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-tts', kind: 'start' }])

  await asks(ana, 'history my-tts', 'proposed by ci of team a for')
})

test('`approve` with a name means the question of a program, not the stop that is announced beside it', async () => {
  const ana = town.slack.as('U0ANA')
  const token = await tokenOf('U0ANA', 'token new ci')
  await asks(ana, 'stop my-llm at 12m', '[Schedule stop]')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await town.minutesPass(3)
  await ana.sees(/my-llm stops to(day|morrow) at .*\[Stop now\]/s, { in: 'ops' })
  expect(await propose(token, 'stop my-llm')).toMatchObject({ body: { status: 'awaiting' } })
  await asks(ana, 'approve my-llm', /^Confirmed: Stop my-llm\./)
  await ana.sees(/Stopped my-llm\..*ci/s, { in: 'ops' })
})

test.each(['start my-tts', 'start my-tts for 4h'])(
  'The question names the program, its reason, and what %s starts and costs',
  async (line) => {
    await propose(await tokenOf('U0ANA', 'token new my-agent'), line)
    const asked = await town.slack.as('U0BEN').sees('any operator can confirm', { in: 'ops' })
    const said = JSON.stringify(asked.blocks)
    for (const part of [
      'proposed by my-agent for',
      'the nightly job',
      'it starts with 1 replica',
      '$0.75 more an hour',
    ])
      expect(said).toContain(part)
  },
)

test('A start for a while has succeeded for its program when the endpoint serves', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const ana = town.slack.as('U0ANA')
  const waits = (line: string) => callApi(town, token, '/v1/lines', { line, reason: 'the nightly job', wait: 20 })
  const proposed = waits('start my-tts for 2h')
  await ana.presses('Start my-tts', { in: 'ops' })
  expect(await proposed).toMatchObject({
    status: 200,
    body: {
      line: 'start my-tts for 2h',
      status: 'succeeded',
      open: false,
      says: { en: expect.stringMatching(/^Started my-tts to run until .+\.$/) },
    },
  })
  expect(town.platform.endpoints().find(({ name }) => name === 'my-tts')?.active).toBe(true)
  // The start has its own card and its own row in the history.
  await ana.sees(/^✅ Started my-tts to run until .*🤖 proposed by ci for @ana/s, { in: 'ops' })
  await asks(
    ana,
    'history my-tts',
    /Started my-tts to run until .*proposed by ci for @ana .*reason: “the nightly job”/s,
  )
  await asks(ana, 'why is my-tts running?', /last started my-tts .*, proposed by ci for @ana: “the nightly job”/)
  await presses(ana, 'Details', /Timeline of .*requested · proposed by ci for @ana/s)
  // The program has proposed the run, not its end.
  await town.minutesPass(110)
  await ana.sees(/🌙 my-tts stops .*requested by @ana/s, ops)
})

/** A program's `start … for` is confirmed, but another worker has the turn at the rules until `handsOn`. */
async function agreedRun() {
  const token = await tokenOf('U0ANA', 'token new ci')
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(() => redis.disconnect())
  const turn = `{${town.prefix}:default}:pursuits:turn:rules`
  await redis.set(turn, 'of another worker', 'PX', 600_000)
  const { body } = await propose(token, 'start my-tts for 2h')
  const ana = town.slack.as('U0ANA')
  await presses(ana, 'Start my-tts', 'Starting my-tts until')
  const seen = () => call(token, `/v1/requests/${String(body['id'])}`)
  return { ana, seen, handsOn: () => redis.del(turn) }
}

test('A start for a while stays open until a worker has handed in the start, however long that takes', async () => {
  const { ana, seen, handsOn } = await agreedRun()
  await town.minutesPass(5)
  expect(await seen()).toMatchObject({ body: { status: 'running', open: true } })
  await handsOn()
  await ana.sees('Started my-tts to run until', { in: 'ops' })
})

test('A start for a while that begins late is announced, and no question for the program', async () => {
  await policyApplied(town, `${policy}    matrix: { reversible: { dormant: confirmation } }\n`, 3)
  const { ana, seen, handsOn } = await agreedRun()
  await town.minutesPass(8)
  await handsOn()
  await town.minutesPass(1)
  await ana.sees(/my-tts starts to(day|morrow) at .*\[Start now\]/s, ops)
  const { body } = await seen()
  expect(body).toMatchObject({
    status: 'running',
    open: true,
    says: { en: expect.stringMatching(/^my-tts starts /) },
  })
  for (const field of ['needs', 'expires', 'ended']) expect(body).not.toHaveProperty(field)
  await presses(town.slack.as('U0BEN'), 'Start now', /^✅ Started my-tts to run until .*confirmed by @ben/s)
  await asks(ana, 'history my-tts', /proposed by ci for @ana .*confirmed by @ben/s)
})

test('A start for a while that is confirmed during a freeze says that it does not happen', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const { body } = await propose(token, 'start my-tts for 2h')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'freeze reason="a drill"', 'Paused all automation')
  await ana.presses('Start my-tts', ops)
  await ana.sees(/Start my-tts until .+ cancelled\. Automation is paused, so nothing would stop my-tts later/, ops)
  expect(await call(token, `/v1/requests/${String(body['id'])}`)).toMatchObject({
    body: { status: 'cancelled', unchanged: true },
  })
  expect(town.platform.changes()).toEqual([])
})

test('Undo of a program’s patch restores what was there right before it', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'patch my-tts port=8080', 'Patched my-tts (port 8080)')
  await propose(token, 'patch my-tts port=9000')
  await asks(ana, 'patch my-tts port=8081', 'Patched my-tts (port 8081)')
  await presses(ana, 'Patch my-tts', 'Patched my-tts (port 9000)')
  await asks(ana, 'undo my-tts', 'Patched my-tts (port 8081)')
})

test('A start for a while that a person takes back before it begins is cancelled for its program', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const { body } = await propose(token, 'start my-tts for 2h')
  const ana = town.slack.as('U0ANA')
  // The open question holds the endpoint, so the start is not handed in at once.
  await asks(town.slack.as('U0BEN'), 'patch my-tts command="python serve.py"', 'Patch my-tts')
  await town.calm()
  await presses(ana, 'Start my-tts', 'Starting my-tts until')
  await asks(ana, 'undo my-tts', 'Removed')
  const seen = {
    status: 'cancelled',
    open: false,
    unchanged: true,
    says: { en: expect.stringMatching(/Nothing changed\./) },
  }
  for (const minutes of [1, 130]) {
    await town.minutesPass(minutes)
    expect(await call(token, `/v1/requests/${String(body['id'])}`)).toMatchObject({ body: seen })
  }
  expect(town.platform.changes()).toEqual([])
})

test('A proposal that its program cancels shows the program and the reason everywhere', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  await propose(token, 'stop my-llm')
  const cancel = { line: 'cancel my-llm', reason: 'the run was moved', wait: 10 }
  expect(await callApi(town, token, '/v1/lines', cancel)).toMatchObject({ body: { status: 'succeeded' } })
  const why = 'ci withdrew its proposal: “the run was moved”. Nothing changed.'
  const ana = town.slack.as('U0ANA')
  await ana.sees(`Stop my-llm cancelled. ${why}`, { in: 'ops' })
  await ana.sees(`Stop my-llm? ${why}`, { in: 'ops' })
  await ana.sees('The program’s reason: “the nightly job”', { in: 'ops' })
  await asks(ana, 'history my-llm', `· ${why}`)
  await presses(ana, 'Details', `${why} · `)
})

test('A program’s cancel with a name means its own proposal, not what its person has open there', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const ana = town.slack.as('U0ANA')
  await propose(token, 'stop my-llm')
  await asks(ana, 'scale my-llm 5', 'Scale my-llm to 5?')
  const cancel = { line: 'cancel my-llm', reason: 'the run was moved', wait: 10 }
  expect(await callApi(town, token, '/v1/lines', cancel)).toMatchObject({ body: { status: 'succeeded' } })
  await ana.sees('Stop my-llm cancelled', { in: 'ops' })
})

test('A program that has several proposals on an endpoint is told which lines cancel one', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  await asks(town.slack.as('U0ANA'), 'scale my-llm 5', 'Scale my-llm to 5?')
  const ids: unknown[] = []
  for (const line of ['protect my-llm', 'keep my-llm for 1h']) ids.push((await propose(token, line)).body['id'])
  const cancel = (word: unknown) =>
    callApi(town, token, '/v1/lines', { line: `cancel ${String(word)}`, reason: 'the run was moved', wait: 10 })
  const perhaps = ids.map((id) => `cancel ${String(id)}`)
  const says = { en: expect.stringContaining('More than one request') }
  expect((await cancel('my-llm')).body).toMatchObject({
    status: 'refused',
    says,
    perhaps: expect.arrayContaining(perhaps),
  })
  expect((await cancel(ids[0])).body).toMatchObject({ status: 'succeeded' })
  expect((await cancel('my-llm')).body).toMatchObject({ status: 'succeeded' })
})

test.each(['before', 'after'])(
  'A program can cancel its start with a name, proposed %s a start of its person that is under way',
  async (when) => {
    await town.stop()
    await begin({ platform: { startDelayMs: 120_000 } })
    const token = await tokenOf('U0ANA', 'token new ci')
    const ana = town.slack.as('U0ANA')
    if (when === 'before') await propose(token, 'start my-tts')
    await asks(ana, 'start my-tts', 'Starting my-tts')
    await expect.poll(() => town.platform.changes()).toHaveLength(1)
    if (when === 'before') await presses(ana, 'Start my-tts', 'Confirmed by')
    else await callApi(town, token, '/v1/lines', { line: 'start my-tts', reason: 'the nightly job' })
    const cancel = { line: 'cancel my-tts', reason: 'the run was moved', wait: 10 }
    expect(await callApi(town, token, '/v1/lines', cancel)).toMatchObject({ body: { status: 'succeeded' } })
    await town.minutesPass(3)
    await ana.sees('Started my-tts', { in: 'ops' })
  },
)

test('The same key means the same proposal, and another line under it is refused', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const [first, again] = [await propose(token, 'start my-tts', '7'), await propose(token, 'start my-tts', '7')]
  expect(again.body['id']).toBe(first.body['id'])
  for (const key of ['', 'a b', 'x'.repeat(101)])
    expect(await propose(token, 'start my-tts', key)).toMatchObject({ status: 400, body: { title: 'Invalid key' } })
  const refused = (says: RegExp) => ({ status: 409, body: { says: { en: expect.stringMatching(says) } } })
  expect(await propose(token, 'stop my-llm', '7')).toMatchObject(refused(/another line/))
  const otherwise = { line: 'start my-tts', reason: 'another job' }
  expect(await callApi(town, token, '/v1/lines', otherwise, '7')).toMatchObject(refused(/another reason/))
  const both = { ...otherwise, line: 'start my-tts reason="the nightly job"' }
  expect(await callApi(town, token, '/v1/lines', both)).toMatchObject({ status: 422 })
  // The stored reason has the person’s name.
  const named = { line: 'protect my-tts', reason: 'as @U0BEN asked' }
  const [one, two] = [
    await callApi(town, token, '/v1/lines', named, '8'),
    await callApi(town, token, '/v1/lines', named, '8'),
  ]
  expect([one.status, two.status, two.body['id']]).toEqual([202, 202, one.body['id']])
  const atOnce = ['keep my-tts for 1h', 'keep my-llm for 1h'].map((line) => propose(token, line, 'job-4712'))
  expect((await Promise.all(atOnce)).filter(({ status }) => status === 409)).toHaveLength(1)
  expect(town.slack.transcript('ops').match(/^App: Start my-tts\?/gm)).toHaveLength(1)
})

test('Concurrent proposals lead to one question per endpoint and at most five in all', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `my-${letter}`)
  for (const name of names) await town.platform.add({ id: `ep-${name}`, name, active: false })
  const [one, other] = [await tokenOf('U0ANA', 'token new one'), await tokenOf('U0ANA', 'token new other')]
  const same = await Promise.all(Array.from({ length: 12 }, () => propose(one, 'stop my-llm')))
  expect(same.filter(({ body }) => body['status'] === 'awaiting')).toHaveLength(1)
  const apart = await Promise.all(names.map((name) => propose(other, `start ${name}`)))
  const asked = apart.filter(({ body }) => body['status'] === 'awaiting').length
  expect([0, 1, 2, 3, 4, 5].indexOf(asked)).toBeGreaterThan(0)
  const posted = town.slack.transcript('ops')
  expect(posted.match(/^App: Stop my-llm\?/gm)).toHaveLength(1)
  expect(posted.match(/^App: Start my-.\?/gm)).toHaveLength(asked)
  expect(town.platform.changes()).toEqual([])
})

test('A token says whom it belongs to, has at most that person’s role, and is answered alone', async () => {
  const token = await tokenOf('U0CLEO', 'token new agent')
  expect(await call(token, '/v1/me')).toEqual({
    status: 200,
    body: {
      person: 'U0CLEO',
      name: 'cleo',
      project: 'default',
      token: 'agent',
      role: 'viewer',
      until: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  })
  expect(JSON.stringify((await lookUp(token, 'tokens')).body)).toMatch(/until \d{4}-\d\d-\d\dT\d\d:\d\dZ/)
  expect(await lookUp(token, 'list')).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  expect(JSON.stringify((await lookUp(token, 'explain stop my-llm')).body['answer'])).toMatch(/operator/)
  expect(await lookUp(token, 'help stop')).toMatchObject({ status: 200 })
  expect(town.slack.transcript('ops')).not.toMatch(/my-llm/)
})

test('A program is told why it can’t propose a line, and nothing is stored', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  for (const line of ['freeze', 'scale my-llm'])
    expect(await lookUp(token, line)).toMatchObject({ status: 422, body: { type: 'urn:lamplighter:other-kind' } })
  expect(await lookUp(token, 'approve')).toMatchObject({ status: 403 })
  const entries = town.log().match(/"accepted"/g)?.length
  for (const [line, status, says] of [
    ['thaw', 403, /Only people can use thaw/],
    ['approve my-llm', 403, /Only people can use approve/],
    ['token new other', 403, /Only people can use token/],
    ['list', 422, /only looks something up/],
    ['reboot my-llm', 422, /Did you mean restart/],
    ['reboot everything', 422, /one endpoint at a time/],
    ['scale my-llm', 422, /^Missing: Replicas\. Usage: /],
    ['stop', 422, /^Missing: Endpoint\. Usage: stop <endpoint>/],
    ['start my-tts reason="xoxb-1234567890-abcdef"', 422, /.+/],
  ] as const) {
    const refused = await propose(token, line)
    expect([line, refused]).toMatchObject([line, { status, body: { says: { en: expect.stringMatching(says) } } }])
    expect(Object.keys(refused.body['says'] as object)).toEqual(['en', 'ko'])
    expect(town.log().match(/"accepted"/g)?.length).toBe(entries)
  }
})

test('The answer to a proposal has its reason in one line and says what a schedule means', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const freeze = { line: 'freeze', reason: 'the nightly job\nof team a', wait: 1 }
  const reason = 'the nightly job of team a'
  expect((await callApi(town, token, '/v1/lines', freeze)).body).toMatchObject({ status: 'awaiting', reason })
  const { body } = await propose(token, 'schedule my-llm down daily 22:00-06:00')
  expect(body).toMatchObject({
    says: { en: expect.stringMatching(/in Slack\. Schedule my-llm: stopped daily 22:00–06:00 UTC\. /) },
  })
})

test('A token is limited by its person, its role and its own restrictions', async () => {
  const [viewer, fenced] = [
    await tokenOf('U0CLEO', 'token new agent operator'),
    await tokenOf('U0ANA', 'token new night only=start,stop on=tag:ci'),
  ]
  expect((await propose(viewer, 'stop my-llm')).body).toMatchObject({ status: 'refused', open: false })
  expect((await propose(fenced, 'stop my-llm')).body['says']).toMatchObject({
    en: 'The token “night” is only for endpoints that match tag:ci.',
  })
  expect(await propose(fenced, 'scale my-tts 2')).toMatchObject({ status: 403 })
  expect((await propose(fenced, 'start my-tts')).body).toMatchObject({ status: 'awaiting' })
})

test('A token that would be useless, or whose name could mislead, is not created', async () => {
  await asks(town.slack.as('U0BEN'), 'token new mine', 'doesn’t let you create tokens')
  const ana = town.slack.as('U0ANA')
  for (const [line, says] of [
    ['new y only=foo', 'Programs can’t use “foo”. Write commands such as start,stop.'],
    ['new y only=stat', 'Did you mean status?'],
    ['new y only=start,approve', 'Programs can’t use “approve”'],
    ['new y only=calendar,start', 'A calendar needs its own token'],
    ['new y viewer only=list,start', 'start needs an operator token.'],
    ['new ""', 'Give the token a name'],
    ['list', '/endpoint tokens lists the tokens.'],
  ] as const)
    await asks(ana, `token ${line}`, says)
  for (const name of ['Workflow Builder', ' workflow  BUILDER ', 'Ｓlackbot'])
    await asks(ana, `token new "${name}"`, `already propose as ${name}`)
  // It can’t pass for a person or for formatting.
  for (const name of ['ana for @ben', '*dora* approved by @eva', '<!channel>', 'ci`x`', 'a|b', 'Slack\u{fe0f}bot']) {
    town.slack.workspace.messages.delete('C0OPS')
    await asks(ana, `token new "${name}"`, 'A token’s name can only have letters, digits')
    expect(town.slack.transcript('ops')).not.toContain('Create the token')
  }
  expect(await tokenOf('U0ANA', 'token new "ana’s 배치 (café/2.0)"')).toMatch(/^lamp_/)
  // A restriction that matches no endpoint yet is pointed out.
  await asks(ana, 'status my-tts', 'starts with 1 replica')
  await asks(ana, 'token new later on=tag:nope,tag:ci', 'No endpoint matches tag:nope yet.')
})

test('An admin names the person to revoke one of two tokens with the same name', async () => {
  for (const user of ['U0ANA', 'U0CLEO']) await tokenOf(user, 'token new twin')
  const ben = town.slack.as('U0BEN')
  await asks(ben, 'token revoke twin', /Several people have a token called “twin”: @ana.*@cleo/)
  await asks(ben, 'token revoke twin of @cleo', /Revoked the token “twin”.*It belongs to @cleo\./)
  await asks(ben, 'token new mine of @cleo', 'A new token is always your own.')
  await asks(ben, 'tokens', /1 token[\s\S]*twin/)
})

test('A token for some commands can also run queries about its endpoints', async () => {
  const token = await tokenOf('U0ANA', 'token new night only=start,stop on=tag:ci')
  for (const line of ['status my-tts', 'whoami', 'help', 'explain stop my-tts', 'explain my-tts']) {
    const { status, body } = await lookUp(token, line)
    expect([line, status, body['status'] ?? 'succeeded']).toEqual([line, 200, 'succeeded'])
  }
  const limits = expect.stringMatching(/^operator, only start and stop, on tag:ci · until 20/)
  const own = expect.objectContaining({ text: 'night', detail: limits })
  expect((await lookUp(token, 'whoami')).body).toMatchObject({
    answer: { en: { items: expect.arrayContaining([own]) } },
  })
  const ben = town.slack.as('U0BEN')
  await asks(ben, 'protect my-llm reason="the launch"', 'Protected my-llm')
  const explained = JSON.stringify((await lookUp(token, 'explain my-llm')).body)
  expect([/only for endpoints that match/.test(explained), explained.includes('launch')]).toEqual([true, false])
  const listed = JSON.stringify((await lookUp(token, 'list')).body)
  expect([listed.includes('my-tts'), listed.includes('my-llm')]).toEqual([true, false])
  expect((await lookUp(token, 'status my-llm')).body).toMatchObject({ status: 'refused' })
  expect(await lookUp(token, 'history')).toMatchObject({ status: 403 })
})

test('A token for some endpoints can neither see nor propose anything about the whole project', async () => {
  const ben = town.slack.as('U0BEN')
  for (const name of ['my-llm', 'my-tts']) {
    await ben.types('ops', `/endpoint idle ${name} after 2h`)
    await ben.presses('Turn on idle stop', { in: 'ops' })
    await town.calm()
  }
  const token = await tokenOf('U0ANA', 'token new night on=tag:ci,rerank')
  const limits = 'The token “night” is only for endpoints that match tag:ci or rerank.'
  const says = { en: expect.stringContaining('about the whole project') }
  for (const line of ['savings', 'doctor', 'tokens'])
    expect(await lookUp(token, line)).toMatchObject({ status: 403, body: { says } })
  expect(await propose(token, 'freeze')).toMatchObject({ status: 403, body: { says } })
  const all = JSON.stringify((await lookUp(token, 'schedules')).body)
  expect([all.includes('my-tts'), all.includes('my-llm')]).toEqual([true, false])
  expect((await lookUp(token, 'schedules my-tts')).body).toMatchObject({ answer: {} })
  for (const line of ['schedules my-llm', 'history my-llm', 'status my-llm'])
    expect([line, (await lookUp(token, line)).body]).toMatchObject([line, { status: 'refused', says: { en: limits } }])
  const near = [
    await lookUp(token, 'explain stop my-l'),
    await lookUp(token, 'status my-l'),
    await propose(token, 'stop my-l'),
  ]
  expect(JSON.stringify(near)).not.toMatch(/my-llm|ep-llm/)
  const none = await propose(token, 'cancel my-llm')
  await asks(ben, 'stop my-llm', '[Stop my-llm]')
  const open = await propose(token, 'cancel my-llm')
  expect([none, open].map(({ body }) => body['says'])).toEqual(Array(2).fill(none.body['says']))
})

test('A token for some endpoints reads no others in the answer to a line that is misread', async () => {
  await asks(town.slack.as('U0BEN'), 'stop my-llm reason="the deal is off"', '[Stop my-llm]')
  const [open, fenced] = [await tokenOf('U0ANA', 'token new all'), await tokenOf('U0CLEO', 'token new night on=tag:ci')]
  const lines = ['pending', 'turn off my-lmm please']
  const answers = async (token: string) =>
    JSON.stringify(await Promise.all(lines.map(async (line) => (await lookUp(token, line)).body)))
  expect(await answers(open)).toMatch(/the deal is off.*status my-llm/)
  expect(await answers(fenced)).not.toMatch(/my-llm|ep-llm|deal/)
})

test('A token for some endpoints can’t guess the names of others by a part of them', async () => {
  const token = await tokenOf('U0ANA', 'token new night on=tag:ci')
  await lookUp(token, 'list')
  for (const line of ['history WORD', 'list search=WORD page=9']) {
    const [theirs, none] = await Promise.all(
      ['my-l', 'zz-z'].map(async (word) => (await lookUp(token, line.replace('WORD', word))).body['answer']),
    )
    expect(JSON.stringify(theirs)).toBe(JSON.stringify(none).replaceAll('zz-z', 'my-l'))
  }
  expect((await lookUp(token, 'history my-t')).body).toMatchObject({
    answer: { en: { title: expect.stringContaining('No history of my-t') } },
  })
})

test('A refused cancel tells nothing about a request that its token may not read, and breaks no history', async () => {
  const [open, fenced] = [await tokenOf('U0ANA', 'token new all'), await tokenOf('U0CLEO', 'token new night on=tag:ci')]
  const foreign = (await propose(open, 'stop my-llm')).body['id']
  const query = (await lookUp(open, 'list')).body['id']
  for (const id of [foreign, query])
    await callApi(town, fenced, '/v1/lines', { line: `cancel ${String(id)}`, reason: 'x', wait: 5 })
  const refused = await lookUp(fenced, 'history refused')
  expect(refused).toMatchObject({ status: 200 })
  expect(JSON.stringify(refused.body)).not.toMatch(/my-llm|ep-llm/)
})

test('A token for some endpoints can read only its own requests and those about its endpoints', async () => {
  const [open, fenced] = [await tokenOf('U0ANA', 'token new all'), await tokenOf('U0CLEO', 'token new night on=tag:ci')]
  await lookUp(open, 'list')
  const ids = new Map<string, string>()
  for (const line of ['start my-tts', 'stop my-llm', 'freeze'])
    ids.set(line, String((await propose(open, line)).body['id']))
  const statuses = await Promise.all([...ids.values()].map((id) => call(fenced, `/v1/requests/${id}`)))
  expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404])
  const mine = await propose(fenced, 'stop my-llm')
  expect(await call(fenced, `/v1/requests/${String(mine.body['id'])}`)).toMatchObject({ status: 200 })
  for (const question of ['[Start my-tts]', '[Stop my-llm]']) {
    const name = question.slice(1, -1)
    await presses(town.slack.as('U0BEN'), name, name.startsWith('Start') ? 'Started' : 'Stopped')
  }
  const history = JSON.stringify((await lookUp(fenced, 'history')).body)
  expect([history.includes('my-tts'), history.includes('my-llm')]).toEqual([true, false])
  const one = await lookUp(fenced, `history ${ids.get('stop my-llm') ?? ''}`)
  expect(JSON.stringify(one.body['answer'])).not.toContain('my-llm')
})

test('A program’s question does not block people and ends when its plan no longer applies', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  expect((await propose(token, 'restart my-llm')).body).toMatchObject({ status: 'awaiting' })
  const ben = town.slack.as('U0BEN')
  await ben.types('ops', '/endpoint stop my-llm')
  await presses(ben, 'Stop my-llm', 'Stopped my-llm')
  await ben.presses('Restart my-llm', { in: 'ops' })
  await town.calm()
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop'])
})

test('A program can’t propose anything beside a person’s open request', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  const { body } = await propose(token, 'stop my-llm')
  expect(body).toMatchObject({ status: 'refused', blockedBy: expect.any(String) })
  expect((await call(token, `/v1/requests/${String(body['blockedBy'])}`)).body).toMatchObject({
    line: 'restart my-llm',
  })
})

test('A program can tell from a refusal that nothing needs to change', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  for (const line of ['start my-llm', 'stop my-tts', 'unprotect my-llm'])
    expect((await propose(token, line)).body).toMatchObject({ status: 'refused', already: true, unchanged: true })
  expect((await propose(token, 'scale my-tts 2')).body).not.toHaveProperty('already')

  const { body } = await propose(token, 'start my-tts')
  town.platform.console.start('ep-tts')
  await town.slack.as('U0ANA').presses('Start my-tts', { in: 'ops' })
  await expect
    .poll(() => call(token, `/v1/requests/${String(body['id'])}`))
    .toMatchObject({ body: { status: 'cancelled', already: true } })
})

test('One program can have at most five proposals waiting for people', async () => {
  const token = await tokenOf('U0ANA', 'token new eager')
  const five = ['start my-tts', 'stop my-llm', 'protect my-llm', 'keep my-llm for 2h', 'freeze']
  for (const line of five) expect((await propose(token, line)).body).toMatchObject({ status: 'awaiting' })
  expect(await propose(token, 'keep my-tts for 2h')).toMatchObject({ status: 429 })
  // What has been confirmed no longer waits for people.
  town.platform.fate('ep-tts', 'unhealthy')
  await presses(town.slack.as('U0ANA'), 'Start my-tts', 'Starting my-tts')
  expect(await propose(token, 'keep my-tts for 2h')).toMatchObject({ status: 202 })
})

test('Too many commands differ from too many open requests, and both say when to try again', async () => {
  await town.stop()
  const env = { LAMPLIGHTER_KEY: randomBytes(32).toString('base64'), LAMPLIGHTER_LIMIT_PER_MINUTE: '3' }
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env })
  const headers = { authorization: `Bearer ${await tokenOf('U0ANA', 'token new eager')}` }
  const ask = () => fetch(`${town.api()}/v1/queries?line=list`, { headers })
  const answers = [await ask(), await ask(), await ask(), await ask()]
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toBe('60')
  expect(await refused?.json()).toMatchObject({
    type: 'urn:lamplighter:too-often',
    title: 'Too many commands',
    says: { en: expect.stringContaining('in a minute') },
  })
})

test('Revoking a token ends its questions, nothing is changed, and a listening program hears no more', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const { body } = await propose(token, 'start my-tts', 'job-4711')
  expect(body).toMatchObject({ status: 'awaiting' })
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const stream = await fetch(`${town.api()}/v1/requests/${String(body['id'])}`, { headers })
  const again = { line: 'start my-tts', reason: 'the nightly job', wait: 60 }
  const waiting = callApi(town, token, '/v1/lines', again, 'job-4711')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'token revoke ci', 'Revoked the token')
  expect(await waiting).toMatchObject({ status: 401, body: { type: 'urn:lamplighter:bad-token' } })
  const heard = await stream.text()
  expect(heard).not.toMatch(/event: end|declined|cancelled/)
  expect(heard).toMatch(/event: problem\ndata: \{"type":"urn:lamplighter:bad-token"[^\n]*\n\n$/)
  expect(await lookUp(token, 'list')).toMatchObject({ status: 401 })
  await ana.sees('The token “ci” was revoked', { in: 'ops' })
  await ana.types('ops', '/endpoint history')
  expect((await ana.sees('History, newest first', { in: 'ops' })).text).toContain('Revoked the token')
  expect((await ana.sees('History, newest first', { in: 'ops' })).text).not.toContain('· until today')
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('[Start my-tts]')
  expect(town.platform.changes()).toEqual([])
})

test('A person removed from the policy is refused at the next call', async () => {
  const token = await tokenOf('U0CLEO', 'token new agent viewer')
  await town.rules(policy.replace('viewer: [everyone]', 'viewer: []'))
  await expect
    .poll(() => lookUp(token, 'list'))
    .toMatchObject({ status: 403, body: { type: 'urn:lamplighter:person-gone' } })
})

test('A person who leaves the user group that gave the role is refused at the next call', async () => {
  await town.stop()
  const grouped = policy.replace('viewer: [everyone]', 'viewer: [group:S0OPS]').replace('user:U0CLEO]', 'user:U0DORA]')
  const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
  town = await startTown({ policy: grouped, roles: ['worker', 'bot', 'api'], env: { LAMPLIGHTER_KEY } })
  const token = await tokenOf('U0DORA', 'token new agent viewer')
  expect(await lookUp(token, 'list')).toMatchObject({ status: 200 })
  town.slack.changes.usergroup('S0OPS', { users: [] })
  expect(await lookUp(token, 'list')).toMatchObject({ status: 403, body: { type: 'urn:lamplighter:person-gone' } })
})

test('A new token’s message promises proposals only if its person can make them', async () => {
  const [ana, cleo] = [town.slack.as('U0ANA'), town.slack.as('U0CLEO')]
  const made = await asks(cleo, 'token new agent', 'It can look things up in @cleo’s name, as a viewer, until')
  expect(JSON.stringify(made)).not.toMatch(/propose/)
  await asks(
    ana,
    'token new ci only=start,stop',
    'It can use only start and stop, besides list, status, explain, help, whoami and cancel, in @ana’s',
  )
  await ana.types('ops', '/endpoint history')
  const told = JSON.stringify((await ana.sees('newest first', { in: 'ops' })).blocks)
  expect([/until/.test(told), /people confirm|gets the token/i.test(told)]).toEqual([true, false])
})

test('A program’s reason mentions nobody', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  await propose(token, 'start my-tts reason="<!channel> <!here> <@U0CLEO> https://evil.example"')
  const [card, question] = [
    await town.slack.as('U0ANA').sees('→ Answer in the thread', { in: 'ops' }),
    await town.slack.as('U0ANA').sees('can confirm', { in: 'ops' }),
  ]
  // Expected: the mention of the person, the expiry date and the link to the question.
  const own = /^<!date\^|"type":"date"|\|→ Answer in the thread>$/
  for (const message of [card, question]) {
    expect(JSON.stringify(message.blocks)).toMatch(/(<|&lt;)!channel(>|&gt;)/)
    for (const raw of tokensIn(message).filter((one) => !own.test(one))) expect(raw).toMatch(/^<@U0ANA>$|"U0ANA"/)
  }
})

test('A stream sends each state and closes with the outcome', async () => {
  const token = await tokenOf('U0ANA', 'token new ci')
  const { body } = await propose(token, 'start my-tts')
  const response = await fetch(`${town.api()}/v1/requests/${String(body['id'])}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  })
  await town.slack.as('U0ANA').presses('Leave it stopped', { in: 'ops' })
  const events = await response.text()
  expect(events).toMatch(/^event: state\ndata: \{.*"awaiting"/)
  expect(events).toMatch(/event: end\ndata: \{.*"(declined|cancelled)".*\n\n$/)
})

test('A call without a known token or to an unknown path is refused, except for the OpenAPI document', async () => {
  const at = (path: string, init?: RequestInit) => fetch(`${town.api()}${path}`, init).then((one) => one.status)
  expect(await at('/v1/queries?line=list')).toBe(401)
  expect(await at('/v1/queries?line=list', { headers: { authorization: `Bearer lamp_${'x'.repeat(65)}` } })).toBe(401)
  expect(await at('/v2/lines')).toBe(404)
  expect(await at('/v1/openapi.json')).toBe(200)
})

describe('A calendar', () => {
  const open = (address: string) => fetch(`${town.api()}${address}`)

  test('opens at the address sent to its person and closes when the token is revoked', async () => {
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'token new "my calendar" only=calendar', '@ana gets the address once, in a DM.')
    const sent = JSON.stringify(await ana.sees('/v1/calendar/lamp_', { in: '@app' }))
    const [address = ''] = /\/v1\/calendar\/lamp_[\w-]{65}\.ics/.exec(sent) ?? []
    const answer = await open(address)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(await answer.text()).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/)

    await ana.types('ops', '/endpoint token revoke "my calendar"')
    await expect.poll(async () => (await open(address)).status).toBe(401)
  })

  test('has a token that opens nothing else, and no other token opens it', async () => {
    const calendar = await tokenOf('U0ANA', 'token new "my calendar" only=calendar')
    const says = { en: expect.stringContaining('only opens a calendar') }
    expect(await lookUp(calendar, 'list')).toMatchObject({ status: 403, body: { says } })
    expect(await call(calendar, '/v1/me')).toMatchObject({ status: 403, body: { says } })
    await town.slack.as('U0CLEO').types('ops', '/endpoint token new agent')
    const sent = JSON.stringify(await town.slack.as('U0CLEO').sees('lamp_', { in: '@app' }))
    const [other = ''] = /lamp_[\w-]{65}/.exec(sent) ?? []
    const refused = await open(`/v1/calendar/${other}.ics`)
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('only=calendar')])
    expect((await open('/v1/calendar/lamp_x.ics')).status).toBe(401)
  })
})
