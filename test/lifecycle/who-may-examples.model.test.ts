import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { phrase } from '../../src/core/commands/phrases.ts'
import type { Request } from '../../src/core/model/request.ts'
import { commands } from '../../src/features/command-table.ts'
import { explainLine } from '../../src/lifecycle/explain.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import { presses, type Stage, staged, swept, types } from '../support/memory/stage.ts'
import { english } from '../support/words.ts'

/* Bugs found by the randomized sequences of `who-may.model.test.ts`, each reduced to a short example. */

const minute = 60_000
let stage: Stage

function begin(stop: 'confirmation' | 'approval', needed = 1, drops = false): void {
  stage = staged(peopled(policyWith({ stop, asking: { needed } }), drops))
}
beforeEach(() => begin('approval'))
afterEach(() => {
  expect(stage.oracle.faults).toEqual([])
  expect(stage.complaints).toEqual([])
})

/** Types a line, lets the worker process it, and returns the request's id. */
async function asks(user: string, line: string, channel = 'C0OPS'): Promise<string> {
  await types(stage, user, line, channel)
  await stage.work()
  return stage.requests.at(-1) ?? ''
}

async function answers(user: string, request: string, yes: boolean, channel?: string): Promise<Request | null> {
  await presses(stage, user, request, yes, { ...(channel && { channel }) })
  await stage.work()
  return stage.store.load(request)
}

async function passes(ms: number): Promise<void> {
  stage.clock.pass(ms)
  await swept(stage)
}

function calls(): readonly string[] {
  return stage.platform.made.map(({ call }) => call.path.split('/').at(-1) ?? '')
}

describe('A line that answers', () => {
  test.each(['approve', 'decline', 'break-glass'])(
    '(%s) does not answer a question asked after it was typed',
    async (verb) => {
      begin('approval', 1, true)
      const who = verb === 'break-glass' ? 'U0EVA' : 'U0CLEO'
      const request = await asks('U0ANA', 'stop my-llm')
      // No worker is woken, so both wait; the question is then asked first.
      stage.clock.pass(1_000)
      const line = await asks(who, `${verb} ${request}${verb === 'break-glass' ? ' because="it burns"' : ''}`)
      await passes(10_000)
      expect(await stage.store.load(request)).toMatchObject({ status: 'awaiting' })
      expect((await stage.store.load(request))?.votes ?? []).toEqual([])
      expect(await stage.store.load(line)).toMatchObject({ status: 'refused' })
    },
  )

  test('cannot break the glass once the question has expired, even if no worker has ended it yet', async () => {
    const request = await asks('U0ANA', 'stop my-llm')
    stage.clock.pass(31 * minute)
    const line = await asks('U0EVA', `break-glass ${request} because="it burns"`)
    expect(await stage.store.load(line)).toMatchObject({ status: 'refused' })
    await passes(1_000)
    expect(await stage.store.load(request)).toMatchObject({ status: 'expired' })
    expect(calls()).toEqual([])
  })
})

describe('A role given by a private channel', () => {
  beforeEach(() => begin('confirmation'))

  test.each(['approve', 'decline'])('does not allow %s typed in another channel', async (verb) => {
    const request = await asks('U0ANA', 'stop my-llm', 'C0PRIV')
    const line = await asks('U0IDA', `${verb} my-llm`, 'C0OPS')
    expect(await stage.store.load(line)).toMatchObject({ status: 'refused' })
    expect(await stage.store.load(request)).toMatchObject({ status: 'awaiting' })
    expect(calls()).toEqual([])
  })

  test.each(['C0OPS', 'U0IDA'])('does not allow a press in %s', async (channel) => {
    const request = await asks('U0ANA', 'stop my-llm', 'C0PRIV')
    expect(await answers('U0IDA', request, true, channel)).toMatchObject({ status: 'awaiting' })
    expect(await answers('U0IDA', request, false, channel)).toMatchObject({ status: 'awaiting' })
  })

  test('counts when a member answers in that channel, wherever the question was asked', async () => {
    const request = await asks('U0ANA', 'stop my-llm', 'C0OPS')
    const insiders = stage.people.channels.get('C0PRIV')
    insiders?.delete('U0IDA')
    expect(await answers('U0IDA', request, true, 'C0PRIV')).toMatchObject({ status: 'awaiting' })
    insiders?.add('U0IDA')
    await answers('U0IDA', request, true, 'C0PRIV')
    expect(calls()).toEqual(['stop'])
  })
})

