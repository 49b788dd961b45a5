import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { workflowBuilder, workflowControls } from '../../sandbox/demo/workflow-controls.ts'
import type { Execution } from '../../sandbox/slack/workspace.ts'
import { effects } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

/** ana, dora and ben are operators, ben and eva approvers; workflows may propose for ana, cleo and gus. */
const rules = `
    roles:
      viewer: [everyone, user:U0GUS]
      operator: [user:U0ANA, user:U0DORA, user:U0BEN]
      approver: [user:U0BEN, user:U0EVA]
    endpoints:
      - match: [my-llm]
        protected: true`
const policy = policyOf(`${rules}
    workflows: [user:U0ANA, user:U0CLEO, user:U0GUS]
`)
const people = [
  { id: 'U0ANA', name: 'ana' },
  { id: 'U0BEN', name: 'ben' },
  { id: 'U0CLEO', name: 'cleo' },
  { id: 'U0DORA', name: 'dora' },
  { id: 'U0EVA', name: 'eva' },
  { id: 'U0GUS', name: 'gus', guest: 'single' },
  { id: 'U0BOT', name: 'robot', bot: true },
  { id: 'U0GONE', name: 'gone', deleted: true },
] as const

let town: Town
async function begin(options: TownOptions = {}): Promise<Town> {
  const env = { LAMPLIGHTER_KEY: randomBytes(32).toString('base64'), ...options.env }
  const channels = [{ id: 'C0OPS', name: 'ops' }]
  town = await startTown({ policy, ...options, env, slack: { people: [...people], channels, ...options.slack } })
  return town
}
afterEach(() => town.stop())

const reason = 'the nightly evaluation'

function run(
  step: string,
  inputs: Record<string, string> = {},
): Promise<{ readonly id: string; readonly answer: string }> {
  return town.slack.workflows.run(step, { person: 'U0ANA', reason, ...inputs })
}

async function ends(step: string, inputs: Record<string, string> = {}): Promise<Execution> {
  return town.slack.workflows.ended((await run(step, inputs)).id)
}

/** The reports of workflow steps to Slack, by method. */
function reports(): readonly string[] {
  return town.slack.calls().flatMap(({ method }) => (method.startsWith('functions.') ? [method] : []))
}

test('A start step continues once somebody else has confirmed it', async () => {
  await begin()
  const { id, answer } = await run('start_endpoint', { endpoint: 'my-tts' })
  expect(answer).toBe('acked')
  const dora = town.slack.as('U0DORA')
  await dora.sees('🤖 proposed by Workflow Builder for @ana', { in: 'ops' })
  expect(town.slack.transcript('ops')).toContain(reason)
  expect(town.platform.changes()).toEqual([])
  expect(town.slack.workflows.execution(id)?.state).toBe('running')

  await dora.presses('Start my-tts', { in: 'ops' })
  const { state, outputs } = await town.slack.workflows.ended(id)
  expect(state).toBe('completed')
  expect(outputs).toEqual({
    result: 'done',
    sentence: expect.stringMatching(/^Started my-tts/),
    request: expect.stringMatching(/^[\w-]{22}$/),
    link: expect.stringContaining('/archives/C0OPS/'),
    decided_by: 'U0DORA',
  })
  expect(effects(town)).toEqual(['start'])
  expect(town.log()).not.toContain('xwfp-')
})

test('The demo runs each step in the name of the person who presses it and shows the outcome', async () => {
  await begin({ slack: { people: [...people, workflowBuilder] } })
  const [start, stop, ask] = workflowControls(town.slack, town.platform)
  expect([start, stop, ask].map((one) => one?.label)).toEqual(['Start endpoint', 'Stop endpoint', 'Ask for approval'])
  expect(await start?.run('U0ANA')).toBe('Workflow started: Start endpoint my-tts.')
  const [dora, ben] = [town.slack.as('U0DORA'), town.slack.as('U0BEN')]
  await presses(dora, 'Start my-tts', /The workflow continues\. Started my-tts.* · decided by @dora/)
  await ask?.run('U0ANA')
  await presses(ben, 'Approve', /Ask for approval.*The workflow continues/)
  await stop?.run('U0DORA')
  await dora.sees(/Stop endpoint my-llm.*The workflow ended/, { in: 'ops' })
})

