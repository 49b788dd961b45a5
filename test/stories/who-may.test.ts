import { afterEach, expect, test } from 'vitest'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
async function begin(options?: TownOptions): Promise<Town> {
  town = await startTown(options)
  return town
}
afterEach(() => town.stop())

test('A viewer can look but not change anything, and is told which role that needs', async () => {
  await begin()
  const cleo = town.slack.as('U0CLEO')
  await asks(cleo, 'list', '2 endpoints')
  await asks(cleo, 'start my-tts', 'You need the operator role in project default.')
  expect(town.platform.changes()).toEqual([])
})

test('Without a policy file everyone can view and nobody can change anything', async () => {
  await begin({ policy: null })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'status my-llm', 'running')
  await asks(ana, 'start my-tts', 'there is no policy file')
  expect(town.platform.changes()).toEqual([])
})

test('A member of an operators’ group is an operator', async () => {
  await begin()
  const dora = town.slack.as('U0DORA')
  await asks(dora, 'start my-tts', 'Started my-tts')
})

test('When user groups can’t be read they count as empty, and a refusal says so', async () => {
  await begin()
  for (const method of ['usergroups.list', 'usergroups.users.list'])
    town.slack.fault(method, { kind: 'error', error: 'missing_scope' })
  const dora = town.slack.as('U0DORA')
  await asks(dora, 'start my-tts', /You need the operator role .* Slack can’t list the policy’s user groups right now/)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Started my-tts')
})

test('A guest has no role', async () => {
  await begin()
  const gus = town.slack.as('U0GUS')
  await gus.types('general', '/endpoint status my-llm')
  await gus.sees('Guests can only view, and only if the policy names them.', { in: 'general' })
})

test('When Slack can’t say who somebody is, nothing is done', async () => {
  await begin()
  const fault = town.slack.fault('users.info', { kind: 'error', error: 'internal_error' })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'I couldn’t check your role with Slack, so nothing was done.')
  expect(fault.hits()).toBeGreaterThan(0)
  expect(town.platform.changes()).toEqual([])
})

test('A press without the role decides nothing and is answered privately', async () => {
  await begin()
  await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
  const cleo = town.slack.as('U0CLEO')
  const told = await presses(
    cleo,
    'Stop my-llm',
    /^Only someone with the operator role in project default can answer this: @.+\.$/,
  )
  // The answer appears in the thread, where the button was pressed.
  expect(told.threadTs).toBeDefined()
  expect(town.slack.transcript('ops')).toContain('[Stop my-llm]')
  expect(town.platform.changes()).toEqual([])
})

test('When several people press at once, one decides, the endpoint stops once, and the others learn who', async () => {
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
  for (const message of told) expect(message.text).toMatch(/has already confirmed this|This is over\. Stopped my-llm\./)
})

