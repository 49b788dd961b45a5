import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, inject, type TestContext, test } from 'vitest'
import { buildProduct, type Child } from '../support/child.ts'
import { childDuring, replaceWorker, townDuring } from '../support/during.ts'
import { effects, sends } from '../support/ends.ts'
import { llm, watchedPolicy } from '../support/idle.ts'
import { sampleOf } from '../support/search.ts'
import { leasesLapse, timePassesUntil, turnLapses } from '../support/time.ts'
import type { Town, TownOptions } from '../support/town.ts'

/* Replaces the worker, a process of its own, by one in this process before an idle stop happens. */

beforeAll(buildProduct)

const ops = { in: 'ops', timeoutMs: 60_000 } as const

/**
 * Lets time pass until something has happened, three minutes after each reading, because without readings no idle
 * time counts.
 */
async function watchedUntil<Seen>(town: Town, happens: Promise<Seen>): Promise<Seen> {
  const redis = new Redis(inject('redisUrl'))
  const waiting = { still: true }
  const done = happens.finally(() => {
    waiting.still = false
  })
  // Awaited below. Until then a rejection must not count as unhandled.
  done.catch(() => undefined)
  const key = (name: string) => `{${town.prefix}:default}:${name}`
  const readings = async () => JSON.stringify(await redis.hgetall(key('readings')))
  const isLooking = async () => (await redis.exists(key('pursuits:turn:watch'))) > 0
  while (waiting.still) {
    const before = await readings()
    await town.minutesPass(3)
    while (waiting.still && ((await readings()) === before || (await isLooking()))) await wait(15)
  }
  redis.disconnect()
  return done
}

/** Resolves when the platform gets the first stop and before it acts. */
function called(town: Town, act: () => void = () => undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = town.platform.onCall(({ operation, when }) => {
      if (operation !== 'stopEndpoint' || when !== 'before acting') return
      end()
      act()
      resolve()
    })
  })
}

/** Starts a town in which an idle stop of my-llm is announced, two hours ahead. */
async function warned(context: TestContext): Promise<{ town: Town; first: Child }> {
  const env = { PLATFORM_TIMEOUT_MS: '5000' }
  const options: TownOptions = { roles: ['bot'], policy: watchedPolicy, watched: true, endpoints: [llm], env }
  const town = await townDuring(context, options)
  const first = await childDuring(context, town, 'worker')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint idle my-llm after 60m warn=2h')
  await ana.presses('Turn on idle stop', ops)
  await town.calm()
  await watchedUntil(town, ana.sees('💤 my-llm stops', ops))
  return { town, first }
}

/** Checks that there was one stop and no other message about it. */
async function stopped(town: Town): Promise<void> {
  await timePassesUntil(town, town.slack.as('U0ANA').sees('Stopped my-llm', ops))
  expect(effects(town)).toEqual(['stop'])
  expect(sends(town)).toEqual(['stopEndpoint'])
  expect(town.slack.transcript('ops')).not.toContain('was left')
}

const signals = ['SIGTERM', 'SIGKILL'] as const
/** During a notice a worker holds nothing, so SIGTERM stands for both signals; during a call SIGKILL does. */
const tried = (stands: (typeof signals)[number]) => sampleOf(signals, (signal) => signal === stands)

describe.concurrent('An idle stop whose worker ends', () => {
  test.for(tried('SIGTERM'))(
    'by %s during the notice is left to the next worker, which stops once',
    async (signal, context) => {
      const { town, first } = await warned(context)
      first.signal(signal)
      await first.gone
      await leasesLapse(town)
      expect(effects(town)).toEqual([])
      await turnLapses(town, 'watch')
      await town.begin('worker')
      await watchedUntil(town, called(town))
      await stopped(town)
    },
  )

  test.for(tried('SIGKILL'))(
    'by %s in the middle of the call, while the next worker starts, happens once',
    async (signal, context) => {
      const { town, first } = await warned(context)
      const next: Promise<void>[] = []
      const swap = () => void next.push(replaceWorker(town, first, signal, 'watch'))
      await watchedUntil(town, called(town, swap))
      await first.gone
      await Promise.all(next)
      await stopped(town)
    },
  )
})