test('A start step for an endpoint that is starting continues once it serves', async () => {
  await begin({ platform: { startDelayMs: 60_000 } })
  town.platform.console.start('ep-tts')
  const { id } = await run('start_endpoint', { endpoint: 'my-tts' })
  await town.minutesPass(0.5)
  expect(town.slack.workflows.execution(id)?.state).toBe('running')
  await town.minutesPass(1)
  expect(await town.slack.workflows.ended(id)).toMatchObject({ state: 'completed', outputs: { result: 'done' } })
})

/** A start step waits for its answer while dora starts its endpoint, which takes some minutes. */
async function startedByHand() {
  await begin({ platform: { startDelayMs: 400_000 } })
  const { id } = await run('start_endpoint', { endpoint: 'my-tts' })
  const dora = town.slack.as('U0DORA')
  await dora.sees('Start my-tts?', { in: 'ops' })
  await asks(dora, 'start my-tts', 'Starting my-tts')
  await expect.poll(() => effects(town)).toEqual(['start'])
  return { id, dora }
}

test.each(['unconfirmed', 'confirmed'])(
  'A start step that waits %s while a person starts the endpoint continues once it serves',
  async (how) => {
    const { id, dora } = await startedByHand()
    if (how === 'confirmed') await dora.presses('Start my-tts', { in: 'ops' })
    expect(await timePassesUntil(town, town.slack.workflows.ended(id))).toMatchObject({
      state: 'completed',
      outputs: { result: 'done', sentence: expect.stringContaining('already running') },
    })
    expect(effects(town)).toEqual(['start'])
  },
)

test('A confirmed start step that waits for another start gives way to a stop', async () => {
  const { id, dora } = await startedByHand()
  await presses(dora, 'Start my-tts', 'Confirmed by')
  await dora.types('ops', '/endpoint stop my-tts')
  await presses(dora, 'Stop my-tts', 'Stopped my-tts')
  expect(await timePassesUntil(town, town.slack.workflows.ended(id))).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('stopped my-tts in the meantime'),
  })
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('A declined stop ends its workflow with the sentence', async () => {
  await begin({ policy: policyOf(`${rules.slice(0, rules.indexOf('    endpoints'))}    workflows: [everyone]\n`) })
  const { id } = await run('stop_endpoint', { endpoint: 'my-llm' })
  await town.slack.as('U0BEN').presses('Leave it running', { in: 'ops' })
  expect(await town.slack.workflows.ended(id)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/^Stop my-llm declined/),
  })
  expect(effects(town)).toEqual([])
})

test('A step needs one approval more than a person, because an approver may have built its workflow', async () => {
  await begin()
  const { id } = await run('stop_endpoint', { endpoint: 'my-llm' })
  const [ben, eva] = [town.slack.as('U0BEN'), town.slack.as('U0EVA')]
  await ben.sees(/Needs 2 approvals from/, { in: 'ops' })
  await ben.presses('Approve: Stop my-llm', { in: 'ops' })
  await eva.sees('1 more needed', { in: 'ops' })
  expect(effects(town)).toEqual([])
  await eva.presses('Approve: Stop my-llm', { in: 'ops' })
  expect(await town.slack.workflows.ended(id)).toMatchObject({ state: 'completed' })
  expect(effects(town)).toEqual(['stop'])
})

test('A step that needs more approvals than people can give is refused at once', async () => {
  const few = rules.replace('approver: [user:U0BEN, user:U0EVA]', 'approver: [user:U0BEN, user:U0ANA]')
  await begin({ policy: policyOf(`${few}\n    workflows: [user:U0ANA]\n`) })
  expect(await ends('stop_endpoint', { endpoint: 'my-llm' })).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/needs 2 approvals, but only one person can give one\. An admin can name more/),
  })
  expect(town.slack.transcript('ops')).not.toContain('Needs 2 approvals')
})