describe('In a lockdown', () => {
  async function locks(): Promise<void> {
    await stage.store.write({ put: [{ kind: 'lockdown', at: stage.clock.now(), why: 'Data was lost.' }] }, [])
  }

  test('steps that restore an endpoint wait until an admin thaws', async () => {
    begin('confirmation')
    const request = await asks('U0ANA', 'restart my-llm')
    await answers('U0ANA', request, true)
    await locks()
    await passes(minute)
    expect(calls()).toEqual(['stop', 'start'])
    await passes(5 * minute)
    expect(calls()).toEqual(['stop', 'start'])
    const thaw = await asks('U0EVA', 'thaw')
    await answers('U0ANA', thaw, true)
    await passes(minute)
    expect(calls()).toEqual(['stop', 'start'])
    await answers('U0EVA', thaw, true)
    await passes(minute)
    expect(calls()).toEqual(['stop', 'start', 'scale'])
  })

  test('a call that never arrived is not made again', async () => {
    begin('confirmation')
    const request = await asks('U0ANA', 'stop my-llm')
    stage.platform.troubles.push('unreached')
    await answers('U0ANA', request, true)
    await locks()
    await passes(5_000)
    expect(await stage.store.load(request)).toMatchObject({ status: 'failed' })
    await passes(30 * minute)
    expect(calls()).toEqual(['stop'])
  })
})

describe('A person’s vote', () => {
  beforeEach(() => begin('approval', 2))

  test('is used up when a stand-in has voted for them', async () => {
    await asks('U0CLEO', 'away until 1h to @U0IDA')
    const request = await asks('U0ANA', 'stop my-llm')
    await answers('U0IDA', request, true)
    const after = await answers('U0CLEO', request, true)
    expect(after).toMatchObject({ status: 'awaiting', votes: [{ by: { user: 'U0IDA' } }] })
    expect(after?.notes.map(({ to }) => to.user)).toEqual(['U0CLEO'])
    expect(await answers('U0DORA', request, true)).not.toMatchObject({ status: 'awaiting' })
    expect(calls()).toEqual(['stop'])
  })

  test('can be turned into a decline by the stand-in who gave it', async () => {
    await asks('U0CLEO', 'away until 1h to @U0IDA')
    const request = await asks('U0ANA', 'stop my-llm')
    await answers('U0IDA', request, true)
    expect(await answers('U0IDA', request, false)).toMatchObject({ status: 'declined' })
  })

  test('cannot be turned into a decline once they have lost the role', async () => {
    const request = await asks('U0ANA', 'stop my-llm')
    await answers('U0CLEO', request, true)
    const cleo = stage.people.persons.get('U0CLEO')
    if (cleo !== undefined) cleo.membership = 'outside'
    expect(await answers('U0CLEO', request, false)).toMatchObject({ status: 'awaiting' })
  })
})

test('a change that no longer needs confirmation is still refused if the requester has lost the role', async () => {
  begin('confirmation')
  stage.people.persons.get('U0IDA')?.groups.add('S0OPS')
  const request = await asks('U0IDA', 'patch my-llm port=8080')
  const [llm, ida] = [stage.platform.endpoints.get('ep-0'), stage.people.persons.get('U0IDA')]
  if (llm !== undefined) llm.active = false
  ida?.groups.clear()
  expect(await answers('U0ANA', request, true)).toMatchObject({ status: 'refused' })
  expect(calls()).toEqual([])
})

test('a question that needs no answer any more is about what the endpoint is now', async () => {
  begin('confirmation')
  const request = await asks('U0ANA', 'patch my-llm port=8080')
  const llm = stage.platform.endpoints.get('ep-0')
  if (llm !== undefined) llm.active = false
  await passes(minute)
  expect(await answers('U0BEN', request, true)).toMatchObject({ status: 'succeeded', exposure: 'dormant' })
  expect(calls()).toEqual(['{endpoint_id}'])
})

test('an approved change can be cancelled until it is made', async () => {
  begin('approval', 1, true)
  const request = await asks('U0ANA', 'schedule my-llm down sat-sun')
  await passes(3_000)
  stage.clock.pass(1_000)
  // Both wait for a worker. The approval is processed first, and the cancellation before the approved change starts.
  await asks('U0CLEO', `approve ${request}`)
  const cancel = await asks('U0ANA', `cancel ${request}`)
  await passes(10_000)
  expect(await stage.store.load(cancel)).toMatchObject({ status: 'succeeded' })
  expect(await stage.store.load(request)).toMatchObject({ status: 'cancelled' })
  expect(stage.shelf.records.size).toBe(0)
})

