import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchedPolicy } from '../support/idle.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown()
})
afterEach(() => town.stop())

test('Scaling a running endpoint is confirmed and shows the platform’s counts', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint scale my-llm to 5')
  await ana.sees('Scale my-llm to 5? It’s running with 3 replicas.', { in: 'ops' })
  const asked = await ana.sees(/Scale my-llm to 5\?[\s\S]*can confirm\.[\s\S]*\[Scale my-llm\]/, { in: 'ops' })
  // Scaling up interrupts nothing, so the button is not red.
  expect(JSON.stringify(asked.blocks)).not.toContain('danger')
  await ana.presses('Scale my-llm', { in: 'ops' })
  await ana.sees(/Scaled my-llm to 5\.[\s\S]*Platform: “Successfully scaled from 3 to 5 replicas”/, { in: 'ops' })
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.replicas).toBe(5)
})

test('A second scale is told the waiting number and offered its buttons', async () => {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await ana.types('ops', '/endpoint scale my-llm to 5')
  await ana.sees('Scale my-llm to 5?', { in: 'ops' })
  await ben.types('general', '/endpoint scale my-llm to 4')
  await ben.sees(/@ana already requested “Scale my-llm to 5”. Nothing was done. It’s running with 3 replicas./, {
    in: 'general',
  })
  await ben.sees('[Scale my-llm to 5]', { in: 'general' })
  await ana.types('general', '/endpoint scale my-llm to 4')
  await ana.presses('Cancel request: scale my-llm', { in: 'general' })
  await ana.sees('Scale my-llm to 5 cancelled', { in: 'ops' })
  await ana.types('ops', '/endpoint scale my-llm to 4')
  await ben.sees(/Scale my-llm to 4\?.*\[Scale my-llm\]/s, { in: 'ops' })
  await ben.presses('Scale my-llm', { in: 'ops' })
  await ana.sees('Scaled my-llm to 4.', { in: 'ops' })
})

test('Scaling up shows the extra hourly cost; scaling down shows none and has a red button', async () => {
  await town.stop()
  town = await startTown({ policy: `${watchedPolicy}    prices: { per_hour: { "RTX 4090": 0.75 } }\n` })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint list')
  await ana.sees('3 replicas · RTX 4090 · $2.25 an hour', { in: 'ops' })
  await ana.types('ops', '/endpoint scale my-llm to 5')
  await ana.sees('This costs $1.50 more an hour.', { in: 'ops' })
  await ana.presses('Leave it as it is', { in: 'ops' })
  await ana.sees('cancelled', { in: 'ops' })
  await ana.types('general', '/endpoint scale my-llm to 1')
  const asked = await ana.sees(/Scale my-llm to 1\?[\s\S]*can confirm\.[\s\S]*\[Scale my-llm\]/, { in: 'general' })
  expect(JSON.stringify(asked.blocks)).toContain('danger')
  expect(JSON.stringify(asked.blocks)).not.toContain('more an hour')
})

test('Scaling a stopped or autoscaled endpoint is refused with the reason', async () => {
  const ana = town.slack.as('U0ANA')
  await town.platform.add({ id: 'ep-auto', name: 'auto', active: true, replicas: 2, autoscaled: true })
  await ana.types('ops', '/endpoint scale my-tts to 2')
  await ana.sees('is stopped. Only a running endpoint can be scaled.', { in: 'ops' })
  await ana.presses('Start my-tts with 2 replicas', { in: 'ops' })
  await ana.sees('Started my-tts', { in: 'ops' })
  await town.calm()
  expect(town.platform.changes().at(0)).toMatchObject({ kind: 'start', endpointId: 'ep-tts' })
  await ana.types('ops', '/endpoint scale auto to 4')
  await ana.sees('is autoscaled, so its replicas', { in: 'ops' })
  await ana.types('ops', '/endpoint keep auto 2h')
  await ana.sees(/Paused automation for auto until .*\. The platform still scales it\./, { in: 'ops' })
  expect(await ana.types('ops', '/endpoint scale my-llm to 101')).toContain('from 1 to 100')
  expect(await ana.types('ops', '/endpoint scale my-llm to 0')).toContain('stop the endpoint')
})

test('A scale with an unknown outcome is never sent again', async () => {
  const fault = town.platform.faults.add('scaleEndpoint', { kind: 'drop-before' })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint scale my-llm to 5')
  await ana.presses('Scale my-llm', { in: 'ops' })
  await ana.sees('No clear answer from the platform; checking', { in: 'ops' })
  await town.minutesPass(3)
  await ana.sees('I can’t tell whether “scale to 5” was carried out on my-llm.', { in: 'ops' })
  expect(fault.hits()).toBe(1)
})

test('A refused scale is reported in plain word order', async () => {
  town.platform.faults.add('scaleEndpoint', { kind: 'answer', status: 422, body: { detail: 'No capacity' } })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint scale my-llm to 5')
  await ana.presses('Scale my-llm', { in: 'ops' })
  await ana.sees(/Scale my-llm to 5: failed\. It’s (running|up)/, { in: 'ops' })
})

test('A restart stops the endpoint and starts it again', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint restart my-llm')
  await ana.presses('Restart my-llm', { in: 'ops' })
  await ana.sees('Restarted my-llm', { in: 'ops' })
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop', 'start'])
})

test('A restart whose start fails says so and offers the start', async () => {
  const body = { detail: 'Not enough balance' }
  town.platform.faults.add('startEndpoint', { kind: 'answer', status: 500, body })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint restart my-llm')
  await ana.presses('Restart my-llm', { in: 'ops' })
  const end = ana.sees(/Restart my-llm: “start” failed\. It’s stopped\. Platform: “Not enough balance”/, { in: 'ops' })
  await timePassesUntil(town, end)
  await ana.sees('[Start my-llm]', { in: 'ops' })
})

test('Replicas are listed with their state', async () => {
  const cleo = town.slack.as('U0CLEO')
  await cleo.types('ops', '/endpoint replicas my-llm')
  await cleo.sees('my-llm has 3 replicas', { in: 'ops' })
})

test('A restart restores missing replicas, and a person’s start offers to', async () => {
  await town.stop()
  town = await startTown({ platform: { mostAfterStart: 1 } })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint restart my-llm')
  await ana.presses('Restart my-llm', { in: 'ops' })
  await ana.sees('Restarted my-llm', { in: 'ops' })
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop', 'start', 'scale'])
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.replicas).toBe(3)

  await ana.types('ops', '/endpoint stop my-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stopped my-llm.', { in: 'ops' })
  await ana.types('ops', '/endpoint start my-llm')
  await ana.presses('Scale to 3 again', { in: 'ops' })
  await ana.presses('Scale my-llm', { in: 'ops' })
  await ana.sees('Scaled my-llm to 3.', { in: 'ops' })
})
