import { afterEach, expect, test } from 'vitest'
import { endWatch, watched } from '../support/idle.ts'

afterEach(endWatch)

const ops = { in: 'ops' } as const

test('An idle rule is shown by schedules and by status', async () => {
  const { ana, looks, platform } = await watched()
  await ana.types('ops', '/endpoint schedules')
  await ana.sees('idle stop after 1 h, warning 10 min before', ops)
  await ana.types('ops', '/endpoint schedules my-llm')
  await ana.sees('Schedule of my-llm', ops)
  platform.traffic('ep-llm', { running: 1 })
  await looks(20)
  await ana.types('ops', '/endpoint status my-llm')
  await ana.sees('Idle stop: a warning is posted after 1 h without requests.', ops)
  await ana.presses('Turn off idle stop', ops)
  const end = await ana.sees('Turned off idle stop for my-llm. my-llm is no longer stopped for being idle.', ops)
  expect(end.ephemeralTo).toBeUndefined()
  await ana.types('ops', '/endpoint schedules my-llm')
  await ana.sees('my-llm has no schedule and no idle stop', ops)
})
