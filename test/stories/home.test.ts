import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { readPolicy } from '../../src/config/policy-file/read.ts'
import { watchedPolicy } from '../support/idle.ts'
import { asks } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

const shortcuts = [{ callbackId: 'lamplighter', name: 'Ask Lamplighter' }]

async function townWith(options: TownOptions = {}): Promise<Town> {
  town = await startTown({ listed: true, slack: { shortcuts }, ...options })
  return town
}

/** Opens a person's Home until it contains the text, and returns it as JSON. */
async function homeOf(user: string, wanted: string): Promise<string> {
  const person = town.slack.as(user)
  for (let tries = 0; tries < 200; tries += 1) {
    if (tries % 20 === 0) await person.opensHome()
    const text = JSON.stringify(town.slack.workspace.homes.get(user)?.blocks ?? [])
    if (text.includes(wanted)) return text
    await wait(25)
  }
  throw new Error(`The Home of ${user} never said “${wanted}”.`)
}

test('The Home lists endpoints with buttons; a press posts in the operations channel and is answered on the Home', async () => {
  await townWith()
  const home = await homeOf('U0ANA', 'more:0')
  expect(home).toContain('Nothing needs your answer.')
  expect(home).not.toContain('Set up')
  const ana = town.slack.as('U0ANA')
  await ana.presses('Stop', { in: 'home' })
  await ana.sees('Stop my-llm? It’s running with 3 replicas.', { in: 'ops' })
  expect(await homeOf('U0BEN', 'Leave it running')).toContain('stop waits for confirmation')
  await town.slack.as('U0BEN').presses('Leave it running', { in: 'home' })
  await ana.sees('❌ Stop my-llm declined by @ben.', { in: 'ops' })
  await homeOf('U0BEN', 'Nothing needs your answer.')
  // Viewers see the savings but no buttons for changes, and strangers that they have no role.
  const viewed = await homeOf('U0CLEO', 'my-llm')
  expect(viewed).not.toContain('"Stop"')
  expect(viewed).toMatch(/Saved in the last 7 days.*0 replica-hours by schedules and idle stops/)
  expect(await homeOf('U0GUS', 'You don’t have a role')).not.toContain('my-llm')
})

test('The Home doesn’t say that nothing is automatic if the policy file has an idle time', async () => {
  await townWith({ policy: `${watchedPolicy}    endpoints: [{ match: ["my-*"], idle: 60m }]\n` })
  await homeOf('U0ANA', 'No start or stop is announced.')
})

test('The Home says who paused automation and lets people resume it', async () => {
  await townWith({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'freeze reason="release week"', 'Paused all automation')
  const home = await homeOf('U0ANA', 'release week')
  expect(home).toContain('Automation is paused by')
  await ana.presses('Resume all automation', { in: 'home' })
  await ana.sees(/^Resume all automation\? .*needs \d approval/s, { in: 'ops' })
})

test('A longer pause of all automation names the person and the reason of the one that it replaces', async () => {
  await townWith()
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await asks(ana, 'freeze until 2h reason="migration"', 'Paused all automation')
  await asks(ben, 'freeze until 3h reason="holiday"', /This replaces the pause by @ana until .+ \(“migration”\)\./)
  await asks(ben, 'freeze until 4h reason="vacation"', 'vacation')
  await town.calm()
  expect(town.slack.transcript('ops').split('This replaces')).toHaveLength(2)
})

test('Without a policy file the Home explains the setup, with the reader’s own id in the example', async () => {
  await townWith({ policy: null })
  const [text = '""'] = /"projects:(?:\\.|[^"\\])*"/.exec(await homeOf('U0ANA', 'Set up')) ?? []
  const { policy, mistakes } = readPolicy('lamplighter.yaml', JSON.parse(text))
  expect(mistakes).toEqual([])
  expect(policy?.projects[0]?.roles).toMatchObject({ admin: [{ kind: 'user', id: 'U0ANA' }], approver: [] })
  // A guest has no role and sees no setup.
  expect(await homeOf('U0GUS', 'You don’t have a role')).not.toContain('Set up')
})

