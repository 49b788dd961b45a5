import { afterEach, beforeEach, expect, test } from 'vitest'
import { controlsFor } from '../../sandbox/demo/controls.ts'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'
import type { Control } from '../../sandbox/slack/options.ts'

let platform: PlatformSandbox
beforeEach(async () => {
  platform = await startPlatform({
    listeningReplicas: false,
    endpoints: [
      { name: 'chat-llm', active: true, traffic: { perMinute: 5 } },
      { name: 'speech', server: 'web' },
    ],
  })
})
afterEach(() => platform.stop())

function leverOf(name: string): Control {
  const controls = controlsFor({ platform, killWorker: async () => undefined })
  const found = controls.find((one) => one.group === 'Traffic' && one.label === name)
  if (found === undefined) throw new Error(`There is no lever for the traffic of ${name}.`)
  return found
}

test('The page can turn the traffic of each endpoint off and on', async () => {
  expect(await leverOf('chat-llm').run('U0ANA')).toBe('chat-llm gets no more requests.')
  expect(leverOf('chat-llm').isOn?.()).toBe(false)
  expect(platform.endpoints()[0]?.traffic).toEqual({ running: 0, waiting: 0, perMinute: 0 })
  expect(await leverOf('chat-llm').run('U0ANA')).toBe('chat-llm gets 30 requests a minute.')
  expect(leverOf('chat-llm').isOn?.()).toBe(true)
  expect(platform.endpoints()[0]?.traffic).toMatchObject({ running: 2, perMinute: 30 })
  expect(await leverOf('speech').run('U0ANA')).toBe('speech gets 30 requests a minute once it’s running.')
})
