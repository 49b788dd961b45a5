import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { phrase } from '../../src/core/commands/phrases.ts'
import type { Request } from '../../src/core/model/request.ts'
import { commands } from '../../src/features/command-table.ts'
import { explainLine } from '../../src/lifecycle/explain.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import { presses, type Stage, staged, swept, types } from '../support/memory/stage.ts'
import { english } from '../support/words.ts'

/* What ten thousand sequences have found, cut down to what it takes. */

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

/** Types a line and lets the worker do what comes of it. The request's id. */
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
    '(%s) means no question that was asked only after it was written',
    async (verb) => {
      begin('approval', 1, true)
      const who = verb === 'break-glass' ? 'U0EVA' : 'U0CLEO'
      const request = await asks('U0ANA', 'stop my-llm')
      // Nobody is awake, so both are taken up later, and the question first.
      stage.clock.pass(1_000)
      const line = await asks(who, `${verb} ${request}${verb === 'break-glass' ? ' because="it burns"' : ''}`)
      await passes(10_000)
      expect(await stage.store.load(request)).toMatchObject({ status: 'awaiting' })
      expect((await stage.store.load(request))?.votes ?? []).toEqual([])
      expect(await stage.store.load(line)).toMatchObject({ status: 'refused' })
    },
  )

  test('breaks no glass once the ask is over, though nobody has ended it yet', async () => {
    const request = await asks('U0ANA', 'stop my-llm')
    stage.clock.pass(31 * minute)
    const line = await asks('U0EVA', `break-glass ${request} because="it burns"`)
    expect(await stage.store.load(line)).toMatchObject({ status: 'refused' })
    await passes(1_000)
    expect(await stage.store.load(request)).toMatchObject({ status: 'expired' })
    expect(calls()).toEqual([])
  })
})