test('Without an operations channel the form asks for a channel, and picking one gives no role', async () => {
  const policy = `
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, channel:C0SECRET]
`
  const channels = [
    { id: 'C0OPS', name: 'ops' },
    { id: 'C0SECRET', name: 'secret', private: true },
  ]
  await townWith({ policy, slack: { shortcuts, channels } })
  const [ana, cleo] = [town.slack.as('U0ANA'), town.slack.as('U0CLEO')]
  for (const [person, channel, endpoint] of [
    [ana, 'ops', 'my-tts'],
    [cleo, 'secret', 'my-llm'],
  ] as const) {
    await person.runsShortcut('lamplighter')
    await person.opens('Lamplighter')
    // cleo gets no such button, so she forges one.
    const actions = [{ type: 'button', action_id: 'form:0', block_id: 'forged', action_ts: '1.1', value: 'start' }]
    await person.pressesRaw(await person.remembers('List', { in: 'modal' }), { actions })
    await person.opens('Start an endpoint')
    await person.chooses('Endpoint', endpoint)
    await person.chooses('Channel', channel)
    expect(await person.submits()).toMatchObject({ outcome: 'cleared' })
  }
  await ana.sees('Started my-tts', { in: 'ops' })
  await cleo.sees('You need the operator role')
})

test('A failed endpoint is failed on the Home, in schedules and status, and in the answer why', async () => {
  await townWith({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  town.platform.fate('ep-tts', 'deploy_failed')
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts for 4h', 'Start my-tts: failed.')
  await asks(ana, 'schedules my-tts', /🔴 my-tts\s+Should be running until .*, then stops\./)
  await asks(ana, 'status my-tts', /🔴 failing .*Should be running until/s)
  for (const line of ['why did my-tts not start?', 'why my-tts', 'why did my-tts fail?', 'why is my-tts failing?']) {
    await asks(
      ana,
      `${line}`,
      /^my-tts is failing now\. Should be running until .*❌ Start my-tts: failed\..*Details \| Restart my-tts.*\[Status\]/s,
    )
  }
  await town.minutesPass(2)
  await ana.opensHome()
  await ana.presses('Refresh', { in: 'home' })
  const home = await homeOf('U0ANA', '🔴 1 of 2 running · my-tts failing')
  expect(home).toMatch(/failing · stops in .* · DEPLOY_FAILED/)
})

test('A Home that can’t be loaded says so instead of showing that nothing is waiting', async () => {
  await townWith({ wired: true })
  await homeOf('U0ANA', '1 of 2 running')
  await town.wires.redis.cut()
  expect(await homeOf('U0ANA', 'I couldn’t load everything')).not.toContain('Nothing needs')
  await town.wires.redis.pass()
})

test('The shortcut answers a query by direct message, as a form that can’t be opened; Refresh lists again', async () => {
  await townWith()
  const [ana, cleo] = [town.slack.as('U0ANA'), town.slack.as('U0CLEO')]
  for (const person of [ana, cleo]) {
    await person.runsShortcut('lamplighter')
    await person.opens('Lamplighter')
  }
  await cleo.presses('List', { in: 'modal' })
  await cleo.sees('my-llm', { in: '@app' })
  const fault = town.slack.fault('views.push', { kind: 'error', error: 'expired_trigger_id' }, 1)
  await ana.presses('Stop…', { in: 'modal' })
  await ana.sees('Type this instead: /endpoint stop', { in: '@app' })
  await ana.presses('Open the form', { in: '@app' })
  await ana.opens('Stop an endpoint')
  expect(fault.hits()).toBe(1)
  await ana.closes(true)

  // Refresh shows the endpoints as listed within the last minute.
  await homeOf('U0ANA', '1 of 2 running')
  town.platform.console.stop('ep-llm')
  await town.minutesPass(2)
  async function home() {
    await ana.presses('Refresh', { in: 'home' })
    return JSON.stringify(town.slack.workspace.homes.get('U0ANA')?.blocks ?? [])
  }
  await expect.poll(home, { interval: 500 }).toContain('⚪ 0 of 2 running')
})
