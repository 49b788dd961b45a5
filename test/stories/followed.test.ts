import { expect, onTestFinished, test } from 'vitest'
import { buildProduct, launchChild } from '../support/child.ts'
import { asks, presses } from '../support/ops.ts'
import { startTown } from '../support/town.ts'

test('A request can be followed in the log by its id, and why it failed, without anything that people typed', async () => {
  const town = await startTown()
  onTestFinished(() => town.stop())
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm because="of my own"')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  await town.calm()
  const lines = town
    .log()
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  const id = lines.find(({ msg }) => msg === 'accepted')?.['request']
  const line = (says: string) => lines.find(({ msg, request }) => msg === says && request === id)
  expect(line('accepted')).toMatchObject({ by: 'U0ANA', verb: 'stop' })
  for (const says of ['asked', 'called', 'ended']) expect(line(says)).toMatchObject({ endpoint: 'ep-llm' })
  expect(line('called')).toMatchObject({ step: 'stop' })
  expect(line('the platform answered')).toMatchObject({ step: 'stop' })
  const told = lines.filter(({ request, level }) => request === id && level === 'info').map(({ msg }) => msg)
  expect(told).toEqual(
    expect.arrayContaining(['accepted', 'picked up', 'asked', 'called', 'the platform answered', 'ended']),
  )
  expect(told.length).toBeLessThanOrEqual(12)
  expect(town.log()).not.toContain('of my own')
  town.platform.faults.add('startEndpoint', { kind: 'answer', status: 400, body: { message: 'No.' } })
  await ana.types('ops', '/endpoint start my-tts')
  await expect.poll(() => town.log()).toMatch(/"status":"failed"[^\n]*"why":"the call: refused"[^\n]*"msg":"ended"/)

  const failed =
    town
      .log()
      .split('\n')
      .find((one) => one.includes('a call to the platform failed')) ?? '{}'
  const address = new URL(town.platform.url).host
  expect(JSON.parse(failed)).toMatchObject({ project: 'default', address, endpoint: 'ep-tts', status: 400 })

  // A request that another one ends is logged like any other.
  town.platform.console.start('ep-tts')
  await ana.types('ops', '/endpoint stop my-tts')
  await ana.sees('Stop my-tts?', { in: 'ops' })
  await asks(ana, 'cancel my-tts', 'Cancelled')
  await expect.poll(() => town.log()).toMatch(/"status":"cancelled"[^\n]*"by":"U0ANA"[^\n]*"msg":"ended"/)
})

test('LOG_LEVEL=warn keeps a healthy process silent', async () => {
  await buildProduct()
  const town = await startTown({ roles: [] })
  onTestFinished(() => town.stop())
  const child = launchChild(town, 'all', { LOG_LEVEL: 'warn' })
  onTestFinished(() => child.stop())
  await town.slack.sockets.connected(1)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Started my-tts; it’s serving.')
  expect(child.log()).toBe('')
})