const question = 'Publish the model card of v2?'

test('An approval step reports who approved or declined and why, and ends its workflow if nobody answers', async () => {
  await begin()
  const { id } = await run('ask_for_approval', { question })
  const ben = town.slack.as('U0BEN')
  await ben.sees('Approval of “Publish the model card of v2?”', { in: 'ops' })
  // The person in whose name the step runs can't approve.
  await presses(town.slack.as('U0ANA'), 'Approve', /can’t approve your own/)
  await ben.presses('Approve', { in: 'ops' })
  expect(await town.slack.workflows.ended(id)).toMatchObject({
    state: 'completed',
    outputs: {
      result: 'approved',
      decided_by: 'U0BEN',
      sentence: expect.stringMatching(/^Approved: “Publish the model card of v2\?”/),
    },
  })
  const other = await run('ask_for_approval', { question: 'Publish v3?' })
  await ben.sees('Approval of “Publish v3?”', { in: 'ops' })
  await ben.presses('Decline…', { in: 'ops' })
  const about = JSON.stringify((await ben.opens('Decline a request')).blocks)
  expect(about).toMatch(/Proposed by Workflow Builder for /)
  await ben.chooses('Reason', 'the licence is not clear')
  await ben.submits()
  expect(await town.slack.workflows.ended(other.id)).toMatchObject({
    state: 'completed',
    outputs: { result: 'declined', decided_by: 'U0BEN', decided_because: 'the licence is not clear' },
  })
  expect(town.platform.calls()).toEqual([])
  // Nobody answers this one in time.
  const last = await run('ask_for_approval', { question: 'Publish v4?' })
  await ben.sees('Approval of “Publish v4?”', { in: 'ops' })
  await town.minutesPass(31)
  expect(await town.slack.workflows.ended(last.id)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/expired after .* without an answer/),
  })
})

test('Two workflows may ask the same question and get separate answers', async () => {
  await begin()
  const [one, other] = [await run('ask_for_approval', { question }), await run('ask_for_approval', { question })]
  const ben = town.slack.as('U0BEN')
  await expect.poll(() => town.slack.transcript('ops').match(/Approval of .*\?/g)?.length).toBeGreaterThanOrEqual(2)
  await ben.presses('Approve', { in: 'ops' })
  await expect
    .poll(() => [one, other].filter(({ id }) => town.slack.workflows.execution(id)?.state === 'completed').length)
    .toBe(1)
})

test('A step in the name of somebody who may not use it does nothing and tells the workflow why', async () => {
  await begin()
  for (const [person, why] of [
    ['U0BOT', /no role here/],
    ['U0GONE', /no role here/],
    ['U0GUS', /guest/i],
    ['U0CLEO', /operator/],
    ['U0DORA', /there under workflows/],
  ] as const) {
    const { state, error } = await ends('start_endpoint', { endpoint: 'my-tts', person })
    expect({ person, state, error }).toEqual({ person, state: 'failed', error: expect.stringMatching(why) })
  }
  expect(effects(town)).toEqual([])
  expect(town.slack.transcript('ops')).not.toContain('my-tts')
})

test('Without people named for workflows in the policy no workflow can propose', async () => {
  await begin({ policy: policyOf(`${rules}\n`) })
  expect(await ends('ask_for_approval', { question })).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/there under workflows/),
  })
})

test('Inputs that name nothing are refused with a sentence, and a running endpoint needs no question', async () => {
  await begin()
  for (const [inputs, why] of [
    [{ endpoint: 'no-such-one' }, /no-such-one/],
    [{ endpoint: '  ' }, /Which endpoint/],
    [{ endpoint: 'my-tts', project: 'other' }, /Write the project/],
  ] as const)
    expect(await ends('start_endpoint', inputs)).toMatchObject({ state: 'failed', error: expect.stringMatching(why) })
  expect(await ends('start_endpoint', { endpoint: 'my-llm' })).toMatchObject({
    state: 'completed',
    outputs: { result: 'done', sentence: expect.stringContaining('already') },
  })
  expect(effects(town)).toEqual([])
})

