import { afterEach, describe, expect, test } from 'vitest'
import { remove } from '../../sandbox/slack/messages.ts'
import { effects, theEnd, withoutTook } from '../support/ends.ts'
import { asks, policyApplied, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, storyStart, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions): Promise<void> {
  town = await startTown(options)
}

const everybody = ['U0ANA', 'U0BEN', 'U0CLEO']
const quiet = { id: 'C0QUIET', name: 'quiet', members: everybody, botIsMember: false }
const ops = { id: 'C0OPS', name: 'ops', members: everybody }
const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const approved = `
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN] }
    matrix: { disruptive: { active: approval } }
`

/** Removes the bot from a channel, where it can no longer post. */
function removeBot(id: string, archived = false): void {
  const channel = town.slack.workspace.channels.get(id)!
  const members = new Set([...channel.members].filter((member) => member !== 'U0APP'))
  town.slack.workspace.channels.set(id, { ...channel, members, archived })
}

function archive(id: string): void {
  removeBot(id, true)
}

/** Deletes the app's card or question, as an admin of the workspace could. */
function deleteQuestion(where: 'card' | 'thread'): void {
  const message = town.slack
    .channel('ops')
    .messages()
    .filter(({ text, ephemeralTo }) => text.startsWith('ana: Stop my-llm?') && ephemeralTo === undefined)
    .find(({ threadTs, ts }) => (threadTs === undefined || threadTs === ts) === (where === 'card'))
  remove(town.slack.workspace, message!)
}

test('In a channel without the bot a stop is refused, and a start’s outcome goes to its requester', async () => {
  await begin({ slack: { channels: [quiet, ops] } })
  const ana = town.slack.as('U0ANA')
  await ana.types('quiet', '/endpoint stop my-llm')
  const said = await ana.sees('This needs confirmation or approval, but I’m not in this channel.', { in: 'quiet' })
  expect(said.ephemeralTo).toBe('U0ANA')
  expect(said.text).toContain('Run /invite @Lamplighter, then try again. Nothing was done.')
  await town.calm()
  expect(effects(town)).toEqual([])
  await asks(ana, 'stop my-llm', '[Stop my-llm]')

  await ana.types('quiet', '/endpoint start my-tts')
  await ana.sees(/^Started my-tts; it’s serving\./, { in: '@app' })
  await town.calm()
  expect(withoutTook(town.slack.transcript('U0ANA'))).toBe(
    [
      'App: ✅ Started my-tts; it’s serving.',
      '  requested by @ana · Platform: “Endpoint started successfully”',
      '  I can’t post in #quiet. To see this there, use /invite @Lamplighter.',
    ].join('\n'),
  )
  expect(effects(town)).toEqual(['start'])
})

test('A start for a while shows what it does where it was typed, and without the bot there to its requester', async () => {
  const team = { id: 'C0TEAM', name: 'team', members: everybody }
  await begin({ slack: { channels: [quiet, ops, team] } })
  const ana = town.slack.as('U0ANA')
  for (const [typed, shown, name] of [
    ['team', 'team', 'my-tts'],
    ['quiet', '@app', 'my-llm'],
  ] as const) {
    if (name === 'my-llm') {
      await ana.types('ops', '/endpoint stop my-llm')
      await ana.presses('Stop my-llm', { in: 'ops' })
      await ana.sees('Stopped my-llm.', { in: 'ops' })
    }
    await ana.types(typed, `/endpoint start ${name} for 30m`)
    await timePassesUntil(town, ana.sees(`Started ${name} to run until`, { in: shown }))
    await timePassesUntil(town, ana.sees(`Stopped ${name}, as planned.`, { in: shown }), 1)
    expect(town.slack.transcript('ops')).not.toMatch(new RegExp(`Start(ed|ing) ${name}|as planned`))
    // The card of its start says so, and nothing is said twice.
    expect(town.slack.transcript(shown === '@app' ? 'U0ANA' : shown)).not.toMatch(/✅ Starting/)
  }
})

