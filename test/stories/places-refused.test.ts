import { afterEach, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, storyStart, type Town, type TownOptions } from '../support/town.ts'

/* Slack refuses one message or edit, or every one from some time on. */

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions) {
  town = await startTown(options)
  return { ana: town.slack.as('U0ANA'), ben: town.slack.as('U0BEN') }
}

const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const three = ['asr', 'chat', 'code'].map((name) => ({ id: `ep-${name}`, name, active: true, replicas: 1 }))
const two = three.slice(0, 2)
const timeIn = (minutes: number) => new Date(storyStart + minutes * 60_000).toISOString().slice(11, 16)
const times = `down daily ${timeIn(20)}-${timeIn(120)} UTC`

/** Removes the bot from a channel, where it may still edit, or archives it. */
function removeBot(id: string, archived = false): void {
  const channel = town.slack.workspace.channels.get(id)!
  const members = new Set([...channel.members].filter((member) => member !== 'U0APP'))
  town.slack.workspace.channels.set(id, { ...channel, members, archived })
}

async function schedule(who: string, name: string, channel = 'ops'): Promise<void> {
  const owner = town.slack.as(who)
  await owner.types(channel, `/endpoint schedule ${name} ${times}`)
  await owner.presses('Save schedule', { in: channel })
  await owner.sees(new RegExp(`✅.*${name}`, 's'), { in: channel })
  await town.calm()
}

async function pass(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 0.5) {
    await town.minutesPass(0.5)
    await town.calm()
  }
}

test.each(['every message', 'one reply'])(
  'A card that can be edited shows the outcome if %s is refused',
  async (what) => {
    const { ana } = await begin({ platform: { startDelayMs: 60_000 } })
    await asks(ana, 'restart my-llm', '[Restart my-llm]')
    await presses(ana, 'Restart my-llm', 'waiting until it serves')
    if (what === 'every message') removeBot('C0OPS')
    else town.slack.fault('chat.postMessage', { kind: 'error', error: 'restricted_action' }, 1)
    await timePassesUntil(town, ana.sees(/^Restarted my-llm/, { in: '@app' }))
    await timePassesUntil(town, town.calm())
    expect(town.slack.transcript('ops')).toMatch(/^App: ✅ Restarted my-llm/)
  },
)

test('A reply with the outcome that may have arrived does not also go to the requester', async () => {
  const scopes = ['chat:write', 'commands', 'users:read', 'usergroups:read', 'channels:read', 'im:write']
  const { ana } = await begin({ platform: { startDelayMs: 60_000 }, slack: { scopes } })
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
  const dropped = town.slack.fault('chat.postMessage', { kind: 'drop-after' }, 2)
  await timePassesUntil(town, expect.poll(() => dropped.hits()).toBe(2))
  await timePassesUntil(town, town.calm())
  expect(town.slack.transcript('U0ANA')).not.toContain('I can’t post in')
  expect(town.slack.transcript('ops')).toMatch(/^App: ✅ Started my-tts/m)
})

test('A card that nobody may edit does not make the bot say that it can’t post in the channel', async () => {
  const { ana } = await begin({ platform: { startDelayMs: 300_000 } })
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  await presses(ana, 'Restart my-llm', 'waiting until it serves')
  town.slack.fault('chat.update', { kind: 'error', error: 'edit_window_closed' })
  await timePassesUntil(town, ana.sees(/^Restarted my-llm/))
  await timePassesUntil(town, town.calm())
  expect(town.slack.transcript('U0ANA')).not.toContain('I can’t post in')
})

test('An answer for a channel goes to no other channel', async () => {
  const members = ['U0ANA', 'U0BEN']
  const quiet = { id: 'C0QUIET', name: 'quiet', members, botIsMember: false }
  const { ana } = await begin({ slack: { channels: [quiet, { id: 'C0OPS', name: 'ops', members }] } })
  await ana.types('quiet', '/endpoint status my-llm')
  const refused = town.slack.fault('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' }, 2)
  await ana.presses('Post to channel', { in: 'quiet' })
  await timePassesUntil(town, expect.poll(() => refused.hits()).toBe(2))
  await timePassesUntil(town, town.calm())
  expect(town.slack.transcript('ops')).not.toContain('my-llm')
})

test('An approval that is asked again is not asked in a direct message', async () => {
  const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN] }
    matrix: { disruptive: { active: approval } }
