import { afterEach, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { endWatch, startWatchtower, watchedPolicy } from '../support/idle.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'

afterEach(endWatch)
const names = ['asr', 'chat', 'code']

async function begin() {
  const { town, looks } = await startWatchtower({
    policy: `${watchedPolicy}    endpoints: [{ match: ["*"], idle: 60m }]\n`,
    endpoints: names.map((name) => ({ id: `ep-${name}`, name, active: true, replicas: 1 })),
  })
  const ana = town.slack.as('U0ANA')
  const rows = () =>
    town.slack
      .transcript('ops')
      .split('\n')
      .filter((line) => line.startsWith('App')).length
  await looks(20, 20, 21)
  return { town, looks, ana, rows }
}

test('Endpoints that are idle at the same time share one message', async () => {
  const { town, looks, ana, rows } = await begin()
  await ana.sees(/💤 3 endpoints stop today at .*\s+asr, chat, and code · no requests for 1 h 1 min/, ops)
  await ana.sees('idle stop by the policy file', ops)
  expect(rows()).toBe(1)
  await town.calm()
  await ana.chooses('Keep one running…', 'chat: Keep 1 h', ops)
  // A digest that is being posted while one of its stops changes shows that at the next look.
  await timePassesUntil(town, ana.sees(/🌙 Left alone until .*: chat \(@ana\)/, ops))
  await town.calm()
  town.platform.traffic('ep-code', { perMinute: 4 })
  // The first check of the rules may come before the first reading.
  await looks(1, 1)
  await ana.sees(/🚫 No longer part of this: code · in use again \(\d+ requests? ended since the last check\)/, ops)
  await town.calm()
  await looks(11)
  await timePassesUntil(town, ana.sees(/💤 Stopped: asr · no requests for 1 h 1\d min/, ops))
  expect([rows(), effects(town)]).toEqual([1, ['stop']])
  await ana.chooses('Which endpoint?', 'asr: Start asr again', ops)
  await ana.sees('Started asr', ops)
})

test.each([0, 1])('A choice of one of several idle stops can be undone %i minutes later', async (minutes) => {
  const { town, looks, ana } = await begin()
  await town.calm()
  // Less than the ten minutes of the warning may pass, however slow the machine is.
  const shows = (text: string | RegExp) => timePassesUntil(town, ana.sees(text, ops), 0.01)
  await ana.chooses('Keep one running…', 'chat: Keep 1 h', ops)
  await timePassesUntil(town, ana.sees(/🌙 Left alone until .*: chat \(@ana\)/, ops), 0.0001)
  if (minutes > 0) await looks(minutes)
  await asks(ana, 'undo chat', 'Resumed automation for chat')
  await shows('💤 Postponed: chat (@ana)')
  await ana.chooses('Keep one running…', 'asr: Skip this one', ops)
  await shows('🌙 Skipped: asr (@ana)')
  await ana.types('ops', '/endpoint undo asr')
  await presses(ana, 'Stop asr', 'Stopped asr')
  expect(effects(town)).toEqual(['stop'])
})
