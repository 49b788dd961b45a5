import { afterEach, beforeEach, expect, test } from 'vitest'
import { controlsFor } from '../../sandbox/demo/controls.ts'
import { outagesOf } from '../../sandbox/demo/outages.ts'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'

let platform: PlatformSandbox
beforeEach(async () => {
  const endpoints = [{ name: 'chat-llm', active: true }, { name: 'speech' }]
  platform = await startPlatform({ endpoints, listeningReplicas: false })
})
afterEach(() => platform.stop())

test.each([
  ['chat-llm runs', 'stop', 'chat-llm was stopped at the console, bypassing Lamplighter.'],
  ['speech runs', 'start', 'speech was started at the console, bypassing Lamplighter.'],
])('A control shows whether %s and can %s it, bypassing the API', async (label, kind, says) => {
  const control = controlsFor({ platform, killWorker: () => Promise.resolve() }).find((one) => one.label === label)
  const before = control?.isOn?.()
  expect(await control?.run('U0ANA')).toBe(says)
  expect(control?.isOn?.()).toBe(!before)
  expect(platform.changes()).toMatchObject([{ kind, effective: true, by: 'console' }])
})

test('A failure’s control is on until the failure has struck or is switched off', async () => {
  const controls = controlsFor({ platform, killWorker: () => Promise.resolve() })
  const refusal = controls.find(({ label }) => label === 'Refuse the next start')
  expect(refusal?.isOn?.()).toBe(false)
  await refusal?.run('U0ANA')
  expect(refusal?.isOn?.()).toBe(true)
  expect(platform.faults.strike('startEndpoint')).toHaveLength(1)
  expect(refusal?.isOn?.()).toBe(false)
  await refusal?.run('U0ANA')
  await refusal?.run('U0ANA')
  expect(refusal?.isOn?.()).toBe(false)
  expect(platform.faults.strike('startEndpoint')).toEqual([])
})

test('A worker that can’t start again is reported with its reason until one starts', async () => {
  const wrong = new Error('the worker ended (1):\n{"msg":"a log"}\nThe configuration has a mistake')
  let works = false
  const outages = outagesOf(async () => {
    if (!works) throw wrong
  })
  await outages.kill()
  expect(outages.plight()).toEqual({
    text: 'No new worker started: Error: the worker ended (1): The configuration has a mistake Fix that, then press “Kill the worker” again.',
    isOver: false,
  })
  works = true
  await outages.kill()
  expect(outages.plight()?.isOver).toBe(true)
})
