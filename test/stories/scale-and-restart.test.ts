import { afterEach, expect, test } from 'vitest'
import { watchedPolicy } from '../support/idle.ts'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions) {
  town = await startTown(options)
  return { ana: town.slack.as('U0ANA'), ben: town.slack.as('U0BEN'), cleo: town.slack.as('U0CLEO') }
}

test('Scaling a running endpoint is confirmed and shows the platform’s counts', async () => {
  const { ana } = await begin()
  await asks(ana, 'scale my-llm to 5', 'Scale my-llm to 5? It’s running with 3 replicas.')
  const asked = await ana.sees(/Scale my-llm to 5\?[\s\S]*can confirm\.[\s\S]*\[Scale my-llm\]/, { in: 'ops' })
  // Scaling up interrupts nothing, so the button is not red.
  expect(JSON.stringify(asked.blocks)).not.toContain('danger')
  await presses(ana, 'Scale my-llm', /Scaled my-llm to 5\.[\s\S]*Platform: “Successfully scaled from 3 to 5 replicas”/)
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.replicas).toBe(5)
})

test('A second scale is told the waiting number and offered its buttons', async () => {
  const { ana, ben } = await begin()
  await asks(ana, 'scale my-llm to 5', 'Scale my-llm to 5?')
  await ben.types('general', '/endpoint scale my-llm to 4')
  await ben.sees(/@ana already requested “Scale my-llm to 5”. Nothing was done. It’s running with 3 replicas./, {
    in: 'general',
  })
  await ben.sees('[Scale my-llm to 5]', { in: 'general' })
  await ana.types('general', '/endpoint scale my-llm to 4')
  // A button to scale would not restart it.
  const { text } = await asks(
    ben,
    'restart my-llm',
    'my-llm already has an open request: Scale my-llm to 5, requested by @ana.',
  )
  expect(text).not.toContain('[Scale my-llm')
  await ana.presses('Cancel request: scale my-llm', { in: 'general' })
  await ana.sees('Scale my-llm to 5 cancelled', { in: 'ops' })
  await ana.types('ops', '/endpoint scale my-llm to 4')
  await ben.sees(/Scale my-llm to 4\?.*\[Scale my-llm\]/s, { in: 'ops' })
  await ben.presses('Scale my-llm', { in: 'ops' })
  await ana.sees('Scaled my-llm to 4.', { in: 'ops' })
})

test('Scaling up shows the extra hourly cost; scaling down shows none and has a red button', async () => {
  const { ana } = await begin({ policy: `${watchedPolicy}    prices: { per_hour: { "RTX 4090": 0.75 } }\n` })
  await asks(ana, 'list', '3 replicas · RTX 4090 · $2.25 an hour')
  await asks(ana, 'scale my-llm to 5', 'This costs $1.50 more an hour.')
  await presses(ana, 'Leave it as it is', 'cancelled')
  await ana.types('general', '/endpoint scale my-llm to 1')
  const asked = await ana.sees(/Scale my-llm to 1\?[\s\S]*can confirm\.[\s\S]*\[Scale my-llm\]/, { in: 'general' })
  expect(JSON.stringify(asked.blocks)).toContain('danger')
  expect(JSON.stringify(asked.blocks)).not.toContain('more an hour')
})

test('Restarting a stopped endpoint is refused and offers the start', async () => {
  const { ana } = await begin()
  await asks(ana, 'restart my-tts', /my-tts is stopped\. Start it instead\.\s+\[Start my-tts\]/)
})

test('Scaling a stopped or autoscaled endpoint is refused with the reason', async () => {
  const { ana } = await begin()
  await town.platform.add({ id: 'ep-auto', name: 'auto', active: true, replicas: 2, autoscaled: true })
  await asks(ana, 'scale my-tts to 2', 'is stopped. Only a running endpoint can be scaled.')
  await presses(ana, 'Start my-tts with 2 replicas', 'Started my-tts')
  await town.calm()
  expect(town.platform.changes().at(0)).toMatchObject({ kind: 'start', endpointId: 'ep-tts' })
  await asks(ana, 'scale auto to 4', 'is autoscaled, so its replicas')
  await asks(ana, 'keep auto 2h', /Paused automation for auto until .*\. The platform still scales it\./)
  expect(await ana.types('ops', '/endpoint scale my-llm to 101')).toContain('from 1 to 100')
  expect(await ana.types('ops', '/endpoint scale my-llm to 0')).toContain('stop the endpoint')
  await ana.presses('Open the form', { in: 'ops' })
  expect(JSON.stringify((await ana.opens('Stop an endpoint')).blocks)).toContain('my-llm')
})

test('A scale with an unknown outcome is never sent again', async () => {
  const { ana } = await begin()
  const fault = town.platform.faults.add('scaleEndpoint', { kind: 'drop-before' })
  await ana.types('ops', '/endpoint scale my-llm to 5')
  await presses(ana, 'Scale my-llm', 'No clear answer from the platform; checking')
  await town.minutesPass(3)
  await ana.sees('I can’t tell whether “scale to 5” was carried out on my-llm.', { in: 'ops' })
  expect(fault.hits()).toBe(1)
})

test('Replicas are listed with their state', async () => {
  const { cleo } = await begin()
  await asks(cleo, 'replicas my-llm', 'my-llm has 3 replicas')
})

test('A restart restores missing replicas, and a person’s start offers to', async () => {
  const { ana } = await begin({ platform: { mostAfterStart: 1 } })
  await ana.types('ops', '/endpoint restart my-llm')
  await presses(ana, 'Restart my-llm', 'Restarted my-llm')
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop', 'start', 'scale'])
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.replicas).toBe(3)

  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  await ana.types('ops', '/endpoint start my-llm')
  await ana.presses('Scale to 3 again', { in: 'ops' })
  await presses(ana, 'Scale my-llm', 'Scaled my-llm to 3.')
})