describe('A role that a private channel gives', () => {
  beforeEach(() => begin('confirmation'))

  test.each(['approve', 'decline'])('counts for no %s that somebody types elsewhere', async (verb) => {
    const request = await asks('U0ANA', 'stop my-llm', 'C0PRIV')
    const line = await asks('U0IDA', `${verb} my-llm`, 'C0OPS')
    expect(await stage.store.load(line)).toMatchObject({ status: 'refused' })
    expect(await stage.store.load(request)).toMatchObject({ status: 'awaiting' })
    expect(calls()).toEqual([])
  })

  test.each(['C0OPS', 'U0IDA'])('counts for no press in %s', async (channel) => {
    const request = await asks('U0ANA', 'stop my-llm', 'C0PRIV')
    expect(await answers('U0IDA', request, true, channel)).toMatchObject({ status: 'awaiting' })
    expect(await answers('U0IDA', request, false, channel)).toMatchObject({ status: 'awaiting' })
  })

  test('counts where a member answers in it, wherever the question was asked', async () => {
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

  test('what puts things back waits until an admin thaws', async () => {
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

describe('One word counts once', () => {
  beforeEach(() => begin('approval', 2))

  test('whoever was stood in for has no second one', async () => {
    await asks('U0CLEO', 'away until 1h to @U0IDA')
    const request = await asks('U0ANA', 'stop my-llm')
    await answers('U0IDA', request, true)
    const after = await answers('U0CLEO', request, true)
    expect(after).toMatchObject({ status: 'awaiting', votes: [{ by: { user: 'U0IDA' } }] })
    expect(after?.notes.map(({ to }) => to.user)).toEqual(['U0CLEO'])
    expect(await answers('U0DORA', request, true)).not.toMatchObject({ status: 'awaiting' })
    expect(calls()).toEqual(['stop'])
  })

  test('and a stand-in may take it back while it is theirs to give', async () => {
    await asks('U0CLEO', 'away until 1h to @U0IDA')
    const request = await asks('U0ANA', 'stop my-llm')
    await answers('U0IDA', request, true)
    expect(await answers('U0IDA', request, false)).toMatchObject({ status: 'declined' })
  })

  test('but an approver who is none any more declines nothing', async () => {
    const request = await asks('U0ANA', 'stop my-llm')
    await answers('U0CLEO', request, true)
    const cleo = stage.people.persons.get('U0CLEO')
    if (cleo !== undefined) cleo.standing = 'outside'
    expect(await answers('U0CLEO', request, false)).toMatchObject({ status: 'awaiting' })
  })
})

test('what takes nothing by now is not done for somebody who may not ask for it any more', async () => {
  begin('confirmation')
  stage.people.persons.get('U0IDA')?.groups.add('S0OPS')
  const request = await asks('U0IDA', 'patch my-llm port=8080')
  const [llm, ida] = [stage.platform.endpoints.get('ep-0'), stage.people.persons.get('U0IDA')]
  if (llm !== undefined) llm.active = false
  ida?.groups.clear()
  expect(await answers('U0ANA', request, true)).toMatchObject({ status: 'refused' })
  expect(calls()).toEqual([])
})

test('a change that is agreed to can still be cancelled until it is made', async () => {
  begin('approval', 1, true)
  const request = await asks('U0ANA', 'schedule my-llm down sat-sun')
  await passes(3_000)
  stage.clock.pass(1_000)
  // Both wait for a worker, and the approval is taken up first; what it lets begin has not begun when the other is.
  await asks('U0CLEO', `approve ${request}`)
  const cancel = await asks('U0ANA', `cancel ${request}`)
  await passes(10_000)
  expect(await stage.store.load(cancel)).toMatchObject({ status: 'succeeded' })
  expect(await stage.store.load(request)).toMatchObject({ status: 'cancelled' })
  expect(stage.shelf.records.size).toBe(0)
})

describe('A hold of somebody else', () => {
  async function kept(line: string, stop: 'confirmation' | 'approval' = 'confirmation'): Promise<Request | null> {
    begin(stop)
    await asks('U0BEN', 'keep my-llm 2d')
    return stage.store.load(await asks('U0ANA', line))
  }
  const hold = () => stage.shelf.records.get('hold:ep-0')

  test.each(['keep my-llm 1h', 'resume my-llm'])('is not cut short unasked: %s', async (line) => {
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

  test.each(['keep my-llm 3d', 'keep my-llm 2d'])('is not ended unasked by way of: %s', async (line) => {
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

  test('is still counted on after its owner and others have kept it longer, and each who is cut short is told', async () => {
    await kept('keep my-llm 3d')
    await asks('U0ANA', 'keep my-llm 4d')
    expect(hold()).toMatchObject({ by: { user: 'U0ANA' }, also: [{ by: { user: 'U0BEN' } }] })
    await asks('U0CLEO', 'keep my-llm 5d')
    const request = await asks('U0CLEO', 'keep my-llm 1h')
    const done = await answers('U0CLEO', request, true)
    expect(done?.notes.map(({ to }) => to.user)).toEqual(['U0ANA', 'U0BEN'])
    expect(hold()).not.toHaveProperty('also')
  })

  test('may be made longer by anybody, who may cut their own part again', async () => {
    await kept('keep my-llm 4d')
    const line = await asks('U0ANA', 'keep my-llm 3d')
    expect(await stage.store.load(line)).toMatchObject({ status: 'succeeded', notes: [] })
    expect(hold()).toMatchObject({ by: { user: 'U0ANA' }, also: [{ by: { user: 'U0BEN' } }] })
  })

  test('stays on the button that does not shorten it', () => {
    expect(english(phrase(commands.operation('keep my-llm 1h'), 'my-llm', 'leave'))).toBe('Leave it as it is')
  })

  test('takes an approval where the endpoint is protected', async () => {
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
])('a protected endpoint is started with %d replicas under: %s', async (replicas, requirement) => {
  await asks('U0ANA', 'protect my-tts')
  const line = await asks('U0ANA', `start my-tts replicas=${replicas}`)
  expect(await stage.store.load(line)).toMatchObject({ requirement })
})

test('an ask names nobody who could not approve', async () => {
  // gus is a guest and hal has left, though the policy names both as approvers.
  const request = await asks('U0ANA', 'stop my-llm')
  expect(await stage.store.load(request)).toMatchObject({ ask: { unable: ['U0GUS', 'U0HAL'] } })
})

test('a reminder and the fallback name nobody who cannot approve any more', async () => {
  const fallback = { after: 15 * minute, to: [{ kind: 'user', id: 'U0IDA' }] } as const
  stage = staged(peopled(policyWith({ stop: 'approval', asking: { remind: 10 * minute, fallback } })))
  const request = await asks('U0ANA', 'stop my-llm')
  const leaves = (user: string) => void Object.assign(stage.people.persons.get(user) ?? {}, { standing: 'outside' })
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

test('who was known to be unable is not named by a reminder, nor asked again, while Slack is away', async () => {
  const asking = { remind: 10 * minute }
  stage = staged(peopled(policyWith({ stop: 'approval', asking })))
  const request = await asks('U0ANA', 'stop my-llm')
  const away = (...users: string[]) => {
    for (const [user, person] of stage.people.persons) person.known = !users.includes(user)
  }
  away('U0GUS', 'U0HAL', 'U0DORA')
  await passes(10 * minute)
  expect(await stage.store.load(request)).toMatchObject({ ask: { reminded: 1, unable: ['U0GUS', 'U0HAL'] } })
  // It takes two by now, so the same card asks again.
  stage.rule({ ...policyWith({ stop: 'approval', asking: { ...asking, needed: 2 } }), version: 'v1' })
  expect(await answers('U0CLEO', request, true)).toMatchObject({ ask: { n: 2, unable: ['U0GUS', 'U0HAL'] } })
  // Who is found to be able again is named again.
  away('U0GUS')
  Object.assign(stage.people.persons.get('U0HAL') ?? {}, { standing: 'full' })
  await passes(10 * minute)
  expect(await stage.store.load(request)).toMatchObject({ ask: { unable: ['U0GUS'] } })
})

test('explain names nobody who could not agree, nor the requester of an approval', async () => {
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

test('a question that is raised during a freeze says so', async () => {
  await asks('U0BEN', 'freeze because="release"')
  const request = await asks('U0ANA', 'stop my-llm')
  expect(english((await stage.store.load(request))?.ask?.why ?? '')).toMatch(/Automation is paused\.$/)
})
