import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { buildProduct, type Child } from '../support/child.ts'
import { childDuring, replaceWorker, townDuring } from '../support/during.ts'
import { effects, sends } from '../support/ends.ts'
import { sampleOf } from '../support/search.ts'
import { timePassesUntil } from '../support/time.ts'
import type { Town } from '../support/town.ts'

/*
 * Deploys at the very moment when a rule acts: a worker in a process of its own is stopped or killed, and another
 * starts in this one. Times are in Seoul. The stories run concurrently, because they mostly wait for processes to
 * start.
 */

beforeAll(buildProduct)

const ops = { in: 'ops', timeoutMs: 40_000 } as const
const day = 24 * 3_600_000

/** Minutes until the next time a clock in Seoul shows this, minus `before` ms. */
function minutesUntil({ clock }: Town, time: string, before = 0): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const local = clock.now() + 9 * 3_600_000
  const ahead = (hours * 60 + minutes) * 60_000 - (local % day) - before
  return (ahead > 0 ? ahead : ahead + day) / 60_000
}

/** Noon: one worker runs, and my-llm is scheduled to run from 9 to 20 every day. */
async function begin(context: TestContext): Promise<{ town: Town; first: Child }> {
  const town = await townDuring(context, { roles: ['bot'] })
  await town.minutesPass(minutesUntil(town, '12:00'))
  const first = await childDuring(context, town, 'worker')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint schedule my-llm up daily 09:00-20:00 Asia/Seoul')
  await ana.presses('Save schedule', ops)
  await ana.sees('Scheduled', ops)
  await town.calm()
  return { town, first }
}

/** Waits until the notice is posted in #ops. */
async function toldOf(town: Town): Promise<void> {
  await town.minutesPass(minutesUntil(town, '19:51'))
  await timePassesUntil(town, town.slack.as('U0ANA').sees('🌙 my-llm stops', ops), 0.01)
}

/** What #ops says about the stop: its message and the replies in the thread, indented. */
function said(town: Town): readonly string[] {
  const { slack } = town
  return slack
    .channel('ops')
    .messages()
    .flatMap(({ threadTs, ts, text }) => {
      const [words] = /^(my-llm stops|Stopp\w+ my-llm)/.exec(text) ?? []
      return words === undefined ? [] : [`${threadTs === undefined || threadTs === ts ? '' : '  '}${words}`]
    })
}

/** Wraps an action so that it runs only once. */
function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

const signals = ['SIGTERM', 'SIGKILL'] as const

/** Moments at which `leave` is called. */
const moments: readonly (readonly [string, (town: Town, leave: () => void) => Promise<void>])[] = [
  [
    'in the second of the boundary',
    async (town, leave) => {
      await town.minutesPass(minutesUntil(town, '20:00', 150))
      while (minutesUntil(town, '20:00') <= 1_000) await wait(5)
      leave()
    },
  ],
  [
    'when it reads the endpoint for the last time',
    async (town, leave) => {
      town.platform.onCall(({ operation, when }) => {
        if (operation === 'getEndpointStatus' && when === 'before acting') leave()
      })
      await town.minutesPass(minutesUntil(town, '20:00', 150))
    },
  ],
  [
    'in the middle of the call',
    async (town, leave) => {
      town.platform.onCall(({ operation, when }) => {
        if (operation === 'stopEndpoint' && when === 'before acting') leave()
      })
      await town.minutesPass(minutesUntil(town, '20:00', 150))
    },
  ],
]

const cases = signals.flatMap((signal) => moments.map(([when, moment]) => [signal, when, moment] as const))
// A worker that gets SIGTERM finishes its step, so one moment is enough for it.
const tried = sampleOf(cases, ([signal, when]) => signal === 'SIGKILL' || when === 'in the middle of the call')

describe.concurrent('A worker replaced at a rule’s boundary', () => {
  test.for(tried)(
    'by %s %s stops the endpoint once and reports it in one message',
    async ([signal, , moment], context) => {
      const { town, first } = await begin(context)
      await toldOf(town)
      const next: Promise<void>[] = []
      await moment(
        town,
        once(() => void next.push(replaceWorker(town, first, signal, 'rules'))),
      )
      expect(await first.gone).toBe(signal === 'SIGTERM' ? 0 : null)
      await Promise.all(next)
      const ana = town.slack.as('U0ANA')
      await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, ops))
      await timePassesUntil(town, town.calm())
      expect(effects(town)).toEqual(['stop'])
      expect(sends(town)).toEqual(['stopEndpoint'])
      expect(said(town)).toEqual(['Stopped my-llm'])
      expect(town.log()).not.toContain('"level":"error"')

      await town.minutesPass(minutesUntil(town, '09:00', 150))
      await timePassesUntil(town, ana.sees(/^Started my-llm/, ops))
      expect(effects(town)).toEqual(['stop', 'start'])
    },
  )

  test('while another one runs beside it stops the endpoint once', async (context) => {
    const { town, first } = await begin(context)
    await toldOf(town)
    await town.begin('worker')
    await town.minutesPass(minutesUntil(town, '20:00', 150))
    const ana = town.slack.as('U0ANA')
    await timePassesUntil(town, ana.sees(/^Stopped my-llm\./, ops), 0.01)
    first.signal('SIGTERM')
    expect(await first.gone).toBe(0)
    await timePassesUntil(town, town.calm())
    expect(sends(town)).toEqual(['stopEndpoint'])
    expect(said(town)).toEqual(['Stopped my-llm'])
  })

  test.for(sampleOf(signals, (signal) => signal === 'SIGKILL'))(
    'by %s right after Slack took the notice posts it once and stops in time',
    async (signal, context) => {
      const { town, first } = await begin(context)
      const next: Promise<void>[] = []
      const leave = once(() => void next.push(replaceWorker(town, first, signal, 'rules')))
      town.slack.onCall(({ method, args }, moment) => {
        const { text } = args
        const isNotice = typeof text === 'string' && text.startsWith('my-llm stops ')
        if (method === 'chat.postMessage' && isNotice && moment === 'after') leave()
      })
      await town.minutesPass(minutesUntil(town, '19:50', 150))
      await timePassesUntil(town, first.gone, 0.01)
      await Promise.all(next)
      await timePassesUntil(town, town.calm(), 0.001)
      expect(said(town)).toEqual(['my-llm stops'])
      await town.minutesPass(minutesUntil(town, '20:00', 150))
      await timePassesUntil(town, town.slack.as('U0ANA').sees(/^Stopped my-llm\./, ops), 0.01)
      await timePassesUntil(town, town.calm())
      expect(sends(town)).toEqual(['stopEndpoint'])
      expect(said(town)).toEqual(['Stopped my-llm'])
    },
  )
})