test('A late press on an old button is answered with the outcome, and left buttons disappear', async () => {
  await begin()
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ben.remembers('Stop my-llm', { in: 'ops' })
  // Her private buttons, which come before those of the thread, disappear after the press.
  await ana.presses('Leave it running', { in: 'ops', nth: 1 })
  await ana.sees('🚫 Stop my-llm cancelled. Nothing changed.', { in: 'ops' })
  await town.calm()
  expect(town.slack.transcript('ops')).toContain('Stop my-llm? 🚫 Cancelled by @ana.')
  expect(town.slack.transcript('ops')).not.toContain('[Stop my-llm]')
  await ben.pressesRaw(button)
  await ben.sees('This request has ended. Nothing changed.', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('An unanswered question expires after 30 minutes and loses its buttons', async () => {
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
  expect(town.slack.transcript('ops')).toMatch(/^ {2}App: Stop my-llm\? Expired\.\n {2}App: Expired\.$/m)
  await ana.pressesRaw(button)
  await ana.sees('This request has ended. It expired', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test.each([
  ['loses the role', 'dora', () => town.slack.changes.usergroup('S0OPS', { users: [] })],
  ['becomes a guest', 'dora', () => town.slack.changes.person('U0DORA', { guest: 'multi' })],
  ['becomes a guest, whom the policy names,', 'ana', () => town.slack.changes.person('U0ANA', { guest: 'multi' })],
])('A requester who %s before the call has the request refused', async (_, who, loses) => {
  await begin()
  await asks(town.slack.as(`U0${who.toUpperCase()}`), 'stop my-llm', '[Stop my-llm]')
  loses()
  await town.minutesPass(1)
  const other = town.slack.as(who === 'ana' ? 'U0DORA' : 'U0ANA')
  await other.presses('Stop my-llm', { in: 'ops' })
  await other.sees(`Stop my-llm refused. @${who} no longer has the operator role in project default`, { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('A person who loses the role right after confirming is the one that the refusal names', async () => {
  await begin()
  const dora = town.slack.as('U0DORA')
  await asks(town.slack.as('U0ANA'), 'stop my-llm', '[Stop my-llm]')
  await town.calm()
  // The platform is read between the press and the call.
  const stop = town.platform.onCall(async () => {
    stop()
    town.slack.changes.usergroup('S0OPS', { users: [] })
    await town.minutesPass(2)
  })
  await dora.presses('Stop my-llm', { in: 'ops' })
  await dora.sees('Stop my-llm refused. @dora no longer has the operator role', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('A requester who has lost the role can withdraw their questions, by the button and by `cancel`', async () => {
  await begin()
  await town.platform.add({ id: 'ep-asr', name: 'asr', active: true })
  const dora = town.slack.as('U0DORA')
  for (const name of ['asr', 'my-llm']) await asks(dora, `stop ${name}`, `[Stop ${name}]`)
  town.slack.changes.usergroup('S0OPS', { users: [] })
  await town.minutesPass(1)
  await town.calm()
  await presses(dora, 'Stop my-llm', /^Only someone with the operator role/)
  await presses(dora, 'Leave it running', 'Stop my-llm cancelled')
  await asks(dora, 'cancel asr', 'Stop asr cancelled')
  expect(town.platform.changes()).toEqual([])
})

test('A deactivated person can’t confirm even their own request, which is refused once somebody else does', async () => {
  await begin()
  const dora = town.slack.as('U0DORA')
  await asks(dora, 'stop my-llm', '[Stop my-llm]')
  town.slack.changes.person('U0DORA', { deleted: true })
  await presses(dora, 'Stop my-llm', /^Only someone with the operator role in project default can answer this: @.+\.$/)
  expect(town.platform.changes()).toEqual([])
  await town.minutesPass(1)
  const refused = 'Stop my-llm refused. @dora no longer has the operator role in project default'
  await presses(town.slack.as('U0ANA'), 'Stop my-llm', refused)
  expect(town.platform.changes()).toEqual([])
})

test('A change at the console that makes the request unnecessary ends it without a call', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  town.platform.console.stop('ep-llm')
  const needless = 'Stop my-llm is no longer needed. my-llm is already stopped.'
  await presses(town.slack.as('U0DORA'), 'Stop my-llm', needless)
  await asks(ana, 'history my-llm', /Stop my-llm.* ago\) · no longer needed · confirmed by @dora/s)
  expect(town.platform.calls().filter(({ operation }) => operation === 'stopEndpoint')).toEqual([])
})

test('A user group that does not exist is reported at the start with its line in the policy file', async () => {
  await begin({ slack: { usergroups: [] } })
  await expect.poll(() => town.log()).toMatch(/lamplighter\.yaml:\d+ names group:S0OPS, which isn’t a user group/)
})

test('A requester who operates through a group is told that groups can’t be read, not who else may answer', async () => {
  await begin()
  const dora = town.slack.as('U0DORA')
  await asks(dora, 'stop my-llm', '[Stop my-llm]')
  await town.minutesPass(1)
  for (const method of ['usergroups.list', 'usergroups.users.list'])
    town.slack.fault(method, { kind: 'status', status: 503 })
  await presses(dora, 'Stop my-llm', 'Slack can’t list the policy’s user groups right now')
  expect(town.slack.transcript('ops')).not.toContain('Only someone with the operator role')
})
