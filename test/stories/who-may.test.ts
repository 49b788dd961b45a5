import { afterEach, expect, test } from 'vitest'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
async function begin(options?: TownOptions): Promise<Town> {
  town = await startTown(options)
  return town
}
afterEach(() => town.stop())

test('a viewer may look and may not change anything, and is told how to get there', async () => {
  await begin()
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('ops', '/endpoint list')
  await cleo.sees('2 endpoints', { in: 'ops' })
  await cleo.types('ops', '/endpoint start my-tts')
  await cleo.sees('You need the operator role in project default.', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('without a policy file everybody may look and nobody may change anything', async () => {
  await begin({ policy: null })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint status my-llm')
  await ana.sees('running', { in: 'ops' })
  await ana.types('ops', '/endpoint start my-tts')
  await ana.sees('there is no policy file', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('a member of an operators’ group is an operator', async () => {
  await begin()
  const dora = town.slack.as('U0DORA')
  await dora.types('ops', '/endpoint start my-tts')
  await dora.sees('Started my-tts', { in: 'ops' })
})

test('where groups cannot be read nobody counts as their member, and whoever is refused is told so', async () => {
  await begin()
  for (const method of ['usergroups.list', 'usergroups.users.list'])
    town.slack.fault(method, { kind: 'error', error: 'missing_scope' })
  const dora = town.slack.as('U0DORA')
  await dora.types('ops', '/endpoint start my-tts')
  await dora.sees(/You need the operator role .* Slack can’t list the policy’s user groups right now/, {
    in: 'ops',
  })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await ana.sees('Started my-tts', { in: 'ops' })
})

test('a guest is nobody', async () => {
  await begin()
  const gus = town.slack.as('U0GUS')
  await gus.types('general', '/endpoint status my-llm')
  await gus.sees('Guests can only view, and only if the policy names them.', { in: 'general' })
})

test('when Slack cannot say who somebody is, nothing is done', async () => {
  await begin()
  const fault = town.slack.fault('users.info', { kind: 'error', error: 'internal_error' })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint start my-tts')
  await ana.sees('I couldn’t check your role with Slack, so nothing was done.', { in: 'ops' })
  expect(fault.hits()).toBeGreaterThan(0)
  expect(town.platform.changes()).toEqual([])
})

test('a stranger’s press decides nothing and is answered privately', async () => {
  await begin()
  await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
  const cleo = town.slack.as('U0CLEO')
  await cleo.presses('Stop my-llm', { in: 'ops' })
  const told = await cleo.sees(/^Only someone with the operator role in project default can answer this: @.+\.$/, {
    in: 'ops',
  })
  // Where it was pressed: in the thread, not beside it in the channel.
  expect(told.threadTs).toBeDefined()
  expect(town.slack.transcript('ops')).toContain('[Stop my-llm]')
  expect(town.platform.changes()).toEqual([])
})

test('of many who press at once one decides, the endpoint is stopped once, and everyone else learns who it was', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const pressers = ['U0ANA', 'U0BEN', 'U0DORA'].map((id) => town.slack.as(id))
  const buttons = await Promise.all(pressers.map((one) => one.remembers('Stop my-llm', { in: 'ops' })))
  await Promise.all(pressers.flatMap((one, at) => [one.pressesRaw(buttons[at]!), one.pressesRaw(buttons[at]!)]))
  await ana.sees('Stopped my-llm.', { in: 'ops' })
  await town.calm()
  expect(town.platform.calls().filter(({ operation }) => operation === 'stopEndpoint')).toHaveLength(1)
  const told = town.slack
    .channel('ops')
    .messages()
    .filter((message) => message.ephemeralTo !== undefined)
  expect(told).toHaveLength(5)
  for (const message of told) expect(message.text).toMatch(/has already approved this|This is over\. Stopped my-llm\./)
})

test('a late press on an old button learns the outcome', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const ben = town.slack.as('U0BEN')
  const button = await ben.remembers('Stop my-llm', { in: 'ops' })
  await ana.presses('Leave it running', { in: 'ops' })
  await ana.sees('Stop my-llm cancelled', { in: 'ops' })
  await ben.pressesRaw(button)
  await ben.sees('This request has ended. Nothing changed.', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('nobody answers: after 30 minutes it is over, shown as such, and the buttons are gone', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.minutesPass(29)
  await town.calm()
  expect(town.slack.transcript('ops')).toContain('[Stop my-llm]')
  await town.minutesPass(2)
  await ana.sees('Stop my-llm expired after 30 min without an answer. Nothing changed.', { in: 'ops' })
  await town.calm()
  expect(town.slack.transcript('ops')).not.toMatch(/^ {4}\[Stop my-llm\]/m)
  await ana.pressesRaw(button)
  await ana.sees('This request has ended. It expired', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('a role that was taken away between the asking and the call stops it', async () => {
  await begin()
  const dora = town.slack.as('U0DORA')
  await dora.types('ops', '/endpoint stop my-llm')
  await dora.sees('[Stop my-llm]', { in: 'ops' })
  town.slack.changes.usergroup('S0OPS', { users: [] })
  await town.minutesPass(1)
  await town.slack.as('U0ANA').presses('Stop my-llm', { in: 'ops' })
  await dora.sees('Stop my-llm refused. You need the operator role', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('somebody who was deactivated a moment ago confirms nothing, not even their own request', async () => {
  await begin()
  const dora = town.slack.as('U0DORA')
  await dora.types('ops', '/endpoint stop my-llm')
  await dora.sees('[Stop my-llm]', { in: 'ops' })
  town.slack.changes.person('U0DORA', { deleted: true })
  await dora.presses('Stop my-llm', { in: 'ops' })
  await dora.sees(/^Only someone with the operator role in project default can answer this: @.+\.$/, { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('what somebody else changed at the console meanwhile ends the request instead of the endpoint', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  town.platform.console.stop('ep-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stop my-llm is no longer needed. my-llm is already stopped.', { in: 'ops' })
  expect(town.platform.calls().filter(({ operation }) => operation === 'stopEndpoint')).toEqual([])
})

test('a group that the workspace does not have is told at the start, with its place and what to do', async () => {
  await begin({ slack: { usergroups: [] } })
  await expect.poll(() => town.log()).toMatch(/lamplighter\.yaml:\d+ names group:S0OPS, which isn’t a user group/)
})
