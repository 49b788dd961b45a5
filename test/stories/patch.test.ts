import { afterEach, beforeEach, expect, test } from 'vitest'
import { asks, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
})
afterEach(() => town.stop())

function settingsOf(id: string) {
  return town.platform.endpoints().find((endpoint) => endpoint.id === id)?.settings
}

test('A stopped endpoint is patched at once, and undo restores the settings that the patch before it returned', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'patch my-tts port=9000 metrics=', 'Patched my-tts (port 9000 and no metrics path).')
  expect(settingsOf('ep-tts')).toMatchObject({ container_port: 9000, container_metric_path: null })
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['patch'])
  await asks(ana, 'patch my-tts port=9001', 'Patched my-tts (port 9001)')
  await ana.types('ops', '/endpoint undo my-tts')
  await town.calm()
  expect(settingsOf('ep-tts')).toMatchObject({ container_port: 9000 })
  // Timeouts are in seconds.
  const after = 'Patched my-tts (health check timeout 30 s and startup timeout 300 s)'
  await asks(ana, 'patch my-tts health_timeout=30 start_timeout=300', after)
})

test('Settings stay known through many starts and stops', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'patch my-tts port=9000', 'Patched my-tts (port 9000)')
  for (let times = 0; times < 6; times += 1) {
    await ana.types('ops', '/endpoint start my-tts')
    await town.calm()
    await ana.types('ops', '/endpoint stop my-tts')
    await town.calm()
    await ana.presses('Stop my-tts', { in: 'ops' })
    await town.calm()
  }
  expect(town.platform.changes()).toHaveLength(13)
  await asks(ana, 'patch my-tts port=9001', 'Before: port 9000.')
})

test('A running endpoint is stopped, patched and started again after a confirmation', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'patch my-llm health=/ready', 'Patch my-llm (health check path /ready)?')
  await presses(ana, 'Patch my-llm', 'Patched my-llm (health check path /ready); it’s serving.')
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop', 'patch', 'start'])
  expect(settingsOf('ep-llm')).toMatchObject({ container_health_check_path: '/ready' })
})

test('Earlier settings are known through a start and a stop, until somebody else patches the endpoint', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'patch my-tts port=9000', 'Patched my-tts (port 9000).')
  await asks(ana, 'start my-tts', 'Started my-tts')
  await ana.types('ops', '/endpoint stop my-tts')
  await presses(ana, 'Stop my-tts', 'Stopped my-tts')
  await asks(ana, 'patch my-tts port=9001', 'Before: port 9000.')
  await ana.sees('Patched my-tts (port 9001)', { in: 'ops' })
  await town.minutesPass(1)
  town.platform.console.patch('ep-tts', { container_port: 7777 })
  await town.minutesPass(1)
  const { text } = await asks(ana, 'patch my-tts port=8000', 'Patched my-tts (port 8000)')
  expect(text).not.toContain('Before')
  await asks(ana, 'undo my-tts', 'I don’t know the earlier settings')
  expect(settingsOf('ep-tts')).toMatchObject({ container_port: 8000 })
})

test('A patch that the platform answers with other settings is not called done', async () => {
  const ana = town.slack.as('U0ANA')
  const answered = {
    endpoint_id: 'ep-tts',
    name: 'my-tts',
    is_active: false,
    ...settingsOf('ep-tts'),
    container_port: 8080,
  }
  town.platform.faults.add('patchEndpoint', { kind: 'answer', status: 200, body: answered }, 1)
  await asks(
    ana,
    'patch my-tts port=9000',
    /no clear answer when .* were changed\. Its answer shows different settings from/,
  )
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('Patched my-tts')
})

test('A patch whose answer leaves the setting out, shows none, or shows the port as text is done', async () => {
  const ana = town.slack.as('U0ANA')
  const named = { endpoint_id: 'ep-tts', name: 'my-tts' }
  for (const [port, fault] of [
    [9000, { kind: 'without', field: 'container_port' }],
    [9001, { kind: 'answer-after', status: 200, body: named }],
    [9002, { kind: 'answer-after', status: 200, body: { ...named, container_port: '9002' } }],
  ] as const) {
    const answered = town.platform.faults.add('patchEndpoint', fault, 1)
    await asks(ana, `patch my-tts port=${port}`, `Patched my-tts (port ${port})`)
    expect(answered.hits()).toBe(1)
    await town.calm()
  }
})

