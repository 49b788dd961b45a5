import { afterEach, beforeEach, expect, test } from 'vitest'
import { controlsFor } from '../../src/sandbox/demo/controls.ts'
import { startPlatform } from '../../src/sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../src/sandbox/platform/types.ts'

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

async function press(label: string): Promise<string | undefined> {
  const time = { clock: Date, file: '', pass: async () => undefined }
  const controls = controlsFor({ platform, time, restartWorker: async () => undefined })
  return controls.find((one) => one.group === 'Traffic' && one.label.startsWith(`${label}:`))?.run()
}

test('The traffic of each endpoint can be switched off and on beside the page', async () => {
  expect(await press('chat-llm')).toBe('Nobody uses chat-llm any more.')
  expect(platform.endpoints()[0]?.traffic).toEqual({ running: 0, waiting: 0, perMinute: 0 })
  expect(await press('chat-llm')).toBe('30 requests a minute come to chat-llm.')
  expect(platform.endpoints()[0]?.traffic).toMatchObject({ running: 2, perMinute: 30 })
  expect(await press('speech')).toBe('30 requests a minute come to speech, once it runs.')
})
