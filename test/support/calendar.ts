import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { readClock } from '../../src/core/time/calendar.ts'
import { instantOf, localAt } from '../../src/core/time/zone.ts'
import { startTown, type Town, type TownOptions } from './town.ts'

const zone = 'Asia/Seoul'
const weekdays = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed']

/** A town whose clock moves from one time of the week to the next. */
export interface Calendar {
  readonly town: Town
  /** Moves to the next "mon 08:00" or the like in Seoul. Resolves when everything due by then is done and shown. */
  goTo(when: string): Promise<void>
  /** Moves on in steps of a minute by default, and waits after each for what is due; in the end as `goTo` does. */
  pass(minutes: number, step?: number): Promise<void>
  /** Moves there without waiting for the product. */
  jumpTo(when: string): Promise<void>
  /** Resolves when the rules have been checked since the call and no request has anything left to do. */
  rest(): Promise<void>
  /** Returns the number of stored records. */
  records(): Promise<number>
  stop(): Promise<void>
}

type Person = ReturnType<Town['slack']['as']>

export const office = 'up weekdays 09:00-20:00 Asia/Seoul'

/** Creates a rule and confirms it. */
export async function schedule(calendar: Calendar, ana: Person, name: string): Promise<void> {
  await ana.types('ops', `/endpoint schedule ${name} ${office}`)
  await ana.presses('Save schedule', { in: 'ops' })
  await ana.sees('Scheduled', { in: 'ops' })
  await calendar.rest()
}

/** Returns how often a text appears in #ops. */
export function timesSaid({ town }: Calendar, text: string): number {
  return town.slack.transcript('ops').split(text).length - 1
}

export async function startCalendar(options: TownOptions = {}): Promise<Calendar> {
  const town = await startTown(options)
  const redis = new Redis(options.redisUrl ?? inject('redisUrl'))
  redis.on('error', () => undefined)
  const tag = `{${town.prefix}:default}`
  const ticked = `${tag}:pursuits:ticked`

  let moves = 0

  /** Each move ends a second later in its minute: what was planned ten minutes ahead is over when those have passed. */
  function minutesUntil(when: string): number {
    moves += 1
    const [day = '', clock = ''] = when.split(' ')
    const now = town.clock.now()
    const today = localAt(now, zone).day
    for (let ahead = 0; ahead <= 7; ahead++) {
      const at = instantOf(today + ahead, readClock(clock) ?? 0, zone)
      if (weekdays[(today + ahead) % 7] === day && at > now) return (at - now + moves * 1_000) / 60_000
    }
    throw new Error(`${when} is no time of the week.`)
  }
  async function jumpTo(when: string): Promise<void> {
    await town.minutesPass(minutesUntil(when))
  }
  /** Moves the clock. Resolves when the rules have been checked at the new time. */
  async function looked(minutes: number): Promise<void> {
    // Only in another minute are the rules checked without being told to.
    const isShort = minutes < 1
    if (isShort && minutes > 0) await town.minutesPass(minutes)
    await redis.del(ticked)
    await town.minutesPass(isShort ? 0 : minutes)
    await town.looked()
    while ((await redis.exists(ticked)) === 0) await wait(20)
  }
  /** Moves by each of these minutes. After the last, a second check sees what became of the requests of the first. */
  async function restAfter(...moves: readonly number[]): Promise<void> {
    for (const minutes of [...moves, 0]) {
      await looked(minutes)
      await town.calm()
    }
  }
  return {
    town,
    jumpTo,
    rest: () => restAfter(0),
    pass: (minutes, step = 1) => restAfter(...Array.from({ length: Math.ceil(minutes / step) }, () => step)),
    records: () => redis.hlen(`${tag}:records`),
    goTo: (when) => restAfter(minutesUntil(when)),
    async stop() {
      redis.disconnect()
      await town.stop()
    },
  }
}
