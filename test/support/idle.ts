import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import type { NewEndpoint } from '../../sandbox/platform/types.ts'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { ops } from './ops.ts'
import { policyOf, startTown, type Town, type TownOptions } from './town.ts'

/** The town's policy, except that reading metrics at private addresses is allowed. */
export const watchedPolicy = policyOf(`
    signals: { allow_private: true }
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN, group:S0OPS]
      approver: [user:U0BEN]
      admin: []
`)

interface Watchtower {
  readonly town: Town
  readonly ana: Actor
  /** Passes time, in minutes, and waits after each part until every endpoint has been read. */
  readonly looks: (...minutes: readonly number[]) => Promise<void>
}

const begun: (() => Promise<void>)[] = []

/** Stops every town that was started here. */
export async function endWatch(): Promise<void> {
  for (const stop of begun.splice(0)) await stop()
}

/** Starts a town whose worker reads from the start whether endpoints are used. */
export async function startWatchtower(options: TownOptions = {}): Promise<Watchtower> {
  const town = await startTown({ policy: watchedPolicy, watched: true, ...options })
  const redis = new Redis(inject('redisUrl'))
  begun.push(async () => {
    redis.disconnect()
    await town.stop()
  })
  const key = (name: string): string => `{${town.prefix}:default}:${name}`
  let before = ''

  async function looked(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const [kept, turn] = await Promise.all([redis.hgetall(key('readings')), redis.exists(key('pursuits:turn:watch'))])
      const text = JSON.stringify(kept)
      // An endpoint that was just stopped is not read any more.
      const isOff = town.platform.endpoints().every((one) => !one.active)
      if (turn === 0 && (isOff || (text !== '{}' && text !== before))) {
        before = text
        return
      }
      await wait(15)
      // A look that was still under way when time passed saw nothing of it, so the next one is called for again.
      if (tries % 100 === 0) await town.minutesPass(0)
    }
  }

  await looked()
  return {
    town,
    ana: town.slack.as('U0ANA'),
    async looks(...minutes) {
      for (const some of minutes) {
        await town.minutesPass(some)
        await looked()
      }
    },
  }
}

/** An unused endpoint that runs vLLM on two replicas. */
export const llm: NewEndpoint = { id: 'ep-llm', name: 'my-llm', active: true, replicas: 2 }

/** Starts a town in which ana turns on idle stop; `words` follow the endpoint's name. */
export async function watched(words = 'after 60m', options: TownOptions = {}) {
  const tower = await startWatchtower({ endpoints: [llm], ...options })
  const { ana, town } = tower
  const { slack, platform } = town
  await ana.types('ops', `/endpoint idle my-llm ${words}`)
  if (!words.includes('try')) await ana.presses('Turn on idle stop', ops)
  await ana.sees(words.includes('try') ? 'I’ll only post that' : 'a warning is posted', ops)
  await town.calm()
  return { ...tower, slack, platform, told: () => slack.transcript('ops') }
}

/** Starts such a town and waits until people have been warned of the stop. */
export async function warned(options: TownOptions = {}) {
  const set = await watched('after 60m', options)
  await set.looks(20, 20, 21)
  await set.town.calm()
  await set.ana.sees('💤 my-llm stops', ops)
  return set
}