test('An answer that is to be posted in a channel without the bot goes to the person who asked, with the reason', async () => {
  await begin({ slack: { channels: [quiet, ops] } })
  const ana = town.slack.as('U0ANA')
  await ana.types('quiet', '/endpoint status my-llm')
  await ana.presses('Post to channel', { in: 'quiet' })
  await ana.sees('I can’t post in #quiet.', { in: '@app' })
  expect(town.slack.transcript('U0ANA')).toContain('running · 3 replicas')
})

const policy = policyOf('\n    roles: { viewer: [everyone], operator: [user:U0ANA] }\n')

test('In a direct message a stop without an operations channel is refused, with the missing setting', async () => {
  await begin({ policy: policy.replace('operations_channel: C0OPS', '') })
  const ana = town.slack.as('U0ANA')
  await ana.types('@app', '/endpoint stop my-llm')
  await ana.sees('there’s no channel to ask in. Set operations_channel in lamplighter.yaml', { in: '@app' })
  await town.calm()
  expect(effects(town)).toEqual([])
  await ana.types('@app', '/endpoint start my-tts')
  await ana.sees(/^Started my-tts/, { in: '@app' })
})

test('A channel without a project says so, and a direct message means the only one', async () => {
  await begin({ policy: policy.replace('["*"]', '[C0OPS]') })
  const ana = town.slack.as('U0ANA')
  const says = 'No project uses this channel. Use a project’s channel, or add one to a project in lamplighter.yaml.'
  for (const line of ['start my-tts', 'help', 'help stop'])
    expect(await ana.types('general', `/endpoint ${line}`)).toBe(says)
  await ana.types('general', '/endpoint')
  await ana.sees(says, { in: 'general' })
  expect(await ana.types('@app', '/endpoint status my-tts')).not.toBe(says)
  await ana.sees(/my-tts.*stopped/s, { in: '@app' })
})

describe('A channel that is archived', () => {
  test('while a question waits lets the request expire, and the requester is told', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'stop my-llm', '[Stop my-llm]')
    await town.calm()
    archive('C0OPS')
    await town.minutesPass(31)
    await timePassesUntil(town, ana.sees('expired after 30 min', { in: '@app' }))
    expect(effects(town)).toEqual([])
  })

  test('during a restart sends the outcome to the requester', async () => {
    await begin({ platform: { startDelayMs: 60_000 } })
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint restart my-llm')
    await presses(ana, 'Restart my-llm', /^Restarting my-llm… waiting until it serves/)
    archive('C0OPS')
    await town.minutesPass(0.5)
    const refusals = () => town.slack.calls('chat.update').map(({ answer }) => answer?.['error'])
    await expect.poll(refusals).toContain('is_archived')
    await timePassesUntil(town, ana.sees(/^Restarted my-llm/, { in: '@app' }))
    expect(effects(town)).toEqual(['stop', 'start'])
  })
})