describe('Another person’s hold', () => {
  async function kept(line: string, stop: 'confirmation' | 'approval' = 'confirmation'): Promise<Request | null> {
    begin(stop)
    await asks('U0BEN', 'keep my-llm 2d')
    return stage.store.load(await asks('U0ANA', line))
  }
  const hold = () => stage.shelf.records.get('hold:ep-0')

  test.each(['keep my-llm 1h', 'resume my-llm'])('is not shortened without a confirmation: %s', async (line) => {
    const request = await kept(line)
    expect(request).toMatchObject({ status: 'awaiting', requirement: 'confirmation' })
    expect(hold()).toMatchObject({ by: { user: 'U0BEN' } })
    const done = await answers('U0ANA', request?.id ?? '', true)
    expect(done).toMatchObject({
      status: 'succeeded',
      notes: [{ to: { user: 'U0BEN' }, says: { with: { by: { person: { user: 'U0ANA' } } } } }],
    })
    expect(hold()).not.toMatchObject({ by: { user: 'U0BEN' } })
  })

  test.each(['keep my-llm 3d', 'keep my-llm 2d'])('is not ended without a confirmation after: %s', async (line) => {
    expect(await kept(line)).toMatchObject({ status: 'succeeded', notes: [] })
    expect(hold()).toMatchObject({ by: { user: 'U0ANA' }, also: [{ by: { user: 'U0BEN' } }] })
    const request = await asks('U0ANA', 'resume my-llm')
    expect(await stage.store.load(request)).toMatchObject({ status: 'awaiting', requirement: 'confirmation' })
    const done = await answers('U0ANA', request, true)
    expect(done).toMatchObject({
      status: 'succeeded',
      notes: [{ to: { user: 'U0BEN' }, says: { with: { by: { person: { user: 'U0ANA' } } } } }],
    })
    expect(hold()).toBeUndefined()
  })

  test('survives longer holds by others, and everyone whose hold is shortened is notified', async () => {
    await kept('keep my-llm 3d')
    await asks('U0ANA', 'keep my-llm 4d')
    expect(hold()).toMatchObject({ by: { user: 'U0ANA' }, also: [{ by: { user: 'U0BEN' } }] })
    await asks('U0CLEO', 'keep my-llm 5d')
    const request = await asks('U0CLEO', 'keep my-llm 1h')
    const done = await answers('U0CLEO', request, true)
    expect(done?.notes.map(({ to }) => to.user)).toEqual(['U0ANA', 'U0BEN'])
    expect(hold()).not.toHaveProperty('also')
  })

  test('can be extended by anyone, who can shorten their own part again', async () => {
    await kept('keep my-llm 4d')
    const line = await asks('U0ANA', 'keep my-llm 3d')
    expect(await stage.store.load(line)).toMatchObject({ status: 'succeeded', notes: [] })
    expect(hold()).toMatchObject({ by: { user: 'U0ANA' }, also: [{ by: { user: 'U0BEN' } }] })
  })

  test('is left alone by the button “Leave it as it is”', () => {
    expect(english(phrase(commands.operation('keep my-llm 1h'), 'my-llm', 'leave'))).toBe('Leave it as it is')
  })

  test('needs an approval to end if the endpoint is protected', async () => {
    begin('confirmation')
    await asks('U0BEN', 'keep my-llm 2d')
    await asks('U0BEN', 'protect my-llm')
    const line = await asks('U0ANA', 'resume my-llm')
    expect(await stage.store.load(line)).toMatchObject({ status: 'awaiting', requirement: 'approval' })
  })
})

test.each([
  [5, 'approval'],
  [1, 'nothing'],
])('starting a protected endpoint with %d replicas needs: %s', async (replicas, requirement) => {
  await asks('U0ANA', 'protect my-tts')
  const line = await asks('U0ANA', `start my-tts replicas=${replicas}`)
  expect(await stage.store.load(line)).toMatchObject({ requirement })
})

