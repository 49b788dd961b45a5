import { beforeEach, describe, expect, test } from 'vitest'
import type { StoredRecord } from '../../src/core/model/records.ts'
import type { Request } from '../../src/core/model/request.ts'
import { say } from '../../src/core/model/words.ts'
import type { Services } from '../../src/core/ports/services.ts'
import { receiveFromRule } from '../../src/core/requests/receive.ts'
import { advance } from '../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import { presses, type Stage, staged, swept, types } from '../support/memory/stage.ts'

/* Another worker changes a record after this worker has read the records and before it writes its result. */

let stage: Stage
beforeEach(() => {
  stage = staged(peopled(policyWith({ stop: 'confirmation' }), true))
})

const ben = { team: homeTeam, user: 'U0BEN' }

/** Returns services whose records change right after each of the first `times` reads. */
function overtaken(
  happens: (time: number) => StoredRecord,
  times: number,
): { readonly services: Services; readonly reads: () => number } {
  let reads = 0
  const { services, store } = stage
  const slow = {
    ...services.store,
    async records() {
      const found = await services.store.records()
      reads += 1
      if (reads <= times) await store.write({ put: [happens(reads)] }, [])
      return found
    },
  }
  return { services: { ...services, store: slow }, reads: () => reads }
}

function protecting(endpoint: string, time = 1): StoredRecord {
  return { kind: 'protection', endpoint, by: ben, at: time }
}

async function asked(line: string): Promise<string> {
  await types(stage, 'U0ANA', line, 'C0OPS')
  return stage.requests.at(-1) ?? ''
}

async function now(id: string): Promise<Request> {
  const found = await stage.store.load(id)
  if (found === null) throw new Error('It is not remembered.')
  return found
}

function idOf(name: string): string {
  return [...stage.platform.endpoints.values()].find((one) => one.name === name)?.id ?? ''
}

describe('A record that changes between the plan and the write', () => {
  test('is used by the question: a stop of an endpoint protected meanwhile needs an approval', async () => {
    const id = await asked('stop my-llm')
    await advance(overtaken(() => protecting(idOf('my-llm')), 1).services, id)
    expect(await now(id)).toMatchObject({ status: 'awaiting', exposure: 'protected', requirement: 'approval' })
  })

  test('makes a confirmed request ask again instead of calling', async () => {
    const id = await asked('stop my-llm')
    await advance(stage.services, id)
    expect(await now(id)).toMatchObject({ status: 'awaiting', exposure: 'active', requirement: 'confirmation' })
    await presses(stage, 'U0ANA', id, true)
    await advance(overtaken(() => protecting(idOf('my-llm')), 1).services, id)
    expect(await now(id)).toMatchObject({ status: 'awaiting', ask: { n: 2 }, requirement: 'approval' })
    expect(stage.platform.made).toEqual([])
  })

  test('but is unrelated costs one more planning and loses nothing', async () => {
    const id = await asked('start my-tts')
    await advance(overtaken(() => protecting('ep-far'), 1).services, id)
    expect(stage.platform.made).toHaveLength(1)
    expect(await now(id)).toMatchObject({ replans: 1 })
  })

  test('on every try fails the request without a call', async () => {
    const id = await asked('start my-tts')
    const { services, reads } = overtaken((time) => protecting('ep-far', time), Number.POSITIVE_INFINITY)
    await advance(services, id)
    expect(await now(id)).toMatchObject({
      status: 'failed',
      ending: { says: say('request.unsettled') },
    })
    expect(reads()).toBeLessThan(30)
    expect(stage.platform.made).toEqual([])
  })

  test('is also used by a request that changes records', async () => {
    const id = await asked('protect my-llm')
    await advance(overtaken(() => protecting(idOf('my-llm')), 1).services, id)
    expect(await now(id)).toMatchObject({ status: 'refused' })
    expect((await stage.store.records()).get(`protection:${idOf('my-llm')}`)).toMatchObject({ by: ben })
  })
})

test('A pause that somebody asks for while a stop ends against the rules is kept', async () => {
  const { clock, store } = stage
  const [endpoint, at] = [idOf('my-llm'), clock.now()]
  const window = { days: [0, 1, 2, 3, 4, 5, 6], spans: [{ from: 0, to: 1_440 }] }
  const rule = {
    kind: 'weekly',
    id: 'w',
    endpoint,
    direction: 'up',
    zone: 'UTC',
    owner: ben,
    made: at,
    window,
  } as const
  await store.write({ put: [rule] }, [])
  const id = await asked('stop my-llm')
  await advance(stage.services, id)
  await presses(stage, 'U0ANA', id, true)
  const keep = { kind: 'hold', id: 'keep', endpoint, at, until: at + 40 * 86_400_000, by: ben } as const
  const { services, platform } = stage
  const put: StoredRecord[] = [keep]
  const slow = {
    ...services.store,
    async records() {
      const found = await services.store.records()
      if (platform.effects.length > 0 && put.length > 0) await store.write({ put: put.splice(0) }, [])
      return found
    },
  }
  await advance({ ...services, store: slow }, id)
  expect([put, await now(id)]).toMatchObject([[], { status: 'succeeded' }])
  expect((await store.records()).get(`hold:${endpoint}`)).toMatchObject({ until: keep.until, also: [{ by: ben }] })
})

test('A stop that the platform put off is not made an hour after its confirmation', async () => {
  const { clock, platform, services, store } = stage
  await types(stage, 'U0ANA', 'stop my-llm', 'C0OPS')
  const [id = ''] = stage.requests
  await advance(services, id)
  platform.troubles.push('busy')
  await presses(stage, 'U0ANA', id, true)
  await advance(services, id)
  // No worker runs for an hour.
  clock.pass(3_600_000)
  await swept(stage)
  expect(await store.load(id)).toMatchObject({ status: 'expired', ending: { says: say('request.tooLate') } })
  expect([platform.made.length, platform.effects]).toEqual([1, []])
})

test('A rule’s request that no worker took in time names what was not done', async () => {
  const { clock, services, store } = stage
  await receiveFromRule(services, 'C0OPS', {
    id: 'start-of-the-hours',
    kind: 'operation',
    line: 'start my-tts',
    actor: ben,
    endpoint: { id: 'ep-tts', name: 'my-tts' },
    via: 'schedule',
    occurrence: 'ep-tts.rule.1.up',
    receivedAt: clock.now(),
  })
  clock.pass(31 * 60_000)
  await swept(stage)
  const says = [say('end.failed', { deed: say('start.ask', { name: 'my-tts' }) }), say('request.notTaken')]
  expect(await store.load('start-of-the-hours')).toMatchObject({ status: 'expired', ending: { says } })
})
