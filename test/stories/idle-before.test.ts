import { afterEach, describe, expect, test } from 'vitest'
import { endWatch, llm, startWatchtower, watched } from '../support/idle.ts'
import { asks, ops, presses } from '../support/ops.ts'

afterEach(endWatch)

/** Two idle periods. The first lasts 90 min, so it ends half an hour after an idle stop of one hour. */
async function lookedAt() {
  const { town, looks } = await startWatchtower({ endpoints: [llm] })
  const { platform } = town
  platform.traffic('ep-llm', { perMinute: 5 })
  await looks(1, 4)
  platform.traffic('ep-llm', { perMinute: 0 })
  await looks(1, 90)
  platform.traffic('ep-llm', { perMinute: 5 })
  await looks(2)
  platform.traffic('ep-llm', { perMinute: 0 })
  await looks(1, 6 * 60)
  return { ana: town.slack.as('U0ANA'), town, looks }
}

test('An idle rule shows first what it would have done, in the question, a dry run and explain', async () => {
  const { ana } = await lookedAt()
  await asks(
    ana,
    'idle my-llm after 60m',
    'it would have been stopped twice (1 too early: it was used again within the hour), saving 10 replica-hours.',
  )
  await asks(ana, 'explain idle my-llm after 2h', 'would have been stopped once, saving 7 replica-hours.')
  await asks(ana, 'idle my-llm try after 3h', 'it would have been stopped once, saving 5 replica-hours.')
})

describe('The usage of an endpoint', () => {
  test('is shown by status with its evidence and what follows', async () => {
    const { ana, town, looks } = await startWatchtower({ endpoints: [llm] })
    town.platform.traffic('ep-llm', { running: 2 })
    await looks(1)
    await asks(ana, 'status my-llm', 'In use: 2 requests are running or waiting.')
    town.platform.traffic('ep-llm', { running: 0 })
    await asks(ana, 'idle my-llm try after 60m', /would be stopped/)
    await looks(1, 42)
    await ana.types('ops', '/endpoint status my-llm')
    const why =
      '(no requests on both replicas, from vLLM metrics). Idle dry run: after 1 h without requests I’ll only post'
    await ana.sees(`Idle for 43 min ${why}`, ops)
    await asks(ana, 'protect my-llm', 'It’s never stopped automatically')
    await asks(ana, 'status my-llm', 'vLLM metrics). Idle stop is paused: protection is on.')
  })

  test('is shown once for a paused endpoint, with who paused it and until when', async () => {
    const { ana, looks } = await startWatchtower({ endpoints: [llm] })
    await ana.types('ops', '/endpoint idle my-llm try after 60m')
    await asks(ana, 'keep my-llm 3h', 'Paused automation for my-llm')
    await looks(1, 42)
    const { text, blocks } = await asks(ana, 'status my-llm', /Idle for 4\d min/)
    expect(text).toContain('Left alone until')
    expect(text).not.toContain('automation is paused')
    expect(JSON.stringify(blocks)).toMatch(/U0ANA.{0,80} paused its automation/)
    // A pause keeps idle time from counting towards a stop, but the endpoint is still idle.
    await looks(25)
    await asks(ana, 'list', /idle for 1 h/)
  })

  test('is not shown from readings before a restart', async () => {
    const { ana, town, looks } = await startWatchtower({ endpoints: [llm] })
    await looks(1, 100)
    await asks(ana, 'status my-llm', 'Idle for 1 h 4')
    await ana.types('ops', '/endpoint restart my-llm')
    await presses(ana, 'Restart my-llm', 'Restarted my-llm')
    const before = town.slack.transcript('ops').split('Idle for').length
    await ana.types('ops', '/endpoint status my-llm show')
    await town.calm()
    expect(town.slack.transcript('ops').split('Idle for')).toHaveLength(before)
  })

  test('is shown as unknown, with what to do, and a rule then says that there is not enough data', async () => {
    const { ana, town, looks } = await startWatchtower({ endpoints: [{ ...llm, servingKey: 'a-key' }] })
    await looks(1)
    await asks(ana, 'my-llm', 'Usage unknown: the metrics URL needs a key (401); create a separate API key')
    await looks(75)
    await asks(ana, 'idle my-llm after 60m', 'There isn’t enough data yet to tell')
    expect(town.slack.transcript('ops')).not.toContain('saved')
  })

  test('is shown in the list for idle endpoints', async () => {
    const { ana, town, looks } = await startWatchtower({ endpoints: [llm, { ...llm, id: 'ep-b', name: 'my-b' }] })
    town.platform.traffic('ep-b', { running: 1 })
    await looks(1, 65)
    await asks(ana, 'list', 'idle for 1 h 6 min')
    expect(town.slack.transcript('ops').split('idle for')).toHaveLength(2)
    await asks(ana, 'which endpoints are idle?', /1 idle endpoint\s.*my-llm\s.*idle for 1 h/s)
    expect(town.slack.transcript('ops').split('my-b')).toHaveLength(2)
    await asks(ana, 'list idle search=my-b', 'No running endpoint has been idle for long')
    // A new rule counts from now, but its warning shows the whole idle time.
    await ana.types('ops', '/endpoint idle my-llm after 60m')
    await presses(ana, 'Turn on idle stop', 'Turned on idle stop')
    await looks(1, 61)
    await ana.sees(/my-llm stops .*no requests for 2 h \d min on both replicas/s, ops)
    await asks(ana, 'list', /idle for 2 h \d min .* idle stop after 1 h/)
  })
})

test('An idle rule is shown by schedules and by status', async () => {
  const { ana, looks, platform } = await watched()
  await asks(ana, 'schedules', 'idle stop after 1 h, warning 10 min before')
  await asks(ana, 'schedules my-llm', 'Schedule of my-llm')
  platform.traffic('ep-llm', { running: 1 })
  await looks(20)
  await asks(ana, 'status my-llm', 'Idle stop: a warning is posted after 1 h without requests.')
  const end = await presses(
    ana,
    'Turn off idle stop',
    'Turned off idle stop for my-llm. my-llm is no longer stopped for being idle.',
  )
  expect(end.ephemeralTo).toBeUndefined()
  await asks(ana, 'schedules my-llm', 'my-llm has no schedule and no idle stop')
})