`)
  const { ana, ben } = await begin({ policy, env })
  const busy = town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 503, retryAfter: '20' }, 2)
  await asks(ana, 'restart my-llm', /The requester can’t approve/)
  await ben.presses('Approve: Restart my-llm', { in: 'ops' })
  await expect.poll(() => busy.hits()).toBe(1)
  await ana.sees('Trying again in', { in: 'ops' })
  removeBot('C0OPS', true)
  await timePassesUntil(town, ana.sees('Trying again in', { in: '@app' }))
  town.platform.console.scale('ep-llm', 4)
  await timePassesUntil(town, ana.sees('I’m not in this channel', { in: '@app' }))
  await timePassesUntil(town, town.calm())
  expect(town.slack.transcript('U0ANA')).not.toContain('[Approve: Restart my-llm]')
  expect(town.slack.transcript('U0ANA')).not.toMatch(/^App: ⏳/m)
  expect(effects(town)).toEqual(['scale'])
})

test('Each owner of a planned stop is told of it if the message that they share can’t be posted', async () => {
  const { ana, ben } = await begin({ env, endpoints: two })
  await schedule('U0ANA', 'asr')
  await schedule('U0BEN', 'chat')
  removeBot('C0OPS', true)
  const told = Promise.all([ana.sees('asr', { in: '@app' }), ben.sees('chat', { in: '@app' })])
  await timePassesUntil(town, told, 0.5)
})

test.each(['asr', 'chat'])(
  'The owner of a stop is told of it if the policy file stops another endpoint (%s)',
  async (own) => {
    const other = own === 'asr' ? 'chat' : 'asr'
    const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    endpoints: [{ match: ["${other}"], schedule: ["${times}"] }]
`)
    const { ana } = await begin({ env, endpoints: two, policy })
    await schedule('U0ANA', own)
    removeBot('C0OPS', true)
    await timePassesUntil(town, ana.sees(own, { in: '@app' }), 0.5)
  },
)

test('An owner of several planned stops gets one message if the one that all share can’t be posted', async () => {
  const { ana, ben } = await begin({ env, endpoints: three })
  await schedule('U0ANA', 'asr')
  await schedule('U0ANA', 'code')
  removeBot('C0OPS', true)
  await timePassesUntil(town, ana.sees('asr and code', { in: '@app' }), 0.5)
  await town.calm()
  await schedule('U0BEN', 'chat', 'general')
  await timePassesUntil(town, ben.sees('chat stops', { in: '@app' }), 0.5)
  await town.calm()
  expect(town.slack.transcript('U0ANA').match(/^App: /gm)?.length).toBe(1)
  expect(town.slack.transcript('U0BEN').match(/^App: /gm)?.length).toBe(1)
})

test.each(['U0ANA', 'U0BEN'])(
  'A shared message shows the end of every stop although nobody may reply to it (%s)',
  async (second) => {
    const { ana } = await begin({ env, endpoints: two })
    await schedule('U0ANA', 'asr')
    await schedule(second, 'chat')
    await timePassesUntil(town, ana.sees('2 endpoints stop', { in: 'ops' }), 0.5)
    removeBot('C0OPS')
    town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 403, body: { detail: 'Not yours' } }, 1)
    town.platform.faults.add('stopEndpoint', { kind: 'stale', ms: 60_000 })
    const ends = Promise.all([
      ana.sees('Stopped 1 of 2 endpoints', { in: 'ops' }),
      ana.sees(/Stopped|failed/, { in: '@app' }),
      town.slack.as(second).sees(/Stopped|failed/, { in: '@app' }),
    ])
    await timePassesUntil(town, ends, 0.1)
    const cards = town.slack.transcript('ops').split(/\n(?=App: )/)
    expect(cards.at(-1)).not.toMatch(/⏳|Stopping|Keep one/)
  },
)

test.each(['U0ANA', 'U0BEN'])(
  'No card of a group stays at “Stopping” if one reply to it is refused (%s)',
  async (second) => {
    const { ana } = await begin({ env, endpoints: two })
    await schedule('U0ANA', 'asr')
    await schedule(second, 'chat')
    await timePassesUntil(town, ana.sees('2 endpoints stop', { in: 'ops' }), 0.5)
    town.slack.fault('chat.postMessage', { kind: 'error', error: 'restricted_action' }, 1)
    town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 403, body: { detail: 'Not yours' } }, 1)
    town.platform.faults.add('stopEndpoint', { kind: 'stale', ms: 60_000 })
    await timePassesUntil(town, ana.sees('Stopped 1 of 2 endpoints', { in: 'ops' }), 0.1)
    await pass(5)
    for (const who of ['ops', 'U0ANA', 'U0BEN']) expect(town.slack.transcript(who)).not.toMatch(/⏳|Stopping|Keep one/)
  },
)

test('The shared message of a group is edited after a later notice joins, though a reply to it was refused', async () => {
  const { ana, ben } = await begin({ env, endpoints: three })
  await schedule('U0ANA', 'asr')
  await timePassesUntil(town, ana.sees('asr stops', { in: 'ops' }), 0.5)
  await town.calm()
  const refused = town.slack.fault('chat.postMessage', { kind: 'error', error: 'restricted_action' }, 1)
  town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 403, body: { detail: 'Not yours' } }, 1)
  await ana.presses('Stop now', { in: 'ops' })
  await timePassesUntil(town, expect.poll(() => refused.hits()).toBe(1), 0.05)
  await town.calm()
  const joins = async (name: string, channel: string) => {
    await ben.types(channel, `/endpoint schedule ${name} ${times}`)
    await ben.presses('Save schedule', { in: channel })
    await town.calm()
  }
  await joins('chat', 'general')
  await timePassesUntil(town, ben.sees(/Stop.*asr|chat/, { in: 'ops' }), 0.05)
  await pass(2)
  await joins('code', 'general')
  await pass(15)
  for (const who of ['ops', 'U0ANA', 'U0BEN']) expect(town.slack.transcript(who)).not.toMatch(/⏳|Stopping|Keep one|🌙/)
})
