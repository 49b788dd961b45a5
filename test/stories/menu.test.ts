import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { neededFor } from '../../src/core/commands/permissions.ts'
import { includes } from '../../src/core/model/roles.ts'
import { rows } from '../../src/features/command-table.ts'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown({ listed: true })
})
afterEach(() => town.stop())

test('/endpoint alone shows waiting requests, then a list of endpoints and the common commands', async () => {
  const [ana, ben] = ['U0ANA', 'U0BEN'].map((id) => town.slack.as(id)) as [Actor, Actor]
  await asks(ben, 'stop my-llm', '[Leave it running]')
  await ana.types('ops', '/endpoint')
  const menu = await ana.sees('1 request is waiting for you', { in: 'ops' })
  expect(JSON.stringify(menu)).toMatch(/Leave it running.*Choose an endpoint.*"List".*"Stop…".*"More…"/)
  expect(JSON.stringify(menu)).not.toContain('Approve a request')
})

test('A command that begins with a million blanks is answered at once, as any other', async () => {
  await asks(town.slack.as('U0ANA'), `${' '.repeat(1_000_000)}x`, 'No endpoint is named “x”')
})

test('More shows every command that the role allows and says that others need another role', async () => {
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('ops', '/endpoint')
  await cleo.presses('More…', { in: 'ops' })
  const menu = JSON.stringify(await cleo.sees(/\d+ more commands need a role you don’t have here/, { in: 'ops' }))
  for (const row of rows.filter(({ name }) => name !== 'help')) {
    expect(`${row.name}: ${menu.includes(`"value":"${row.name}"`)}`).toBe(
      `${row.name}: ${includes('viewer', neededFor(row))}`,
    )
  }
  await presses(cleo, 'Back to the menu', 'Choose an endpoint')
  // A press runs a query without fields at once and opens a form for anything else.
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint')
  await ana.presses('More…', { in: 'ops' })
  await presses(ana, 'Show my role', 'You’re an operator in project default')
  await ana.presses('Scale…', { in: 'ops' })
  await ana.opens('Scale an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  await ana.chooses('Replicas', '5')
  await ana.submits()
  await ana.sees('Scale my-llm to 5?', { in: 'ops' })
})

test('An endpoint is found by its first letters, then offers its commands', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint menu')
  expect(await ana.suggests('Choose an endpoint', 'my-t', { in: 'ops' })).toEqual(['my-tts'])
  await ana.chooses('Choose an endpoint', 'my-tts', { in: 'ops' })
  await ana.sees(/⚪ my-tts\s.*stopped/, { in: 'ops' })
  await presses(ana, 'Start', 'Started my-tts')
})

test('The menu of an endpoint says that its automation is paused and offers to resume it', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'keep my-llm 2h', 'Paused automation for my-llm')
  await asks(ana, 'freeze because="a release"', 'Paused all automation')
  await ana.types('ops', '/endpoint')
  await ana.chooses('Choose an endpoint', 'my-llm', { in: 'ops' })
  const menu = await ana.sees(/@ana paused its automation until .*Automation is paused by @ana/s, { in: 'ops' })
  expect(JSON.stringify(menu)).not.toContain('Pause automation')
  await ana.presses('Resume automation…', { in: 'ops' })
  await ana.opens('Resume automation')
})

test('The shortcut opens the same menu, with the choice of an endpoint', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.runsShortcut('lamplighter')
  await ana.opens('Lamplighter')
  await ana.chooses('Choose an endpoint', 'my-llm', { in: 'modal' })
  await ana.presses('Scale…', { in: 'modal' })
  await ana.opens('Scale an endpoint')
  await ana.closes(true)
  // It says where the result of a start appears.
  await ana.runsShortcut('lamplighter')
  await ana.opens('Lamplighter')
  await ana.chooses('Choose an endpoint', 'my-tts', { in: 'modal' })
  await ana.presses('Start', { in: 'modal' })
  await ana.sees('Started my-tts', { in: 'ops' })
  const menu = async () => JSON.stringify((await ana.opens('Lamplighter')).blocks)
  await expect.poll(menu).toMatch(/Got it\. See .*"channel_id":"C0OPS".* for what comes next\./)
})

test('⋯ beside an endpoint opens all its commands', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint list')
  await ana.presses('More…', { in: 'ops' })
  await ana.opens('Lamplighter')
  await ana.presses('Protect…', { in: 'modal' })
  const form = await ana.opens('Protect an endpoint')
  expect(JSON.stringify(form.blocks)).toContain('"initial_option":{"text":{"type":"plain_text","text":"my-llm"')
})

test('The menu shows nothing but a sentence when Slack can’t say who somebody is', async () => {
  const cleo = town.slack.as('U0CLEO')
  const fault = town.slack.fault('users.info', { kind: 'hang' }, 1)
  await cleo.types('ops', '/endpoint')
  const said = JSON.stringify(await cleo.sees('I couldn’t check your role with Slack', { in: 'ops' }))
  expect(said).not.toContain('Stop an endpoint')
  expect(fault.hits()).toBe(1)
})

test('/endpoint help is answered as text, which lists no commands for somebody without a role', async () => {
  const said = await town.slack.as('U0GUS').types('ops', '/endpoint help')
  expect(said).toContain('You don’t have a role here')
  expect(said).not.toMatch(/Commands|more commands? need/)
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint help')).toContain('Commands')
  expect(await ana.types('ops', '/endpoint help stop')).toContain(
    'Stop an endpoint and release its GPUs, now or at a given time.',
  )
})
