import { afterEach, expect, test } from 'vitest'
import { endWatch, watched } from '../support/idle.ts'
import { asks, presses } from '../support/ops.ts'

afterEach(endWatch)

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