describe('A bot that is removed from a channel', () => {
  test('still makes a planned stop there, and tells its owner', async () => {
    await begin({ env })
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await town.calm()
    removeBot('C0OPS')
    await town.minutesPass(51)
    await timePassesUntil(town, ana.sees('🌙 my-llm stops', { in: '@app' }))
    await timePassesUntil(town, ana.sees('Stopped my-llm', { in: '@app' }))
    expect(effects(town)).toEqual(['stop'])
  })

  test('refuses a question that it would have to ask again there', async () => {
    await begin({ policy: policyOf(approved), env })
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'restart my-llm', '[Approve: Restart my-llm]')
    await town.calm()
    removeBot('C0OPS')
    town.platform.console.scale('ep-llm', 4)
    await timePassesUntil(town, ana.sees('I’m not in this channel'))
    await town.calm()
    expect(town.slack.transcript('ops')).toMatch(/^App: 🚫 Restart my-llm refused\./)
    expect(effects(town)).toEqual(['scale'])
  })

  test('leaves a question open that its requester may confirm with buttons of their own', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'restart my-llm', '[Restart my-llm]')
    await town.calm()
    removeBot('C0OPS')
    town.platform.console.scale('ep-llm', 4)
    await timePassesUntil(town, ana.sees('Replaced by a newer question', { in: 'ops' }))
    await town.calm()
    await ana.presses('Restart my-llm', { in: 'ops' })
    await timePassesUntil(town, ana.sees(/^Restarted my-llm/))
    expect(effects(town)).toEqual(['scale', 'stop', 'start'])
  })

  test('tells the requester of a failure there, and shows it on the card', async () => {
    await begin({ platform: { startDelayMs: 60_000 } })
    town.platform.fate('ep-llm', 'deploy_failed')
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'restart my-llm', '[Restart my-llm]')
    await presses(ana, 'Restart my-llm', 'waiting until it serves')
    removeBot('C0OPS')
    await timePassesUntil(town, ana.sees(/^Restart my-llm: .*“start” failed/, { in: '@app' }))
    await timePassesUntil(town, town.calm())
    expect(town.slack.transcript('U0ANA').match(/^App: /gm)).toHaveLength(1)
    expect(town.slack.transcript('ops')).toMatch(/^App: ❌ Restart my-llm: /)
  })
})

test('The end of a start by the policy file reaches the new operations channel if the old one is archived', async () => {
  const [from, to] = [10, 190].map((minutes) => new Date(storyStart + minutes * 60_000).toISOString().slice(11, 16))
  const scheduled = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    endpoints: [{ match: ["my-tts"], schedule: ["up daily ${from}-${to} UTC"] }]
`)
  const later = { id: 'C0NEW', name: 'new', members: everybody }
  await begin({ policy: scheduled, slack: { channels: [ops, later] }, platform: { startDelayMs: 120_000 } })
  const ana = town.slack.as('U0ANA')
  await town.minutesPass(11)
  await ana.sees(/Starting my-tts/, { in: 'ops' })
  await policyApplied(town, scheduled.replace('C0OPS', 'C0NEW'))
  archive('C0OPS')
  await timePassesUntil(town, ana.sees('Started my-tts', { in: 'new' }))
})

test('A question that was asked from a direct message loses its buttons if it is refused for want of a channel', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await ana.types('@app', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  await town.calm()
  await policyApplied(town, policy.replace('operations_channel: C0OPS', ''))
  await town.minutesPass(3)
  await town.calm()
  const isRefused = town.slack.transcript('U0ANA').includes('no channel to ask in')
  expect(town.slack.transcript('ops').includes('[Stop my-llm]')).toBe(!isRefused)
})

test('The outcome of a restart is posted although Slack lets nobody edit older messages', async () => {
  await begin({ platform: { startDelayMs: 300_000 } })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'restart my-llm', '[Restart my-llm]')
  await presses(ana, 'Restart my-llm', 'waiting until it serves')
  town.slack.fault('chat.update', { kind: 'error', error: 'edit_window_closed' })
  await timePassesUntil(town, ana.sees(/^Restarted my-llm/))
})

describe('A deleted message', () => {
  test('is posted again if it is the card of a waiting question', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    const button = await ana.remembers('Stop my-llm', { in: 'ops' })
    await town.calm()
    deleteQuestion('thread')
    deleteQuestion('card')
    await ana.pressesRaw(button)
    await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, { in: 'ops' }))
    await timePassesUntil(town, town.calm())
    expect(theEnd(town)).toBe('Stopped my-llm.')
    expect(effects(town)).toEqual(['stop'])
  })

  test('can’t be answered any more if it is the question, and the request expires', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'stop my-llm', '[Stop my-llm]')
    await town.calm()
    deleteQuestion('thread')
    await town.minutesPass(31)
    await timePassesUntil(town, ana.sees('expired after 30 min', { in: 'ops' }))
    await timePassesUntil(town, town.calm())
    expect(theEnd(town)).toBe('Stop my-llm expired after 30 min without an answer. Nothing changed.')
  })
})