test('Settings that somebody else has replaced stay unknown after a start and a stop', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'patch my-tts port=9000', 'Patched my-tts (port 9000).')
  await town.minutesPass(1)
  town.platform.console.patch('ep-tts', { container_port: 7777 })
  await town.minutesPass(1)
  await asks(ana, 'start my-tts', 'Started my-tts')
  await asks(ana, 'stop my-tts', '[Stop my-tts]')
  await presses(ana, 'Stop my-tts', 'Stopped my-tts')
  await town.minutesPass(1)
  const { text } = await asks(ana, 'patch my-tts port=8000', 'Patched my-tts (port 8000)')
  expect(text).not.toContain('9000')
})

test('If the platform refuses the settings halfway, the endpoint is started again as before', async () => {
  town.platform.faults.add('patchEndpoint', { kind: 'answer', status: 422, body: { detail: 'No such port here' } })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm port=9000')
  await presses(
    ana,
    'Patch my-llm',
    /Patch my-llm \(port 9000\): “change settings” failed\. It’s running again as before\. Platform: “No such port here”/,
  )
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop', 'start'])
})

test('If the stop takes too long, the outcome says that the endpoint runs again', async () => {
  town.platform.faults.add('stopEndpoint', { kind: 'stale', ms: 120 * 60_000 })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm port=9000')
  await presses(ana, 'Patch my-llm', 'Patching my-llm')
  // The press only announces the patch; one that begins 5 minutes after its approval is too late.
  await expect.poll(() => town.platform.calls().map(({ operation }) => operation)).toContain('stopEndpoint')
  await town.minutesPass(16)
  const end = ana.sees(/within 15 minutes\. Check its logs\. It’s running again\..*\[Logs\]/s, { in: 'ops' })
  await timePassesUntil(town, end, 1)
  expect(town.slack.transcript('ops')).not.toContain('[Stop my-llm]')
})

test('If the start after the patch fails, the outcome says that the settings were changed', async () => {
  town.platform.faults.add('startEndpoint', { kind: 'answer', status: 422, body: { detail: 'Not enough balance' } })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm port=9000')
  await presses(
    ana,
    'Patch my-llm',
    /“start” failed\. It’s stopped\. The settings were changed\. Platform: “Not enough balance”/,
  )
  await ana.sees('[Start my-llm]', { in: 'ops' })
  // The state may have changed since.
  await asks(
    ana,
    'history my-llm',
    /History of my-llm.*“start” failed\.(?!.*It’s stopped).*The settings were changed\./s,
  )
})

test('A number out of range or a secret in a line is refused before any call, and a token appears nowhere', async () => {
  const ana = town.slack.as('U0ANA')
  expect(await ana.types('ops', '/endpoint patch my-tts port=70000')).toContain('from 1 to 65535')
  expect(await ana.types('ops', '/endpoint patch my-tts env=TOKEN=abc')).toContain('values stay hidden')
  const token = `hf_${'a1B2c3D4'.repeat(4)}`
  const said = await ana.types('ops', `/endpoint patch my-tts port=9000 command="serve --token ${token}"`)
  expect(said).toContain('contains a password or a token')
  expect(said).not.toContain(token)
  expect(JSON.stringify(town.slack.channel('ops').messages())).not.toContain(token)
  expect(town.platform.calls().filter(({ method }) => method !== 'GET')).toEqual([])
})

test('A new start command for a running endpoint needs an approver other than the requester', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm command="python app.py"')
  await presses(ana, 'Approve: Patch my-llm', 'You can’t approve your own request.')
  await presses(town.slack.as('U0DORA'), 'Approve: Patch my-llm', 'approver')
  await town.slack.as('U0BEN').presses('Approve: Patch my-llm', { in: 'ops' })
  await ana.sees('Patched my-llm', { in: 'ops' })
})

test('After a patch with an unknown outcome undo no longer knows the earlier settings', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'patch my-tts port=9000', 'Patched my-tts (port 9000)')
  town.platform.faults.add('patchEndpoint', { kind: 'drop-after' }, 1)
  await asks(ana, 'patch my-tts port=9001', 'I can’t tell whether the new settings of my-tts were applied')
  await asks(ana, 'patch my-tts port=9002', 'Patched my-tts (port 9002)')
  await asks(ana, 'undo my-tts', 'I don’t know the earlier settings')
  expect(settingsOf('ep-tts')).toMatchObject({ container_port: 9002 })
})