test('Text from a workflow mentions nobody and stays on one line', async () => {
  await begin()
  const { id } = await run('ask_for_approval', { question: 'One\n<!channel> " two', reason: '<!here>\n@channel' })
  await town.slack.as('U0BEN').presses('Approve', { in: 'ops' })
  expect(await town.slack.workflows.ended(id)).toMatchObject({ state: 'completed' })
  const posted = town.slack.channel('ops').messages()
  expect(JSON.stringify(posted.map(({ blocks }) => blocks))).not.toMatch(/"type":"broadcast"/)
})

test('A step delivered twice is one request and reported once', async () => {
  await begin()
  const { id } = await run('start_endpoint', { endpoint: 'my-tts' })
  expect(await town.slack.link.sendAgain(0)).toMatchObject({ kind: 'acked' })
  const dora = town.slack.as('U0DORA')
  await dora.presses('Start my-tts', { in: 'ops' })
  await town.slack.workflows.ended(id)
  expect(await town.slack.link.sendAgain(0)).toMatchObject({ kind: 'acked' })
  await town.calm()
  const cards = town.slack
    .channel('ops')
    .messages()
    .filter(({ threadTs }) => threadTs === undefined)
  expect(cards).toHaveLength(1)
  expect(reports()).toEqual(['functions.completeSuccess'])
  expect(effects(town)).toEqual(['start'])
})

test('The outcome is reported until Slack takes it, also if the step’s person has confirmed it', async () => {
  await begin()
  town.slack.fault('functions.completeSuccess', { kind: 'status', status: 503 }, 2)
  const { id } = await run('start_endpoint', { endpoint: 'my-tts' })
  await town.slack.as('U0ANA').presses('Start my-tts', { in: 'ops' })
  const ended = await timePassesUntil(town, town.slack.workflows.ended(id))
  expect(ended).toMatchObject({ state: 'completed', outputs: { decided_by: 'U0ANA' } })
})

test('A report whose answer was lost is repeated without harm', async () => {
  await begin()
  town.slack.fault('functions.completeSuccess', { kind: 'drop-after' }, 1)
  const { id } = await run('start_endpoint', { endpoint: 'my-tts' })
  await town.slack.as('U0DORA').presses('Start my-tts', { in: 'ops' })
  await town.slack.workflows.ended(id)
  await expect.poll(reports).toHaveLength(2)
  await town.calm()
  expect(town.slack.workflows.execution(id)).toMatchObject({ state: 'completed' })
})

test('The outcome is reported although first the worker and then the bot was away', async () => {
  await begin({ roles: [] })
  const [bot, worker] = [await town.begin('bot'), await town.begin('worker')]
  const { id } = await run('start_endpoint', { endpoint: 'my-tts' })
  const dora = town.slack.as('U0DORA')
  const button = await dora.remembers('Start my-tts', { in: 'ops' })
  await worker.stop()
  await dora.pressesRaw(button)
  await bot.stop()
  await town.begin('worker')
  expect(await town.slack.workflows.ended(id)).toMatchObject({ state: 'completed' })
})

test('A refusal that Slack does not take is reported when the step is delivered again', async () => {
  await begin()
  town.slack.fault('functions.completeError', { kind: 'status', status: 503 }, 1)
  const { id, answer } = await run('start_endpoint', { endpoint: 'my-tts', person: 'U0BOT' })
  expect(answer).not.toBe('acked')
  expect(await town.slack.link.sendAgain(0)).toMatchObject({ kind: 'acked' })
  expect(town.slack.workflows.execution(id)).toMatchObject({ state: 'failed' })
})
