import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { townDuring } from '../support/during.ts'
import { timePassesUntil } from '../support/time.ts'
import { sentenceIn } from '../support/words.ts'

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map((word) => `gpu-${word}`)

test('Eight starts in one channel keep Slack’s limits and post no progress after outcomes', async (context) => {
  const town = await townDuring(context, {
    endpoints: names.map((name) => ({ id: name, name, active: false })),
    platform: { startDelayMs: 40_000, listeningReplicas: false },
    slack: { paceRealistically: true },
  })
  const ana = town.slack.as('U0ANA')
  for (const name of names) expect(await ana.types('ops', `/endpoint start ${name}`)).toBe('')
  for (const name of names)
    await timePassesUntil(town, ana.sees(`Started ${name}; it’s serving.`, { in: 'ops' }), 1 / 60)
  await timePassesUntil(town, town.calm())

  const cards = town.slack
    .channel('ops')
    .messages()
    .filter(({ threadTs }) => threadTs === undefined)
  const ended = cards.map(({ text }) => /^Started (\S+); it’s serving\./.exec(text)?.[1])
  expect(ended).toHaveLength(names.length)
  expect(new Set(ended)).toEqual(new Set(names))
  const calls = town.slack.calls().filter(({ method }) => method.startsWith('chat.'))
  expect(calls.filter(({ answer }) => answer?.['error'] === 'ratelimited').length).toBeLessThanOrEqual(2)
  for (const name of names) {
    const said = calls.map(({ args }) => `${args['text'] as string}`).filter((text) => text.includes(name))
    const firstEnd = said.findIndex((text) => text.startsWith('Started'))
    expect(said.slice(firstEnd).filter((text) => text.startsWith('Starting'))).toEqual([])
  }
})

// Concurrent, because the tests mostly wait for sockets.
describe.concurrent('A socket', () => {
  test.for([0, 1])('number %i leaves no command unanswered while it is refreshed', async (which, context) => {
    const town = await townDuring(context, { slack: { ackTimeoutMs: 2_500 } })
    const cleo = town.slack.as('U0CLEO')
    await town.slack.sockets.connected(2)
    const refreshed = town.slack.sockets.refresh(which, 1_000)
    const answers: string[] = []
    for (let command = 0; command < 40; command += 1) {
      answers.push(await cleo.types('general', '/endpoint status my-llm'))
      await wait(50)
    }
    await refreshed
    // On a busy machine the storage may take longer than a second; that answer counts too.
    expect(answers.filter((said) => said !== '' && said !== sentenceIn('request.perhapsStored'))).toEqual([])
    await cleo.sees('running · 3 replicas', { in: 'general' })
  })

  test('that drops without notice costs no answer once the bot has noticed', async (context) => {
    const town = await townDuring(context, { slack: { ackTimeoutMs: 2_500 } })
    const ana = town.slack.as('U0ANA')
    await town.slack.sockets.connected(2)
    town.slack.sockets.drop(0)
    expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
    await ana.sees('Started my-tts', { in: 'ops' })
    await town.slack.sockets.connected(2)
  })
})