test('a question names nobody who cannot approve', async () => {
  // The policy names both as approvers, but gus is a guest and hal has left.
  const request = await asks('U0ANA', 'stop my-llm')
  expect(await stage.store.load(request)).toMatchObject({ ask: { unable: ['U0GUS', 'U0HAL'] } })
})

test('a reminder and the fallback name nobody who can no longer approve', async () => {
  const fallback = { after: 15 * minute, to: [{ kind: 'user', id: 'U0IDA' }] } as const
  stage = staged(peopled(policyWith({ stop: 'approval', asking: { remind: 10 * minute, fallback } })))
  const request = await asks('U0ANA', 'stop my-llm')
  const leaves = (user: string) => void Object.assign(stage.people.persons.get(user) ?? {}, { membership: 'outside' })
  leaves('U0CLEO')
  await passes(10 * minute)
  expect(await stage.store.load(request)).toMatchObject({
    ask: { reminded: 1, unable: ['U0CLEO', 'U0GUS', 'U0HAL'] },
  })
  leaves('U0IDA')
  await passes(5 * minute)
  expect(await stage.store.load(request)).toMatchObject({
    ask: { fellBackAt: stage.clock.now(), unable: ['U0CLEO', 'U0GUS', 'U0HAL', 'U0IDA'] },
  })
})

test('people known to be unable are not named or asked again while Slack is unavailable', async () => {
  const asking = { remind: 10 * minute }
  stage = staged(peopled(policyWith({ stop: 'approval', asking })))
  const request = await asks('U0ANA', 'stop my-llm')
  const away = (...users: string[]) => {
    for (const [user, person] of stage.people.persons) person.known = !users.includes(user)
  }
  away('U0GUS', 'U0HAL', 'U0DORA')
  await passes(10 * minute)
  expect(await stage.store.load(request)).toMatchObject({ ask: { reminded: 1, unable: ['U0GUS', 'U0HAL'] } })
  // The policy now requires two approvals, so the same card asks again.
  stage.rule({ ...policyWith({ stop: 'approval', asking: { ...asking, needed: 2 } }), version: 'v1' })
  expect(await answers('U0CLEO', request, true)).toMatchObject({ ask: { n: 2, unable: ['U0GUS', 'U0HAL'] } })
  // People who are able again are named again.
  away('U0GUS')
  Object.assign(stage.people.persons.get('U0HAL') ?? {}, { membership: 'full' })
  await passes(10 * minute)
  expect(await stage.store.load(request)).toMatchObject({ ask: { unable: ['U0GUS'] } })
})

test('explain names nobody who cannot approve, nor the requester of an approval', async () => {
  const named = async (stop: 'confirmation' | 'approval') => {
    const user = (id: string) => ({ kind: 'user', id }) as const
    const roles = {
      viewer: [],
      operator: [user('U0ANA')],
      approver: [user('U0ANA'), user('U0CLEO'), user('U0GUS'), user('U0CLEO')],
      admin: [user('U0HAL'), user('U0EVA')],
    }
    const fallback = { after: 300_000, to: [user('U0HAL'), user('U0ANA'), user('U0DORA')] }
    const { services, clock } = peopled({ ...policyWith({ stop, asking: { fallback } }), roles })
    const actor = { team: homeTeam, user: 'U0ANA' }
    const asked = {
      id: 'e',
      project: 'default',
      kind: 'query',
      line: 'explain',
      actor,
      place: { channel: 'C0OPS' },
    } as const
    const request: Request = { ...asked, receivedAt: clock.now(), status: 'received', notes: [], nextAt: null }
    const told = await explainLine(services, { request, values: { line: 'stop my-llm' }, endpoint: undefined })
    if (told.kind !== 'answered') throw new Error(`Nothing was explained: ${told.kind}`)
    return told.answer.items.flatMap(({ whom }) =>
      whom === undefined ? [] : [whom.map((one) => 'id' in one && one.id)],
    )
  }
  expect(await named('confirmation')).toEqual([['U0ANA', 'U0CLEO', 'U0EVA']])
  expect(await named('approval')).toEqual([['U0CLEO', 'U0EVA'], ['U0DORA'], ['U0EVA']])
})

test('a question asked during a freeze says so', async () => {
  await asks('U0BEN', 'freeze because="release"')
  const request = await asks('U0ANA', 'stop my-llm')
  expect(english((await stage.store.load(request))?.ask?.why ?? '')).toMatch(/Automation is paused\.$/)
})
